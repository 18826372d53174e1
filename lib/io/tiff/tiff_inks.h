// SPDX-License-Identifier: Apache-2.0
// CMYK to RGB: through an ICC profile, else as libtiff does it, which knows 8 bits alone and drops
// alpha: each of R, G and B is what the ink and black leave of white.
#pragma once

#include <cstddef>
#include <memory>

#include "image/pixel_type.h"
#include "io/tags/icc_conversion.h"

namespace cuimg {

class TiffInks {
 public:
  /// @param conversion null: as libtiff does it. @param type of the samples, u8 or u16.
  TiffInks(std::shared_ptr<const IccConversion> conversion, PixelType type, bool has_alpha)
      : conversion_(std::move(conversion)), type_(type), has_alpha_(has_alpha) {}

  /// In place: the row becomes one of R, G and B, with alpha where there is one.
  void convert(std::byte* row, std::size_t width) const;

 private:
  void convert_colors(const std::byte* cmyk, std::size_t width, std::byte* rgb) const;

  std::shared_ptr<const IccConversion> conversion_;
  PixelType type_;
  bool has_alpha_;
};

}  // namespace cuimg
