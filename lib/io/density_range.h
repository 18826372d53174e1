// SPDX-License-Identifier: Apache-2.0
// The resolutions that files of a format can store.
#pragma once

#include <cstdint>
#include <variant>

#include "image/spec.h"

namespace cuimg {

/// Limits of "xDensity", in pixels per inch.
struct DensityRange {
  double least, most;

  bool holds(double density) const { return density >= least && density <= most; }
  bool holds(const MetadataValue& value) const {
    const auto* const number = std::get_if<double>(&value);
    const auto* const whole = std::get_if<std::int64_t>(&value);
    return (number != nullptr && holds(*number)) ||
           (whole != nullptr && holds(static_cast<double>(*whole)));
  }
};

inline constexpr double metres_an_inch = 0.0254;

/// JFIF stores integers of 16 bits.
inline constexpr DensityRange jpeg_densities = {1, 65535};
/// PNG and BMP store integers of 31 bits, in pixels per metre.
inline constexpr DensityRange densities_a_metre = {metres_an_inch, 54'000'000};
/// TIFF stores ratios of two numbers of 32 bits.
inline constexpr DensityRange tiff_densities = {1e-9, 4e9};

}  // namespace cuimg
