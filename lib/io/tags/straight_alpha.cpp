// SPDX-License-Identifier: Apache-2.0
// Division by alpha in integers, which gives the same result everywhere.
#include "io/tags/straight_alpha.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace cuimg {
namespace {

template <class T>
bool divide(std::byte* row, std::size_t pixels, std::size_t channels) {
  constexpr std::uint64_t full = std::numeric_limits<T>::max();
  T v[4];
  bool fits = true;
  for (std::size_t i = 0; i < pixels; ++i, row += channels * sizeof(T)) {
    std::memcpy(v, row, channels * sizeof(T));
    const T largest = *std::max_element(v, v + channels - 1);
    const std::uint64_t alpha = v[channels - 1];
    fits = fits && largest <= alpha;
    if (alpha == 0 || alpha == full) continue;
    for (std::size_t c = 0; c + 1 < channels; ++c)
      v[c] = static_cast<T>(std::min(full, (v[c] * full + alpha / 2) / alpha));
    std::memcpy(row, v, channels * sizeof(T));
  }
  return fits;
}

}  // namespace

bool make_alpha_straight(std::byte* row, std::size_t pixels, int channels, PixelType type) {
  const auto count = static_cast<std::size_t>(channels);
  return type == PixelType::u8 ? divide<std::uint8_t>(row, pixels, count)
                               : divide<std::uint16_t>(row, pixels, count);
}

}  // namespace cuimg
