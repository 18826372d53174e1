// SPDX-License-Identifier: Apache-2.0
// The description of the common options, in the same form as a stage's.
#include "pipeline/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/contains.h"
#include "base/error.h"
#include "base/message_text.h"
#include "base/split_text.h"
#include "io/codec.h"
#include "pipeline/part_limits.h"
#include "pipeline/pattern_help.h"

namespace cuimg {
namespace {

const Range any_count = at_least(0);

constexpr std::string_view output_group = "Output options", input_group = "Input options";

std::vector<std::string> codec_names() {
  std::vector<std::string> names;
  for (const Codec& codec : codecs())
    if (codec.is_written()) {
      names.emplace_back(codec.name);
      for (const Codec& variant : codec.variants)
        if (variant.is_written()) names.emplace_back(variant.name);
    }
  return names;
}

std::vector<std::string> compression_names() {
  std::vector<std::string> names;
  for (const Codec& codec : codecs())
    for (const std::string_view name : codec.compressions)
      if (!contains(names, name)) names.emplace_back(name);
  return names;
}

constexpr Choice<DeviceChoice::Kind> device_names[] = {{DeviceChoice::Kind::automatic, "auto"},
                                                       {DeviceChoice::Kind::cpu, "cpu"},
                                                       {DeviceChoice::Kind::cuda, "cuda"},
                                                       {DeviceChoice::Kind::both, "both"}};
constexpr std::string_view all_parts = "all";
constexpr std::string_view device_words = "auto, cpu, cuda, cuda:N,... or both";

std::vector<std::string> device_suggestions() {
  std::vector<std::string> names;
  for (const auto& device : device_names) names.emplace_back(device.name);
  return names;
}

std::vector<std::string> part_suggestions() { return {std::string(all_parts)}; }

// "quality for lossy formats; the default for JPEG is 90; ...".
std::string quality_help() {
  std::string help = "quality for lossy formats";
  for (const Codec& codec : codecs())
    if (const auto quality = codec.capabilities.default_quality)
      help += fmt::format("; the default for {} is {}", codec.description, *quality);
  return help +
         "; for an EXR with dwaa or dwab it is DWA's compression level, where higher means a "
         "smaller file";
}

bool read_count(const std::string& text, int& value) {
  try {
    parse_value(text, any_count, value);
  } catch (const BadValue&) {
    return false;
  }
  return true;
}

}  // namespace

void parse_value(const std::string& text, const Range&, DeviceChoice& value) {
  for (const auto& device : device_names)
    if (text == device.name) {
      value = {device.value, {}};
      return;
    }
  const BadValue unknown{"is unknown", "use " + std::string(device_words)};
  constexpr std::string_view named = "cuda:";
  if (!text.starts_with(named)) throw unknown;
  DeviceChoice choice{DeviceChoice::Kind::cuda, {}};
  for (const std::string_view number : split_at(std::string_view(text).substr(named.size()), ",")) {
    int card = 0;
    if (!read_count(std::string(number), card)) throw unknown;
    if (contains(choice.cards, card)) throw BadValue{"names a card twice", "name each once"};
    choice.cards.push_back(card);
  }
  value = choice;
}

std::string format_value(const DeviceChoice& value) {
  if (!value.cards.empty()) return fmt::format("cuda:{}", fmt::join(value.cards, ","));
  for (const auto& device : device_names)
    if (device.value == value.kind) return std::string(device.name);
  return "?";
}

void parse_value(const std::string& text, const Range&, PartChoice& value) {
  if (text.empty()) throw BadValue{"names no part", "use its number, its name or all"};
  if (text == all_parts)
    value = {PartChoice::Kind::all, {}};
  else
    value = {PartChoice::Kind::one, text};
}

std::string format_value(const PartChoice& value) {
  if (value.kind == PartChoice::Kind::one) return value.id.text;
  return value.kind == PartChoice::Kind::all ? std::string(all_parts) : "";
}

void parse_value(const std::string& text, const Range&, ShardChoice& value) {
  const std::size_t slash = text.find('/');
  const std::string share = text.substr(0, slash);
  ShardChoice shard;
  const bool counted = slash != std::string::npos;
  if (counted && (!read_count(text.substr(slash + 1), shard.count) || shard.count < 1))
    throw BadValue{"is not a shard", "use I/N with N at least 1, auto or auto/N"};
  if (share == "auto") {
    shard.kind = ShardChoice::Kind::automatic;
  } else if (counted && read_count(share, shard.index)) {
    shard.kind = ShardChoice::Kind::given;
    if (shard.index >= shard.count)
      throw BadValue{"is out of range",
                     shard.count == 1
                         ? "use 0/1"
                         : fmt::format("use 0/{0} to {1}/{0}", shard.count, shard.count - 1)};
  } else {
    throw BadValue{"is not a shard", "use I/N with I from 0 to N-1, auto or auto/N"};
  }
  value = shard;
}

std::string format_value(const ShardChoice& value) {
  if (value.kind == ShardChoice::Kind::all) return "";
  if (value.kind == ShardChoice::Kind::given) return fmt::format("{}/{}", value.index, value.count);
  return value.count == 0 ? "auto" : fmt::format("auto/{}", value.count);
}

void parse_value(const std::string& text, const Range& range, Background& value) {
  Color color;
  parse_value(text, range, color);
  const auto [r, g, b, a] = color.rgba;
  if (a != 1) throw BadValue{"is not opaque", "use R,G,B or V"};
  value = {{r, g, b}};
}

std::string format_value(const Background& value) {
  return fmt::format("{}", fmt::join(value.rgb, ","));
}

std::span<const Choice<Progress>> choices_of(Progress) {
  static constexpr Choice<Progress> table[] = {{Progress::automatic, "auto", "on a terminal"},
                                               {Progress::always, "always"},
                                               {Progress::never, "never"}};
  return table;
}

std::span<const Choice<MissingFrames>> choices_of(MissingFrames) {
  static constexpr Choice<MissingFrames> table[] = {
      {MissingFrames::error, "error", "before any work"},
      {MissingFrames::skip, "skip", "it has no output"},
      {MissingFrames::hold, "hold", "the frame before it, or else the first one"},
      {MissingFrames::black, "black", "an image whose values are all 0; for images only"}};
  return table;
}

std::span<const Choice<MetadataPolicy>> choices_of(MetadataPolicy) {
  static constexpr Choice<MetadataPolicy> table[] = {
      {MetadataPolicy::keep, "keep", "all that the format can hold"},
      {MetadataPolicy::strip, "strip", "only entries that say how to interpret pixels"},
      {MetadataPolicy::private_parts, "private",
       "entries about the camera, exposure, dates, programs and colours; no titles, comments or "
       "other free text, no places, serial numbers, ids of single pictures, names of people and "
       "computers, copyright, maker notes, XMP or unknown blocks"}};
  return table;
}

void parse_value(const std::string& text, const Range&, MetadataChanges& value) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw BadValue{"is not an entry", "use KEY=VALUE; an empty value removes the entry"};
  value.entries = {{text.substr(0, equals), text.substr(equals + 1)}};
}

