// SPDX-License-Identifier: Apache-2.0
// The options that every pipeline takes, whatever its stages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/codec.h"
#include "stages/description.h"

namespace cuimg {

/// --device: where the work runs.
struct DeviceChoice {
  enum class Kind : std::uint8_t {
    automatic,  ///< by estimated time
    cpu,
    cuda,  ///< card `index`; its absence is an error
    both,  ///< CPU and card `index`, compared byte for byte
  };
  Kind kind = Kind::automatic;
  int index = 0;
  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

/// --shard: which part of the inputs this process does.
struct ShardChoice {
  enum class Kind : std::uint8_t { all, given, automatic } kind = Kind::all;
  int index = 0;  ///< Kind::given: inputs whose sorted index mod count is this.
  int count = 0;  ///< 0 with Kind::automatic: the environment has it too.
  friend bool operator==(const ShardChoice&, const ShardChoice&) = default;
};

/// --background: an opaque colour, linear.
struct Background {
  std::array<float, 3> rgb = {0, 0, 0};
  friend bool operator==(const Background&, const Background&) = default;
};

void parse_value(const std::string& text, const Range& range, DeviceChoice& value);
void parse_value(const std::string& text, const Range& range, ShardChoice& value);
void parse_value(const std::string& text, const Range& range, Background& value);
std::string format_value(const DeviceChoice& value);
std::string format_value(const ShardChoice& value);
std::string format_value(const Background& value);
constexpr TypeName type_name(const DeviceChoice&) { return {"device", "DEVICE"}; }
constexpr TypeName type_name(const ShardChoice&) { return {"shard", "I/N"}; }
constexpr TypeName type_name(const Background&) { return {"color", "R,G,B"}; }

enum class Progress : std::uint8_t { automatic, always, never };
std::span<const Choice<Progress>> choices_of(Progress);

/// What -o replaces in a pattern.
inline constexpr std::string_view pattern_keys = "{stem}, {ext}, {name}, {dir} or {index}";

struct CommonOptions {
  // Where and how the work runs.
  DeviceChoice device;
  int threads = 0;  ///< 0: as many as this process may use.
  int jobs = 1;     ///< Images at a time.

  // What is read.
  int part = 0;
  int mip_level = 0;
  std::vector<std::string> layers;  ///< Empty: as the stage decides.
  std::uint64_t limit_pixels = DecodeOptions{}.limit_pixels;
  bool raw = false;
  bool recursive = false;

  // What is written.
  std::string output;  ///< -o: file, folder or pattern; empty: the last file named is the output.
  std::string format;  ///< Empty: by the output's extension.
  std::optional<PixelType> type;
  std::string compression;  ///< Empty: the format's default.
  std::optional<int> quality;
  Background background;
  bool no_clobber = false;
  bool skip_existing = false;

  // Many inputs.
  ShardChoice shard;
  bool fail_fast = false;

  // What is printed.
  bool dry_run = false;
  bool explain = false;
  bool timing = false;
  bool json = false;
  Progress progress = Progress::automatic;
  bool quiet = false;
  bool verbose = false;
  bool help = false;
};

const Description& common_options();

/// @throws Error when two of them contradict each other.
void check_common(const CommonOptions& common);

}  // namespace cuimg
