// SPDX-License-Identifier: Apache-2.0
// Figures of two layers: the results of one pass over the values, and named metrics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cuimg {

/// A value of both pictures. Integers are v / largest, ids as they are.
struct ValuePlace {
  int part = 0;   ///< Number of the part in the golden.
  int layer = 0;  ///< Its index in that part.
  int channel = 0;
  std::string channel_name;  ///< "diffuse.R".
  int x = 0, y = 0;          ///< Absolute, as the data window counts.
  double golden = 0, result = 0;
  /// Of the whole pixel, a value for each channel of the layer.
  std::vector<double> golden_pixel = {}, result_pixel = {};
};

/// The results of one pass over two layers of the same shape.
struct Differences {
  std::uint64_t pixels = 0;     ///< Compared: all but the ignored.
  std::uint64_t values = 0;     ///< Pixels times channels.
  std::uint64_t differing = 0;  ///< Pixels with a value that differs at all.
  std::uint64_t failing = 0;    ///< Pixels with a value that breaks a limit.
  std::uint64_t hard_failing = 0, warning = 0, hard_warning = 0;
  std::uint64_t mismatches =
      0;  ///< Values that are not finite in one picture and different in the other.
  std::uint64_t nans = 0;      ///< NaN in both; counted where Limits::nan asks.
  std::uint64_t left_out = 0;  ///< Values that are NaN, or the same infinity, in both.
  double max_absolute = 0;     ///< Of finite values, integers as v / largest.
  double max_relative = 0;     ///< |a - b| / max(|a|, |b|), 1 at most.
  std::uint32_t max_ulp = 0;   ///< Representable values between them; of integers codes.
  double sum_of_squares = 0;   ///< Of differences of finite values.
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
  /// Absent where it is not defined: of ids, or of pictures too small. PSNR of equal pictures is
  /// infinite.
  std::optional<double> value;
};

/// Limits of values, infinite where there is none.
struct ValueLimits {
  float fail = 0, fail_relative = 0, hard_fail = 0, warn = 0, warn_relative = 0, hard_warn = 0;
  std::uint32_t max_ulp = 0;
  bool counts_nans = false;
};

}  // namespace cuimg
