// SPDX-License-Identifier: Apache-2.0
// The options that every pipeline takes, whatever its stages.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/codec.h"
#include "options/byte_count.h"
#include "options/description.h"
#include "options/path_filter.h"
#include "pipeline/frames.h"

namespace cuimg {

/// --device: where the work runs.
struct DeviceChoice {
  enum class Kind : std::uint8_t {
    automatic,  ///< by estimated time
    cpu,
    cuda,  ///< `cards`; the absence of one is an error
    both,  ///< CPU and the first card, compared byte for byte
  };
  Kind kind = Kind::automatic;
  std::vector<int> cards = {};  ///< Empty: all that there are.

  int first_card() const { return cards.empty() ? 0 : cards.front(); }
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

/// --part: which parts of a file are used.
struct PartChoice {
  enum class Kind : std::uint8_t {
    automatic,  ///< all where they fit, else the first
    all,
    one,  ///< part `id`
  };
  Kind kind = Kind::automatic;
  PartId id = {};
  friend bool operator==(const PartChoice&, const PartChoice&) = default;
};

void parse_value(const std::string& text, const Range& range, DeviceChoice& value);
void parse_value(const std::string& text, const Range& range, PartChoice& value);
void parse_value(const std::string& text, const Range& range, ShardChoice& value);
void parse_value(const std::string& text, const Range& range, Background& value);
std::string format_value(const DeviceChoice& value);
std::string format_value(const PartChoice& value);
std::string format_value(const ShardChoice& value);
std::string format_value(const Background& value);
constexpr TypeName type_name(const DeviceChoice&) { return {"device", "DEVICE"}; }
constexpr TypeName type_name(const PartChoice&) { return {"part", "N|NAME|all"}; }
constexpr TypeName type_name(const ShardChoice&) { return {"shard", "I/N"}; }
constexpr TypeName type_name(const Background&) { return {"color", "R,G,B"}; }

/// --metadata: which of the input's entries an output keeps.
enum class MetadataPolicy : std::uint8_t { keep, strip, private_parts };
std::span<const Choice<MetadataPolicy>> choices_of(MetadataPolicy);

/// --set: entries of metadata, by key, in the order given.
struct MetadataChanges {
  std::vector<std::pair<std::string, std::string>> entries;
  void gather(MetadataChanges more) {
    for (auto& entry : more.entries) entries.push_back(std::move(entry));
  }
  friend bool operator==(const MetadataChanges&, const MetadataChanges&) = default;
};
void parse_value(const std::string& text, const Range& range, MetadataChanges& value);
std::string format_value(const MetadataChanges& value);
constexpr TypeName type_name(const MetadataChanges&) { return {"entry", "KEY=VALUE"}; }

/// --icc, --icc-intent: how integers are converted by an ICC profile.
std::span<const Choice<IccMethod>> choices_of(IccMethod);
std::span<const Choice<IccIntent>> choices_of(IccIntent);

/// --cryptomatte: what stages that mix pixels do with ids.
enum class MatteChoice : std::uint8_t { keep, refuse };
std::span<const Choice<MatteChoice>> choices_of(MatteChoice);

enum class Progress : std::uint8_t { automatic, always, never };
std::span<const Choice<Progress>> choices_of(Progress);

/// --missing: what replaces a missing frame of a sequence.
enum class MissingFrames : std::uint8_t { error, skip, hold, black };
std::span<const Choice<MissingFrames>> choices_of(MissingFrames);

/// The keys that -o replaces in a pattern.
inline constexpr std::string_view pattern_keys =
    "{stem}, {ext}, {name}, {dir}, {index}, {index:03}, {frame}, {frame:05} or {part}";
/// And what is replaced in a file that a stage's option names.
inline constexpr std::string_view stage_file_keys =
    "{stem}, {ext}, {name}, {dir}, {frame}, {frame:05} or {part}";

struct CommonOptions {
  // Where and how the work runs.
  DeviceChoice device;
  int threads = 0;                           ///< 0: as many as this process may use.
  std::optional<ByteCount> max_memory;       ///< Of the host, for pixels of all images together.
  std::optional<ByteCount> max_card_memory;  ///< Of each card, for pixels of all images together.
  std::string scratch;  ///< A folder for pixels beyond that; empty: default_scratch_folder().
  int jobs = 0;         ///< Images at a time; 0: as many as keep the threads busy.

  // What is read.
  PartChoice part;
  int mip_level = 0;
  std::vector<std::string> layers;  ///< Empty: as the stage decides.
  std::uint64_t limit_pixels = DecodeOptions{}.limit_pixels;
  bool raw = false;
  IccMethod icc = IccRendering{}.method;
  IccIntent icc_intent = IccRendering{}.intent;
  bool icc_black_point = false;
  MatteChoice cryptomatte = MatteChoice::keep;
  bool recursive = false;
  PathPatterns include, exclude;  ///< Which files of INPUT folders are taken.
  std::string files_from;         ///< A file with names of more inputs; "-": standard input.
  bool null = false;              ///< They end with NUL rather than with a line.
  FrameSet frames;  ///< Of a sequence; empty: from the first to the last that is there.
  MissingFrames missing = MissingFrames::error;

  // What is written.
  std::string output;  ///< -o: file, folder or pattern; empty: the last file named is the output.
  std::string format;  ///< Empty: by the output's extension.
  std::optional<PixelType> type;
  std::string compression;  ///< Empty: the format's default.
  std::optional<int> quality;
  Background background;
  MetadataPolicy metadata = MetadataPolicy::keep;
  MetadataChanges set;
  bool in_place = false;  ///< Every input is its own output.
  bool no_clobber = false;
  bool skip_existing = false;

  // Many inputs.
  ShardChoice shard;
  bool fail_fast = false;

  // What is printed.
  bool dry_run = false;
  bool explain = false;
  bool timing = false;
  std::string trace;  ///< The file to record to; empty: nothing is recorded.
  bool json = false;
  Progress progress = Progress::automatic;
  bool quiet = false;
  bool verbose = false;
  bool help = false;
};

const Description& common_options();
/// Whether the option controls how an output is written, so that each of several outputs may have
/// its own.
bool is_of_output(const Parameter& parameter);
/// Whether the option controls what is read from inputs.
bool is_of_input(const Parameter& parameter);

/// @throws Error when two of them contradict each other.
void check_common(const CommonOptions& common);

}  // namespace cuimg
