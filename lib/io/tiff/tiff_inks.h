// SPDX-License-Identifier: Apache-2.0
// CMYK to RGB: by an ICC profile; otherwise each of R, G and B is the part of white that the ink
// and black leave, as in libtiff, which only supports 8 bits, rounds down and drops alpha.
#pragma once

#include <cstddef>
#include <memory>

#include "image/pixel_type.h"
#include "io/tags/icc_conversion.h"

namespace cuimg {

class TiffInks {
 public:
  /// @param conversion null: what the inks leave. @param type of the samples, u8 or u16.
  TiffInks(std::shared_ptr<const IccConversion> conversion, PixelType type, bool has_alpha)
      : conversion_(std::move(conversion)), type_(type), has_alpha_(has_alpha) {}

  /// In place: the row then has R, G and B, and alpha if there is one.
  void convert(std::byte* row, std::size_t width) const;

 private:
  void convert_colors(const std::byte* cmyk, std::size_t width, std::byte* rgb) const;

  std::shared_ptr<const IccConversion> conversion_;
  PixelType type_;
  bool has_alpha_;
};

}  // namespace cuimg
