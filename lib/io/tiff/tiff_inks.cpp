// SPDX-License-Identifier: Apache-2.0
#include "io/tiff/tiff_inks.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace cuimg {
namespace {

// Rounded to the nearest, as in rgb_of_cmyk() for JPEG. `rgb` may be `cmyk`.
template <class T>
void what_inks_leave(const std::byte* cmyk, std::size_t width, std::byte* rgb) {
  constexpr std::uint32_t full = std::numeric_limits<T>::max();
  for (std::size_t x = 0; x < width; ++x) {
    std::array<T, 4> ink;
    std::memcpy(ink.data(), cmyk + x * sizeof ink, sizeof ink);
    std::array<T, 3> color;
    for (std::size_t c = 0; c < 3; ++c)
      color[c] = static_cast<T>(((full - ink[3]) * (full - ink[c]) + full / 2) / full);
    std::memcpy(rgb + x * sizeof color, color.data(), sizeof color);
  }
}

}  // namespace

void TiffInks::convert_colors(const std::byte* cmyk, std::size_t width, std::byte* rgb) const {
  if (conversion_)
    conversion_->convert_cmyk(cmyk, width, rgb);
  else if (type_ == PixelType::u8)
    what_inks_leave<std::uint8_t>(cmyk, width, rgb);
  else
    what_inks_leave<std::uint16_t>(cmyk, width, rgb);
}

void TiffInks::convert(std::byte* row, std::size_t width) const {
  if (!has_alpha_) return convert_colors(row, width, row);
  const std::size_t value = bytes_of(type_), stored = 5 * value, made = 4 * value;
  for (std::size_t x = 0; x < width; ++x) {
    std::array<std::byte, 10> pixel;
    std::memcpy(pixel.data(), row + stored * x, stored);
    convert_colors(pixel.data(), 1, pixel.data());
    std::memcpy(row + made * x, pixel.data(), 3 * value);
    std::memcpy(row + made * x + 3 * value, pixel.data() + 4 * value, value);
  }
}

}  // namespace cuimg
