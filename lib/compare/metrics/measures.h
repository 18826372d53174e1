// SPDX-License-Identifier: Apache-2.0
// Figures of two layers: the results of one pass over the values, and named metrics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cuimg {

/// A value in both pictures. Integers are v / largest, ids unchanged.
struct ValuePlace {
  int part = 0;              ///< Number of the part in the golden.
  int layer = 0;             ///< The layer's index in that part.
  int channel = 0;           ///< The index among the layer's channels that are compared.
  std::string channel_name;  ///< "diffuse.R".
  int x = 0, y = 0;          ///< Absolute, in the coordinates of the data window.
  double golden = 0, result = 0;
  /// The whole pixel, with a value for each channel of the layer.
  std::vector<double> golden_pixel = {}, result_pixel = {};
};

/// The results of one pass over two layers of the same shape.
struct Differences {
  std::uint64_t pixels = 0;     ///< Pixels that are compared: all except the ignored ones.
  std::uint64_t values = 0;     ///< Pixels multiplied by channels.
  std::uint64_t differing = 0;  ///< Pixels with a value that differs.
  std::uint64_t failing = 0;    ///< Pixels with a value that exceeds a limit.
  std::uint64_t hard_failing = 0, warning = 0, hard_warning = 0;
  std::uint64_t mismatches =
      0;  ///< Values that are not finite in one picture and different in the other.
  std::uint64_t nans = 0;      ///< Values that are NaN in both; counted if Limits::nan requires it.
  std::uint64_t left_out = 0;  ///< Values that are NaN, or the same infinity, in both.
  double max_absolute = 0;     ///< Over finite values, integers as v / largest.
  double max_relative = 0;     ///< |a - b| / max(|a|, |b|), at most 1.
  std::uint32_t max_ulp = 0;   ///< Distance in representable values; for integers in codes.
  double sum_of_squares = 0;   ///< Over differences of finite values.
  std::optional<ValuePlace> first, worst;

  /// The number of values in a mean: values without a defined difference are left out.
  std::uint64_t values_of_means() const {
    const std::uint64_t without = mismatches + left_out;
    return values > without ? values - without : 0;
  }
};

/// A number with its name in reports; dots nest: "flip.mean".
struct MetricValue {
  std::string name;
  /// Absent if it is not defined: for ids, or for pictures that are too small. PSNR of equal
  /// pictures is infinite.
  std::optional<double> value;
};

/// Limits of values, infinite if not given.
struct ValueLimits {
  float fail = 0, fail_relative = 0, hard_fail = 0, warn = 0, warn_relative = 0, hard_warn = 0;
  std::uint32_t max_ulp = 0;
  bool counts_nans = false;
};

}  // namespace cuimg
