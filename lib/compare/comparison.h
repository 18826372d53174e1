// SPDX-License-Identifier: Apache-2.0
// The result of comparing two pictures: the verdict with its reasons, and the figures of every
// layer. Reports are written from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "compare/metrics/measures.h"
#include "image/rect.h"

namespace cuimg {

enum class Verdict : std::uint8_t {
  same,     ///< All limits hold.
  differs,  ///< At least one limit is exceeded.
  error,    ///< One of the two files could not be read, or is not a picture.
};
/// "same", "differs", "error".
std::string_view name_of(Verdict verdict);

/// The reason for a verdict other than `same`, or a warning.
struct Reason {
  std::string
      code;  ///< For programs: "pixels", "size", "missing", "fail-psnr", "unreadable", "mask".
  std::string text;  ///< For people: "size is 8x4, golden has 4x4".
  friend bool operator==(const Reason&, const Reason&) = default;
};

/// Thrown if options leave nothing to compare, or if a mask or regions cannot be used.
class NotComparable : public Error {
 public:
  /// @param code as Reason::code.
  NotComparable(std::string code, const std::string& place, const std::string& problem,
                const std::string& advice = "")
      : Error(place, problem, advice), code_(std::move(code)) {}
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

/// The option that forgave a pixel, in a ForgivenMap.
enum class ForgivenBy : std::uint8_t { nothing, ignored, shifted, antialiased, non_finite };

/// The pixels of a layer that options forgave: a ForgivenBy for each pixel of the window, row by
/// row.
struct ForgivenMap {
  /// The area that was compared, in which a picture counts as black where it has no pixel; empty if
  /// nothing was compared.
  Rect window;
  std::vector<std::uint8_t> pixels;  ///< Empty if no pixel was forgiven.

  void mark(std::size_t pixel, ForgivenBy by) {
    if (pixels.empty()) pixels.resize(static_cast<std::size_t>(window.pixels()));
    pixels[pixel] = static_cast<std::uint8_t>(by);
  }
};

/// A distance in pixels, to the right and down.
struct Shift {
  int x = 0, y = 0;
  friend bool operator==(const Shift&, const Shift&) = default;
};

/// One layer of one part.
struct LayerComparison {
  int part = 0, layer = 0;
  /// The level of a mip or rip map: "3", "2,1". Empty: the full-size picture.
  std::string level;
  std::string part_name;  ///< Often empty.
  std::string name;       ///< "diffuse", or the channels "RGBA" of a layer without a name.
  bool is_color = false, holds_ids = false;
  Differences differences;
  std::vector<MetricValue> metrics;
  /// FLIP's error of each pixel, row by row; HDR-FLIP's for HDR. Empty unless
  /// CompareOptions::keeps_flip_maps is set, the metric was measured and a pixel differs.
  std::vector<float> flip_map = {};
  /// Only with CompareOptions::keeps_forgiven_maps, for the golden's layer `golden_layer`.
  ForgivenMap forgiven = {};
  int golden_layer = 0;  ///< Equal to `layer` unless only some channels are in both pictures.
};

/// The numbers of pixels that options forgave.
struct Forgiven {
  std::uint64_t ignored = 0;      ///< --ignore and --mask.
  std::uint64_t shifted = 0;      ///< --allow-shift.
  std::uint64_t antialiased = 0;  ///< --antialiasing.
  std::uint64_t non_finite = 0;   ///< Values, for --allow-non-finite.
};

/// The value of that name; nothing if it does not exist or is not defined.
std::optional<double> value_named(const std::vector<MetricValue>& metrics, std::string_view name);

/// "part left: " or "part 3: ": the name of a layer's or a position's part in texts.
std::string part_prefix(int part, const std::string& name);

/// The content of the pictures that was compared, if --layers, --ignore-layers or --part are given.
struct ComparedContent {
  std::vector<std::string> layers = {};   ///< Names and patterns; none: all.
  std::vector<std::string> ignored = {};  ///< Layers that are not compared, in the same form.
  std::string part = {};                  ///< A number or a name; empty: all.
  /// Labels of the layers that are, and are not, compared; filled in if options select layers.
  std::vector<std::string> compared = {}, left_out = {};

  bool are_all_layers() const { return layers.empty() && ignored.empty(); }
  bool is_all() const { return are_all_layers() && part.empty(); }
};

struct Comparison {
  std::string name;            ///< The pair's name in reports: its path relative to both folders.
  std::string golden, result;  ///< Names of the files; empty for images in memory.
  Verdict verdict = Verdict::same;
  std::vector<Reason> reasons;   ///< Empty if the verdict is `same`.
  std::vector<Reason> warnings;  ///< They do not change the verdict.
  /// Differences that an --allow option accepted, one line each.
  std::vector<std::string> allowed;
  ComparedContent content;  ///< The compared content of the pictures.
  std::string lone;         ///< "missing" or "extra": one file has no counterpart.
  /// The reason why a rule skips the pair: then nothing was compared, and the verdict is `same`.
  std::string skipped;
  /// Whether one of the files has several parts, so that texts name the parts.
  bool has_several_parts = false;
  /// Whether the files' bytes are equal; then no pixel was decoded.
  bool equal_bytes = false;
  std::vector<LayerComparison> layers;
  /// For the pair: the worst of all layers, with counts added up.
  std::vector<MetricValue> metrics;
  std::uint64_t pixels = 0, pixels_differing = 0, pixels_failing = 0, mismatches = 0;
  Forgiven forgiven;
  std::optional<ValuePlace> first, worst;  ///< In the first layer that differs; in all layers.
  std::string first_level, worst_level;    ///< Their levels, as in LayerComparison::level.
  std::string variant;  ///< The accepted golden that matched best, if there are several.
  std::string device;   ///< The device that measured, and the reason, with --explain.
  std::string rule;     ///< The sections of .cuimg-compare files that set options, with --explain.

  /// Adds a difference: a reason, or a note if an option accepts it.
  void add(const char* code, const std::string& text, bool is_allowed) {
    if (is_allowed)
      allowed.push_back(text);
    else
      reasons.push_back({code, text});
  }
  /// The pair's metric of that name; nothing if it was not measured or is not defined.
  std::optional<double> metric(std::string_view wanted) const {
    return value_named(metrics, wanted);
  }
};

}  // namespace cuimg
