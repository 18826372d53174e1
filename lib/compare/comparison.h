// SPDX-License-Identifier: Apache-2.0
// The result of comparing two pictures: the verdict with its reasons, and the figures of every
// layer. Reports are written from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/metrics/measures.h"
#include "image/rect.h"

namespace cuimg {

enum class Verdict : std::uint8_t {
  same,     ///< All limits hold.
  differs,  ///< At least one does not.
  error,    ///< One of the two could not be read, or is not a picture.
};
/// "same", "differs", "error".
std::string_view name_of(Verdict verdict);

/// Why a verdict is not `same`, or a warning.
struct Reason {
  std::string
      code;  ///< For programs: "pixels", "size", "missing", "fail-psnr", "unreadable", "mask".
  std::string text;  ///< For people: "size is 8x4, golden has 4x4".
  friend bool operator==(const Reason&, const Reason&) = default;
};

/// The option that forgave a pixel, in a ForgivenMap.
enum class ForgivenBy : std::uint8_t { nothing, ignored, shifted, antialiased, non_finite };

/// Which pixels of a layer options forgave: a ForgivenBy for each of the window's, row by row.
struct ForgivenMap {
  /// What was compared, where a picture without a pixel is black; empty: nothing was.
  Rect window;
  std::vector<std::uint8_t> pixels;  ///< Empty: none was forgiven.

  void mark(std::size_t pixel, ForgivenBy by) {
    if (pixels.empty()) pixels.resize(static_cast<std::size_t>(window.pixels()));
    pixels[pixel] = static_cast<std::uint8_t>(by);
  }
};

/// One layer of one part.
struct LayerComparison {
  int part = 0, layer = 0;
  std::string level;      ///< Of a mip or rip map: "3", "2,1". Empty: the picture itself.
  std::string part_name;  ///< Often empty.
  std::string name;       ///< "diffuse", or the channels "RGBA" of a layer without a name.
  bool is_color = false, holds_ids = false;
  Differences differences;
  std::vector<MetricValue> metrics;
  /// FLIP's error of each pixel, row by row; HDR-FLIP's of HDR. Empty unless
  /// CompareOptions::keeps_flip_maps, and where the metric was not measured.
  std::vector<float> flip_map = {};
  /// With CompareOptions::keeps_forgiven_maps, of the golden's layer `golden_layer`.
  ForgivenMap forgiven = {};
  int golden_layer = 0;  ///< `layer`, unless only some channels are in both pictures.
};

/// How many pixels options forgave.
struct Forgiven {
  std::uint64_t ignored = 0;      ///< --ignore and --mask.
  std::uint64_t shifted = 0;      ///< --allow-shift.
  std::uint64_t antialiased = 0;  ///< --antialiasing.
  std::uint64_t non_finite = 0;   ///< Values: --allow-non-finite.
};

/// The value of that name; nothing where it is not there or not defined.
std::optional<double> value_named(const std::vector<MetricValue>& metrics, std::string_view name);

/// "part left: " or "part 3: ": how texts name the part of a layer or a place.
std::string part_prefix(int part, const std::string& name);

/// What of the pictures was compared, where --layers, --ignore-layers or --part choose.
struct ComparedContent {
  std::vector<std::string> layers = {};   ///< Names and patterns; none: all.
  std::vector<std::string> ignored = {};  ///< Of layers that are not, in the same way.
  std::string part = {};                  ///< A number or a name; empty: all.
  /// Labels of the layers that are, and are not, compared; filled in where options choose.
  std::vector<std::string> compared = {}, left_out = {};

  bool are_all_layers() const { return layers.empty() && ignored.empty(); }
  bool is_all() const { return are_all_layers() && part.empty(); }
};

struct Comparison {
  std::string name;            ///< Of the pair in reports: its path below both folders.
  std::string golden, result;  ///< Names of the files; empty for images in memory.
  Verdict verdict = Verdict::same;
  std::vector<Reason> reasons;   ///< Empty when the verdict is `same`.
  std::vector<Reason> warnings;  ///< Do not change the verdict.
  std::vector<std::string>
      allowed;                     ///< Differences that an --allow option accepted, one line each.
  ComparedContent content;         ///< What of the pictures was compared.
  std::string lone;                ///< "missing" or "extra": one file has no partner.
  bool has_several_parts = false;  ///< One of the files has: texts name the parts.
  bool equal_bytes = false;        ///< The files are; no pixel was decoded.
  std::vector<LayerComparison> layers;
  /// Of the pair: the worst of all layers, counts added up.
  std::vector<MetricValue> metrics;
  std::uint64_t pixels = 0, pixels_differing = 0, pixels_failing = 0, mismatches = 0;
  Forgiven forgiven;
  std::optional<ValuePlace> first, worst;  ///< Of the first layer that differs; of all layers.
  std::string first_level, worst_level;    ///< Where these lie, as LayerComparison::level.
  std::string variant;  ///< The accepted golden that matched best, where there are several.
  std::string device;   ///< Where its figures were measured and why, with --explain.
  std::string rule;     ///< Which sections of .cuimg-compare files gave what, with --explain.

  /// Adds a difference: a reason, or a note if an option accepts it.
  void add(const char* code, const std::string& text, bool is_allowed) {
    if (is_allowed)
      allowed.push_back(text);
    else
      reasons.push_back({code, text});
  }
  /// The pair's metric of that name; nothing where it was not measured or is not defined.
  std::optional<double> metric(std::string_view wanted) const {
    return value_named(metrics, wanted);
  }
};

}  // namespace cuimg
