// SPDX-License-Identifier: Apache-2.0
// The options that every pipeline accepts, whatever its stages.
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

/// --device: the devices that do the work.
struct DeviceChoice {
  enum class Kind : std::uint8_t {
    automatic,  ///< by estimated time
    cpu,
    cuda,  ///< `cards`; it is an error if there is none
    both,  ///< the CPU and the first card, compared byte for byte
  };
  Kind kind = Kind::automatic;
  std::vector<int> cards = {};  ///< Empty: all available cards.

  int first_card() const { return cards.empty() ? 0 : cards.front(); }
  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

/// --shard: the part of the inputs that this process handles.
struct ShardChoice {
  enum class Kind : std::uint8_t { all, given, automatic } kind = Kind::all;
  int index = 0;  ///< Kind::given: inputs whose sorted index modulo count equals this.
  int count = 0;  ///< 0 with Kind::automatic: the environment also gives the count.
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
    automatic,  ///< all if they fit, otherwise the first
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
constexpr TypeName type_name(const PartChoice&) { return {"part", part_choice_words}; }
constexpr TypeName type_name(const ShardChoice&) { return {"shard", "I/N"}; }
constexpr TypeName type_name(const Background&) { return {"color", "R,G,B"}; }

/// --metadata: the input's entries that an output keeps.
enum class MetadataPolicy : std::uint8_t { keep, strip, private_parts };
std::span<const Choice<MetadataPolicy>> choices_of(MetadataPolicy);

/// --set: entries of metadata, by key, in the given order.
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

/// --cryptomatte: how stages that mix pixels treat ids.
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
/// The keys that are replaced in a file name of a stage's option.
inline constexpr std::string_view stage_file_keys =
    "{stem}, {ext}, {name}, {dir}, {frame}, {frame:05} or {part}";

struct CommonOptions {
  // Options for devices and resources.
  DeviceChoice device;
  int threads = 0;                           ///< 0: as many as this process may use.
  std::optional<ByteCount> max_memory;       ///< Of the host, for pixels of all images together.
  std::optional<ByteCount> max_card_memory;  ///< Of each card, for pixels of all images together.
  std::string scratch;  ///< A folder for pixels beyond that; empty: default_scratch_folder().
  int jobs = 0;         ///< Images at a time; 0: enough to occupy the threads.

  // Options for what is read.
  PartChoice part;
  int mip_level = 0;
  std::vector<std::string> layers;  ///< Empty: the stage decides.
  std::uint64_t limit_pixels = DecodeOptions{}.limit_pixels;
  bool raw = false;
  IccMethod icc = IccRendering{}.method;
  IccIntent icc_intent = IccRendering{}.intent;
  bool icc_black_point = false;
  MatteChoice cryptomatte = MatteChoice::keep;
  bool recursive = false;
  PathPatterns include, exclude;  ///< The files of INPUT folders to use.
  std::string files_from;         ///< A file that lists further inputs; "-": standard input.
  bool null = false;              ///< Whether names end with NUL instead of a line end.
  FrameSet frames;  ///< Of a sequence; empty: from the first to the last existing one.
  MissingFrames missing = MissingFrames::error;

  // Options for what is written.
  std::string output;  ///< -o: file, folder or pattern; empty: the last named file is the output.
  std::string format;  ///< Empty: from the output's extension.
  std::optional<PixelType> type;
  std::string compression;  ///< Empty: the format's default.
  std::optional<int> quality;
  Background background;
  MetadataPolicy metadata = MetadataPolicy::keep;
  MetadataChanges set;
  bool in_place = false;  ///< Whether every input is its own output.
  bool no_clobber = false;
  bool skip_existing = false;

  // Options for many inputs.
  ShardChoice shard;
  bool fail_fast = false;

  // Options for what is printed.
  bool dry_run = false;
  bool explain = false;
  bool timing = false;
  std::string trace;  ///< The file for the recording; empty: nothing is recorded.
  bool json = false;
  Progress progress = Progress::automatic;
  bool quiet = false;
  bool verbose = false;
  bool help = false;
};

const Description& common_options();
/// Whether the option controls how an output is written, so that several outputs may have different
/// values.
bool is_of_output(const Parameter& parameter);
/// Whether the option controls what is read from inputs.
bool is_of_input(const Parameter& parameter);

/// @throws Error if two of them contradict each other.
void check_common(const CommonOptions& common);

}  // namespace cuimg