std::string format_value(const MetadataChanges& value) {
  std::string lines;
  for (const auto& [key, text] : value.entries) add_item(lines, key + "=" + text, "\n");
  return lines;
}

std::span<const Choice<IccMethod>> choices_of(IccMethod) {
  static constexpr Choice<IccMethod> table[] = {
      {IccMethod::automatic, "auto", "tables for CMYK, exact for everything else"},
      {IccMethod::exact, "exact",
       "in floating point; a profile that is more than a curve and primaries is converted to "
       "16-bit Rec.2020"},
      {IccMethod::tables, "tables",
       "as vips and Pillow do: to sRGB, which clips, by lcms2's tables with as many bits as the "
       "file"}};
  return table;
}

std::span<const Choice<IccIntent>> choices_of(IccIntent) {
  static constexpr Choice<IccIntent> table[] = {
      {IccIntent::relative, "relative", "keep colours relative to white"},
      {IccIntent::perceptual, "perceptual",
       "compress all colours so that the picture looks similar"},
      {IccIntent::saturation, "saturation", "vivid colours, as for charts"},
      {IccIntent::absolute, "absolute",
       "keep colours as measured, including the colour of the paper"}};
  return table;
}

std::span<const Choice<MatteChoice>> choices_of(MatteChoice) {
  static constexpr Choice<MatteChoice> table[] = {
      {MatteChoice::keep, "keep", "take the nearest pixel's"},
      {MatteChoice::refuse, "refuse", "stop with an error"}};
  return table;
}

