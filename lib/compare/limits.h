// SPDX-License-Identifier: Apache-2.0
// How much a result may differ from its golden, and what is ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compare/metrics/measures.h"
#include "compare/metrics/metric_options.h"
#include "image/rect.h"
#include "options/parameter.h"

namespace cuimg {

/// Regions in absolute coordinates, as `x,y,w,h`; each use of the option adds one.
struct IgnoredRegions {
  std::vector<Rect> all;
  void gather(IgnoredRegions more) { all.insert(all.end(), more.all.begin(), more.all.end()); }
  friend bool operator==(const IgnoredRegions&, const IgnoredRegions&) = default;
};
void parse_value(const std::string& text, const Range& range, IgnoredRegions& value);
std::string format_value(const IgnoredRegions& value);
constexpr TypeName type_name(const IgnoredRegions&) { return {"region", "X,Y,W,H"}; }

/// Whether NaN in both pictures passes.
enum class NanRule : std::uint8_t { same, fails };
std::span<const Choice<NanRule>> choices_of(NanRule);

/// The number of a FLIP map to which a limit applies: the mean, or a weighted percentile.
struct FlipStatistic {
  static constexpr double mean = -1;
  /// The percentage of the errors' sum that errors up to this percentile contribute, 0 to 100: 0 is
  /// the smallest error, 100 the largest. Or `mean`.
  double percent = mean;
  friend bool operator==(const FlipStatistic&, const FlipStatistic&) = default;
};
void parse_value(const std::string& text, const Range& range, FlipStatistic& value);
std::string format_value(const FlipStatistic& value);
constexpr TypeName type_name(const FlipStatistic&) { return {"statistic", "mean|median|PERCENT"}; }

/// Limits of a comparison. Without any limit, a single differing pixel fails. Limits replace this
/// rule, and all given limits must hold. A value that is not a number passes no limit.
struct Limits {
  // What is compared.
  std::vector<std::string> layers = {};         ///< Names of layers, or patterns; none: all.
  std::vector<std::string> ignore_layers = {};  ///< Those of these layers that are not compared.
  /// One of several parts, by number or by name; empty: all.
  std::string part = {};

  // A value that exceeds one of these fails, and so does its pixel.
  std::optional<float> fail = {};             ///< |a - b|, integers as v / largest.
  std::optional<float> fail_relative = {};    ///< |a - b| / max(|a|, |b|), which is 1 at most.
  std::optional<std::uint64_t> max_ulp = {};  ///< Distance in representable values.
  // How many pixels may fail. Without both of these, none may.
  std::optional<double> fail_percent = {};
  std::optional<std::uint64_t> fail_count = {};
  /// No value may differ by more, whatever the number of failing pixels.
  std::optional<float> hard_fail = {};
  /// Percent of failing pixels in any square with that side.
  std::optional<double> fail_density = {};
  int density_window = 32;

  // The same for warnings.
  std::optional<float> warn = {}, warn_relative = {}, hard_warn = {};
  std::optional<double> warn_percent = {};
  std::optional<std::uint64_t> warn_count = {};

  // Limits of whole pictures. They are doubles like the metrics, so a figure from a report passes
  // as the limit.
  std::optional<double> fail_psnr = {};  ///< Decibels, a lower limit.
  /// A lower limit; for the lowest of luminance and channels.
  std::optional<double> fail_ssim = {};
  std::optional<double> fail_flip = {};  ///< An upper limit; HDR-FLIP for half and float pictures.
  FlipStatistic flip_statistic = {};

  // Options for what is ignored.
  NanRule nan = NanRule::same;
  IgnoredRegions ignore = {};
  /// A file: pixels that are 0 in all its channels are ignored. Only for functions on files; for
  /// images there is CompareOptions::mask.
  std::string mask = {};
  bool allow_shift = false;   ///< Allows pixels whose value is at most one pixel away.
  bool antialiasing = false;  ///< Allows pixels that are smoothed edges in either picture.

  // Other allowed differences.
  bool allow_size = false, allow_windows = false, allow_channels = false, allow_types = false;
  bool allow_parts = false, allow_encoding = false, allow_non_finite = false;
  bool allow_levels = false;  ///< In files with mip or rip levels only the largest is compared.
  bool allow_missing = false, allow_extra = false;

  /// Whether there is a limit on pixels, or no limit at all: then pixels must be equal.
  bool limits_pixels() const;
  /// Whether every pixel must be equal: no limit allows errors, and none is forgiven.
  bool wants_equal_pixels() const;
};

/// @param place the beginning of an error. @throws Error for options that contradict each other.
void check_limits(const Limits& limits, const std::string& place = "compare");

/// The limits in the form that a loop over values uses. Limits that are not given are infinite;
/// without any limit on values, a value that differs fails.
ValueLimits value_limits(const Limits& limits);

}  // namespace cuimg
