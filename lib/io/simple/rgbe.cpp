// SPDX-License-Identifier: Apache-2.0
// RGBE by scaling with powers of two, which is exact.
#include "io/simple/rgbe.h"

#include <algorithm>
#include <cmath>

namespace cuimg {
namespace {

constexpr int bias = 136;  // 128, and 8 for the mantissa's bits

const std::array<float, 256>& scales() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int e = 1; e < 256; ++e) t[static_cast<std::size_t>(e)] = std::ldexp(1.0f, e - bias);
    return t;
  }();
  return table;
}

}  // namespace

void decode_rgbe(const Rgbe& pixel, float* rgb) {
  const float scale = scales()[pixel[3]];
  for (std::size_t c = 0; c < 3; ++c) rgb[c] = static_cast<float>(pixel[c]) * scale;
}

Rgbe encode_rgbe(const float* rgb) {
  constexpr float largest_value = 255 * 0x1p119f;
  std::array<float, 3> v;
  for (std::size_t c = 0; c < 3; ++c) v[c] = rgb[c] > 0 ? std::min(rgb[c], largest_value) : 0;
  const float largest = std::max({v[0], v[1], v[2]});
  int exponent;
  std::frexp(largest, &exponent);
  if (!(largest > 0) || exponent + 128 < 1) return {0, 0, 0, 0};
  // Rounded up to 256, the largest component needs the next exponent.
  if (std::nearbyint(std::ldexp(static_cast<double>(largest), 8 - exponent)) == 256) ++exponent;
  Rgbe pixel{};
  for (std::size_t c = 0; c < 3; ++c)
    pixel[c] = static_cast<std::uint8_t>(
        std::nearbyint(std::ldexp(static_cast<double>(v[c]), 8 - exponent)));
  pixel[3] = static_cast<std::uint8_t>(exponent + 128);
  return pixel;
}

}  // namespace cuimg