const Description& common_options() {
  using C = CommonOptions;
  static const Description description =
      describe<C>("options", "options that every stage and chain of stages takes")
          .details(about_patterns)
          .group(output_group)
          .param("output", &C::output, short_name('o'), file(), placeholder("OUT"),
                 "output file, folder (ending in /) or pattern with the input's " +
                     std::string(pattern_keys) + ", explained by cuimg help options")
          .param("format", &C::format, placeholder("NAME"), suggestions(codec_names),
                 "file format, listed by cuimg help options; default by the output's extension, " +
                     std::string(pipe_format) + " for a pipe")
          .param("type", &C::type, placeholder("TYPE"),
                 "pixel type; default the input's if the format has it, else as that list says")
          .param("compression", &C::compression, placeholder("NAME"),
                 suggestions(compression_names),
                 "one of the format's compressions in that list; by default, an EXR made from an "
                 "EXR keeps its compression")
          .param("quality", &C::quality,
                 range(EncodeOptions::lowest_quality, EncodeOptions::highest_quality),
                 quality_help())
          .param("background", &C::background,
                 "linear colour under transparent pixels if the format has no alpha")
          .param("metadata", &C::metadata, "which EXIF, XMP, IPTC and other entries are kept")
          .param("set", &C::set,
                 "change an entry, named as by cuimg info, such as Author or exif:LensModel; may "
                 "be repeated, also for several iptc:Keywords; an empty value removes the entry")
          .param("in-place", &C::in_place,
                 "replace each input by its own result; all files are then inputs; refused with "
                 "--part if a file has other parts, which would be lost")
          .param("no-clobber", &C::no_clobber, "refuse to replace an existing file")
          .group(input_group)
          .param("part", &C::part, suggestions(part_suggestions),
                 "part of an EXR, page of a TIFF or frame, by number from 0 or by name; default "
                 "all if the output holds several, else the first")
          .param("mip-level", &C::mip_level, any_count, "level of a mipmapped EXR")
          .param("layers", &C::layers,
                 "layers that stages change, such as diffuse, RGBA or 'light_*'; default all, or "
                 "all colour layers for stages that work on colour; if a name belongs to colour "
                 "and to depth, such stages take the colour; other layers stay as they are, except "
                 "for the shared data window, or are dropped if the picture's size changes; a "
                 "format with a single layer gets one of the named layers, and convert writes only "
                 "these; refused with --in-place if others would be lost")
          .param(
              "raw", &C::raw,
              "use values as they are stored: no curves, profiles, primaries or premultiplication; "
              "CMYK still becomes RGB, by (1 - ink)(1 - K)")
          .param("icc", &C::icc, placeholder("HOW"),
                 "how integers are converted by the file's ICC profile")
          .param("icc-intent", &C::icc_intent, placeholder("INTENT"),
                 "rendering intent of the profile")
          .param("icc-black-point", &C::icc_black_point,
                 "black point compensation: the profile's black becomes black; for all intents "
                 "except absolute")
          .param("cryptomatte", &C::cryptomatte, placeholder("WHAT"),
                 "what a stage that mixes pixels does with Cryptomatte's ids and coverages")
          .param(
              "limit-pixels", &C::limit_pixels, at_least(1), unit("pixels"),
              "largest number of pixels of an image; all parts of a file or frames of an animation "
              "together may have " +
                  std::to_string(pixels_of_parts_in_limit) +
                  " times as many, but only as many as one image if that exceeds " +
                  std::to_string(pixels_of_parts_in_byte) +
                  " pixels for each byte of the file; a side may always have at most " +
                  std::to_string(largest_side) + " pixels")
          .group("Options for many inputs")
          .param("recursive", &C::recursive, short_name('r'),
                 "descend into folders and keep their tree; the output folder and links to folders "
                 "are left out, with a warning")
          .param("include", &C::include,
                 "in folders, use only files that match a pattern, such as '*.exr' or 'beauty/**'; "
                 "explained by cuimg help options; may be given several times")
          .param("exclude", &C::exclude,
                 "in folders, leave out files and whole folders that match a pattern, even if "
                 "--include takes them; may be given several times")
          .param("files-from", &C::files_from, file(), placeholder("LIST"),
                 "a file that lists more inputs, one name a line; - is standard input")
          .param("null", &C::null, short_name('0'), "names in --files-from end with NUL")
          .param("frames", &C::frames,
                 "frames of an input such as in.####.exr or in.%04d.exr; default all from the "
                 "first to the last that exists; a stage's file, such as --with bg.####.exr, is "
                 "read at the input's frame")
          .param("missing", &C::missing, placeholder("HOW"),
                 "what to do if a frame of an input or of a stage's file is missing; skip also "
                 "leaves out inputs without a file of their own, as in --with 'masks/{stem}.png'")
          .param("jobs", &C::jobs, short_name('j'), range(0, 1024),
                 "number of images worked on at a time; 0: as many as keep the threads busy")
          .param("shard", &C::shard,
                 "do only every N-th input, starting with the I-th, counted from 0; auto takes I "
                 "and N from Slurm, MPI or the cloud's array job; auto/N takes only I")
          .param("skip-existing", &C::skip_existing,
                 "skip inputs whose output exists and was made by the same stages and options from "
                 "the same files (by size and time)")
          .param("fail-fast", &C::fail_fast, "stop at the first error")
          .group("Where it runs")
          .param("device", &C::device, suggestions(device_suggestions),
                 std::string(device_words) +
                     "; cuda uses every card and shares the images out among them; both runs on "
                     "the CPU and a card and compares every byte")
          .param("threads", &C::threads, range(0, 4096),
                 "number of CPU threads; 0: all that this process may use")
          .param("max-memory", &C::max_memory,
                 "host memory for all images that are worked on; fewer images are then worked on "
                 "at a time, and what one image needs beyond it lies in --scratch; " +
                     std::string(byte_count_words) +
                     "; default half of the free memory, for pixels alone")
          .param("max-card-memory", &C::max_card_memory,
                 "memory for pixels on each card; larger images are made in tiles; default three "
                 "quarters of the card's memory")
          .param("scratch", &C::scratch, file(), placeholder("DIR"),
                 "folder for pixels beyond --max-memory, in files that are removed automatically; "
                 "default TMPDIR, else /var/tmp")
          .group("Reports")
          .param("dry-run", &C::dry_run,
                 "open the inputs, print what would be done with each, and write nothing")
          .param("explain", &C::explain, "print every decision")
          .param("timing", &C::timing, "print where the time went, summed over the images")
          .param("trace", &C::trace, file(), placeholder("FILE"),
                 "record when each thread and card did what, as JSON for Perfetto and "
                 "chrome://tracing")
          .param("json", &C::json,
                 "print reports as JSON, one object a line: one for each image, with its time, "
                 "size and error, and a summary that counts all images; for stats and histogram "
                 "one for each image, or for each of its parts, with the results")
          .param("progress", &C::progress, placeholder("WHEN"), "show progress")
          .param("quiet", &C::quiet, short_name('q'), "print errors only")
          .param("verbose", &C::verbose, short_name('v'), "print warnings and notes too")
          .param("help", &C::help, short_name('h'), "print this help");
  return description;
}

bool is_of_output(const Parameter& parameter) { return parameter.group == output_group; }
bool is_of_input(const Parameter& parameter) { return parameter.group == input_group; }

void check_common(const CommonOptions& common) {
  if (common.quiet && common.verbose)
    throw Error("--quiet", "--verbose is given too", "give one of them");
  if (common.icc_black_point && common.icc_intent == IccIntent::absolute)
    throw Error("--icc-black-point", "--icc-intent absolute is given too",
                "absolute colours keep their black; choose another intent");
  const bool renders =
      IccRendering{common.icc, common.icc_intent, common.icc_black_point} != IccRendering{};
  if (common.raw && renders)
    throw Error("--raw", "an option for ICC profiles is given too",
                "leave out --icc, --icc-intent and --icc-black-point: raw values ignore profiles");
  if (!common.scratch.empty() && !std::filesystem::is_directory(common.scratch))
    throw Error("--scratch", common.scratch + " is no folder", "name one that exists");
  if (common.null && common.files_from.empty())
    throw Error("-0", "--files-from is not given", "name the list");
}

}  // namespace cuimg
