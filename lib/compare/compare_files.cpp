// SPDX-License-Identifier: Apache-2.0
#include "compare/compare_files.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <future>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/bytes.h"
#include "base/contains.h"
#include "base/error.h"
#include "compare/aligned_pair.h"
#include "compare/compared_content.h"
#include "compare/devices_agree.h"
#include "compare/levels.h"
#include "compare/metrics/metric.h"
#include "compare/part_comparison.h"
#include "compare/unread.h"
#include "compare/verdict.h"
#include "io/codec.h"
#include "options/parameter.h"

namespace cuimg {
namespace {

bool is_absent(const std::string& path) {
  std::error_code unknown;
  return path != "-" && std::filesystem::symlink_status(path, unknown).type() ==
                            std::filesystem::file_type::not_found;
}

// The text that Git stores instead of a large file that was not fetched.
void refuse_lfs_pointer(const ByteSource& source, const char* which) {
  constexpr std::string_view start = "version https://git-lfs.github.com/spec/";
  if (begins_with(source.bytes(), start))
    throw Error(source.name(), std::string(which) + " is a Git LFS pointer, not a picture",
                "run git lfs pull");
}

bool same_bytes(const ByteSource& a, const ByteSource& b) {
  return text_of_bytes(a.bytes()) == text_of_bytes(b.bytes());
}

// For files with equal bytes only the headers are read. A file that is not a picture, or is
// refused, is an error even if it is compared with its copy, and so is a mask that does not fit.
void compare_headers(const std::shared_ptr<const ByteSource>& source, const PairOptions& options,
                     Comparison& comparison) {
  const Limits& limits = options.limits;
  DecodeOptions decode = options.decode;
  const std::optional<Image> own_mask =
      limits.mask.empty() ? std::nullopt : std::optional(read_mask(limits.mask, decode));
  const Image* const mask = own_mask ? &*own_mask : options.compare.mask;
  decode.notify = decode.warn = {};  // no pixel is used
  const std::unique_ptr<ImageFile> file = open_file(source, decode);
  Comparison figures;
  const PartList parts = part_list(*file);
  for (const auto& [part, same_part] : pair_parts(parts, parts, comparison.content).both) {
    const std::unique_ptr<Decoder> picture = file->open(part);
    const LayerChoice layers(comparison.content, &picture->spec(), nullptr);
    ignored_pixels(picture->spec().data_window, limits.ignore, mask, comparison);
    add_equal_part(layers.of(picture->spec()), limits, options.compare, figures);
  }
  summarize(figures);
  comparison.metrics = std::move(figures.metrics);
}

// Runs both at the same time, since each waits for the disk and has parts that use one thread; one
// after the other if the system has no thread left.
template <class First, class Second>
void at_once(const First& first, const Second& second) {
  std::future<void> other;
  try {
    other = std::async(std::launch::async, second);
  } catch (const std::system_error&) {
    first();
    return second();
  }
  first();
  other.get();
}

// Completes the pictures of a part that was compared: moves them and their maps to each other.
// Takes the maps of the part's layers, so that a comparison stays small.
void complete(Comparison& comparison, int part, DecodedPair::Part& to) {
  for (LayerComparison& layer : comparison.layers) {
    if (layer.part != part) continue;
    move_onto_golden(to);
    const auto at = static_cast<std::size_t>(layer.golden_layer);
    to.flip.resize(std::max(to.flip.size(), at + 1));
    to.flip[at] = std::exchange(layer.flip_map, {});
    to.forgiven.resize(to.flip.size());
    to.forgiven[at] = std::exchange(layer.forgiven, {});
  }
}

bool differs_in_pixels(const Comparison& comparison, int part) {
  return std::ranges::any_of(comparison.layers, [&](const LayerComparison& layer) {
    return layer.part == part && layer.differences.differing > 0;
  });
}

// The options for reading one of the two files: its warnings are passed on and collected. Both
// files are read at the same time, each by its own thread.
class ReaderOptions {
 public:
  /// @param name of the file, which the pair already contains.
  ReaderOptions(const DecodeOptions& decode, std::string which, const std::string& name)
      : options_(decode), which_(std::move(which)) {
    options_.sums_stored = true;
    const Notify line = decode.warn ? decode.warn : decode.notify;
    options_.warn = [this, line, start = name + ": "](const std::string& what) {
      const Reason warning = {
          "reading", which_ + (what.starts_with(start) ? what.substr(start.size()) : what)};
      // If layers are chosen, a part is opened twice.
      if (contains(warnings_, warning)) return;
      warnings_.push_back(warning);
      if (line) line(what);
    };
  }
  ReaderOptions(const ReaderOptions&) = delete;
  ReaderOptions& operator=(const ReaderOptions&) = delete;

  const DecodeOptions& get() const { return options_; }
  void add_warnings(Comparison& comparison) const {
    comparison.warnings.insert(comparison.warnings.end(), warnings_.begin(), warnings_.end());
  }

