// SPDX-License-Identifier: Apache-2.0
// The information to print after an image was processed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/queue.h"

namespace cuimg {

/// Names in `times` for work other than stages.
/// @{
inline constexpr const char* open_name = "open and plan";
inline constexpr const char* decode_name = "decode";
inline constexpr const char* encode_name = "encode";
inline constexpr const char* report_name = "report";
inline constexpr const char* write_name = "write and sync";
inline constexpr const char* memory_wait_name = "wait for memory";
inline constexpr const char* room_wait_name = "decoder waits for room";
inline constexpr const char* decoded_wait_name = "wait for decoded rows";
inline constexpr const char* computed_wait_name = "encoder waits for rows";
/// @}

/// The reason why the CPU did a card's work.
struct Fallback {
  std::string reason = {};  ///< Empty if it did not.
  /// Whether a card exists but cannot be used, which is printed even without -v.
  bool is_of_a_card = false;
};

/// Adds a line unless it already exists.
void add_once(std::vector<std::string>& lines, const std::string& line);

struct RunReport {
  std::uint64_t pixels = 0;              ///< Of the input, or of the output if there is no input.
  int parts = 1;                         ///< The number of the input's parts that are used.
  std::vector<std::string> explanation;  ///< --explain: decisions, one per line.
  std::vector<std::string> warnings;     ///< Losses in an output; printed unless --quiet.
  std::vector<std::string> notes;        ///< -v: choices that no option requested.
  Fallback fallback;
  std::vector<StepTime> times;            ///< --timing: durations, in the order of the work.
  double milliseconds = 0;                ///< From opening the input to renaming the last output.
  std::optional<std::string> difference;  ///< --device both: the difference and its position.
  std::vector<std::string> unmeasured;    ///< --dry-run: stages whose result depends on the pixels.
  std::string scratch;                    ///< The folder for pixels beyond --max-memory; or empty.
  std::string printed;                    ///< A sink's text for standard output.

  void add_time(const char* step, double duration, StepClock clock) {
    times.push_back({step, duration, clock});
  }
  /// Removes notes and warnings that turned out to be wrong.
  void take_back(const std::vector<std::string>& lines);
  /// Merges the report of another part or output, except for the numbers of pixels and parts.
  void add(RunReport other);
};

}  // namespace cuimg
