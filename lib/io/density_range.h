// SPDX-License-Identifier: Apache-2.0
// Which resolutions files of a format can hold.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "image/spec.h"

namespace cuimg {

/// Of "xDensity", pixels an inch.
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

/// JFIF has whole numbers of 16 bits.
inline constexpr DensityRange jpeg_densities = {1, 65535};
/// PNG and BMP have whole numbers of 31 bits, of pixels a metre.
inline constexpr DensityRange densities_a_metre = {0.0254, 54'000'000};
/// TIFF has ratios of two numbers of 32 bits.
inline constexpr DensityRange tiff_densities = {1e-9, 4e9};

/// @param codec by name. @returns nothing: its files hold any, or none.
inline std::optional<DensityRange> density_range(std::string_view codec) {
  if (codec == "jpeg") return jpeg_densities;
  if (codec == "png" || codec == "bmp") return densities_a_metre;
  if (codec == "tiff") return tiff_densities;
  return std::nullopt;
}

}  // namespace cuimg