 private:
  DecodeOptions options_;
  const std::string which_;
  std::vector<Reason> warnings_;
};

// The options for comparing a pair of files.
struct PairRun {
  const Limits& limits;
  const CompareOptions& options;
  const DecodeOptions& decode;
  Measurer& measurer;
  Comparison& comparison;
  DecodedPair* kept;  ///< Null: pictures are not kept.
  bool equal_bytes;   ///< Whether the files' bytes are equal.

  /// Compares two pictures and adds to `found`.
  /// @returns the device that measured.
  std::string compare_pictures(const PartPair& parts, Comparison& found) const {
    const Comparison before = found;
    return measurer.run(comparison.result, measuring_cost(parts, limits, options),
                        [&](const Queue& queue) {
                          found = before;
                          compare_part(parts, limits, options, queue, found);
                        });
  }

  void compare_parts(const OpenedPart& part) const {
    // Content that a reader leaves out is not a layer that --layers could name.
    const bool may_differ = limits.allow_parts || !comparison.content.are_all_layers();
    compare_left_out(part, decode, may_differ, equal_bytes, comparison);
    try {
      compare_pixels(part);
    } catch (const NotComparable& error) {
      if (part.prefix.empty()) throw;
      throw NotComparable(error.code(), "part " + part_text(part.number, part.name), error.what());
    } catch (const Error& error) {
      if (part.prefix.empty()) throw;
      throw Error("part " + part_text(part.number, part.name), error.what());
    }
  }

  void compare_pixels(const OpenedPart& part) const {
    const Spec &golden = part.golden.spec(), &result = part.result.spec();
    Image golden_picture, result_picture;
    const LayerChoice layers(comparison.content, &golden, &result);
    at_once([&] { golden_picture = layers.of(decoded(part.golden)); },
            [&] { result_picture = layers.of(decoded(part.result)); });
    const std::string device =
        compare_pictures({golden_picture, result_picture, part.number}, comparison);
    // The sums of stored samples cover all layers.
    const bool are_all = layers.are_all_of(golden) && layers.are_all_of(result);
    if (are_all && !differs_in_pixels(comparison, part.number))
      compare_stored(part, limits, comparison);
    if (options.names_device) comparison.device = device;
    if (kept != nullptr) {
      kept->parts.push_back(
          {part.name, std::move(golden_picture), std::move(result_picture), part.number});
      complete(comparison, part.number, kept->parts.back());
    }
    golden_picture = {};
    result_picture = {};
    compare_levels(part, layers);
  }

