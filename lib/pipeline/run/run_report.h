// SPDX-License-Identifier: Apache-2.0
// The information to print after an image was processed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/queue.h"

namespace cuimg {

/// Names of what is done besides stages, in `times`.
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
  std::string reason = {};  ///< Empty where it did not.
  /// A card exists but cannot be used, which is printed even without -v.
  bool is_of_a_card = false;
};

/// Adds a line that is not there yet.
void add_once(std::vector<std::string>& lines, const std::string& line);

struct RunReport {
  std::uint64_t pixels = 0;              ///< Of the input, or of the output where there is none.
  int parts = 1;                         ///< Of the input, that are taken.
  std::vector<std::string> explanation;  ///< --explain: decisions, a line each.
  std::vector<std::string> warnings;     ///< What an output loses; printed unless --quiet.
  std::vector<std::string> notes;        ///< -v: choices that no option asked for.
  Fallback fallback;
  std::vector<StepTime> times;            ///< --timing: durations, in the order of the work.
  double milliseconds = 0;                ///< From opening the input to the last output's name.
  std::optional<std::string> difference;  ///< --device both: what differs, and where.
  std::vector<std::string> unmeasured;    ///< --dry-run: stages whose result only pixels tell.
  std::string scratch;                    ///< Where pixels lie that pass --max-memory; or empty.
  std::string printed;                    ///< What a sink prints on standard output.

  void add_time(const char* step, double duration, StepClock clock) {
    times.push_back({step, duration, clock});
  }
  /// Removes notes and warnings that turned out to be wrong.
  void take_back(const std::vector<std::string>& lines);
  /// Joins what another part or output leaves; pixels and parts are counted apart.
  void add(RunReport other);
};

}  // namespace cuimg