  // Compares smaller levels, up to the first that fails, even if the picture itself differs.
  void compare_levels(const OpenedPart& part, const LayerChoice& layers) const {
    const Spec &golden = part.golden.spec(), &result = part.result.spec();
    const std::vector<LevelId> levels = levels_of(golden), others = levels_of(result);
    if (levels.size() == 1 && others.size() == 1) return;
    if (levels != others)
      comparison.add("levels",
                     "the file has " + levels_text(result) + ", the golden " + levels_text(golden),
                     limits.allow_levels);
    // Regions and masks refer to the full-size picture.
    const bool is_masked = options.mask != nullptr || !limits.ignore.all.empty();
    if (limits.allow_levels || is_masked) {
      comparison.allowed.push_back(std::string("only the largest level was compared") +
                                   (limits.allow_levels ? "" : ", because of --ignore or --mask"));
      return;
    }
    for (std::size_t i = 1; i < levels.size() && comparison.reasons.empty(); ++i) {
      const LevelId id = levels[i];
      Image golden_level, result_level;
      at_once([&] { golden_level = layers.of(level_of(part.golden, id)); },
              [&] { result_level = layers.of(level_of(part.result, id)); });
      Comparison found;
      found.has_several_parts = comparison.has_several_parts;
      compare_pictures({golden_level, result_level, part.number}, found);
      const std::string level = level_name(golden, id);
      DecodedPair::Part pictures = {part.name, std::move(golden_level), std::move(result_level),
                                    part.number, level};
      if (kept != nullptr) complete(found, part.number, pictures);
      if (kept != nullptr && !(found.reasons.empty() && found.warnings.empty()))
        kept->parts.push_back(std::move(pictures));
      add_level(level, std::move(found), comparison);
    }
  }
};

void compare_opened(std::shared_ptr<const ByteSource> golden,
                    std::shared_ptr<const ByteSource> result, const PairOptions& given,
                    Measurer& measurer, Comparison& comparison, DecodedPair* decoded) {
  const auto& [limits, compare, decode] = given;
  CompareOptions options = compare;
  options.also_on = measurer.also();
  options.limit_pixels = decode.limit_pixels;
  options.keeps_flip_maps = options.keeps_forgiven_maps = decoded != nullptr;
  Image mask;
  if (!limits.mask.empty()) {
    mask = read_mask(limits.mask, decode);
    options.mask = &mask;
  }
  const bool equal_bytes = same_bytes(*golden, *result);
  const ReaderOptions of_golden(decode, "golden: ", golden->name());
  const ReaderOptions of_result(decode, "result: ", result->name());
  const std::unique_ptr<ImageFile> a = open_file(std::move(golden), of_golden.get());
  const std::unique_ptr<ImageFile> b = open_file(std::move(result), of_result.get());
  comparison.has_several_parts = a->part_count() > 1 || b->part_count() > 1;
  const PartList goldens = part_list(*a), results = part_list(*b);
  const PartPairs pairs = pair_parts(goldens, results, comparison.content);
  judge_lone_parts(pairs, goldens, results, limits, comparison);
  DecodedPair kept;
  const PairRun run{limits,     options,    decode,
                    measurer,   comparison, decoded != nullptr ? &kept : nullptr,
                    equal_bytes};
  for (const auto& [i, j] : pairs.both) {
    const std::string name = a->summary(i).name;
    const std::unique_ptr<Decoder> result_part = b->open(j), golden_part = a->open(i);
    run.compare_parts({*golden_part, *result_part, i, name,
                       comparison.has_several_parts ? part_prefix(i, name) : ""});
  }
  of_golden.add_warnings(comparison);
  of_result.add_warnings(comparison);
  if (decoded == nullptr) return;
  add_lone_parts(a.get(), b.get(), pairs, comparison.content, kept);
  *decoded = std::move(kept);
}

Comparison not_yet_compared(const std::string& golden, const std::string& result,
                            const Limits& limits) {
  Comparison comparison;
  comparison.golden = golden;
  comparison.result = result;
  comparison.content = content_of(limits);
  return comparison;
}

Comparison failed(Comparison comparison, const std::string& code, const std::string& text) {
  comparison.verdict = Verdict::error;
  comparison.reasons = {{code, text}};
  return comparison;
}

}  // namespace

std::vector<std::string> metric_names(const std::vector<std::string>& given) {
  std::vector<std::string> known, names;
  for (const Metric* metric : metrics()) known.emplace_back(metric->name);
  for (const std::string& name : given) {
    if (name == all_metrics) {
      names.insert(names.end(), known.begin(), known.end());
    } else if (!contains(known, name)) {
      std::string all(all_metrics);
      for (const std::string& word : known) all += ", " + word;
      throw Error("compare", "--metric " + name + " is not known",
                  did_you_mean(name, known, "use " + all));
    } else {
      names.push_back(name);
    }
  }
  return names;
}

Image read_mask(const std::string& path, const DecodeOptions& decode) {
  try {
    return read_image(path, decode);
  } catch (const Error& error) {
    throw NotComparable("mask", "--mask", error.what());
  }
}

void check_golden(const std::string& golden, DecodeOptions decode) {
  decode.notify = decode.warn = {};
  const auto source = ByteSource::open(golden);
  refuse_lfs_pointer(*source, "the golden");
  open_file(source, decode);
}

Comparison lone_file(const std::string& golden, const std::string& result, bool is_golden,
                     const Limits& limits) {
  Comparison comparison = not_yet_compared(golden, result, limits);
  comparison.lone = is_golden ? "missing" : "extra";
  if (is_golden)
    comparison.add("missing", "the result is missing", limits.allow_missing);
  else
    comparison.add("extra", "there is no golden", limits.allow_extra);
  decide(comparison);
  return comparison;
}

Comparison compare_files(const std::string& golden, const std::string& result,
                         const PairOptions& options, Measurer& measurer, DecodedPair* decoded) {
  const Limits& limits = options.limits;
  Comparison comparison = not_yet_compared(golden, result, limits);
  try {
    const bool no_golden = is_absent(golden), no_result = is_absent(result);
    if (no_golden && no_result)
      return failed(comparison, "unreadable",
                    "neither " + printable(golden) + " nor " + printable(result) + " is there");
    if (no_golden != no_result) return lone_file(golden, result, no_result, limits);
    const auto a = ByteSource::open(golden);
    const auto b = ByteSource::open(result);
    refuse_lfs_pointer(*a, "the golden");
    refuse_lfs_pointer(*b, "the result");
    if (limits.nan == NanRule::same && same_bytes(*a, *b)) {
      a->check_complete();
      b->check_complete();
      compare_headers(a, options, comparison);
      comparison.equal_bytes = true;
      return comparison;
    }
    a->read_whole([&] {
      b->read_whole([&] { compare_opened(a, b, options, measurer, comparison, decoded); });
    });
    summarize(comparison);
    decide(comparison);
    return comparison;
  } catch (const NotComparable& error) {
    return failed(comparison, error.code(), printable(result) + ": " + printable(error.what()));
  } catch (const DevicesDisagree& error) {
    return failed(comparison, "devices", printable(error.what()));
  } catch (const DeviceError& error) {
    return failed(comparison, "device", printable(error.what()));
  } catch (const std::bad_alloc&) {
    return failed(comparison, "unreadable", "out of memory");
  } catch (const std::exception& error) {
    return failed(comparison, "unreadable", printable(error.what()));
  }
}

}  // namespace cuimg
