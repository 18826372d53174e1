// SPDX-License-Identifier: Apache-2.0
// Reading a picture that shrinks: the mean of all texels that an output pixel covers, in an ellipse
// (Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989) on a level of a chain of
// halved pictures, where the ellipse is a few texels wide.
#pragma once

#include "kernels/math/math.h"
#include "kernels/stencil/resample.h"
#include "kernels/warp/warp_maps.h"

namespace cuimg {

/// Where source texels pass by no faster than this a linear read misses nothing that shows.
inline constexpr float largest_unfiltered = 1.1f;

/// Whether the larger of the derivative's two singular values is at most largest_unfiltered.
CUIMG_HD inline bool reads_unfiltered(const WarpDerivative& d) {
  constexpr float limit = largest_unfiltered * largest_unfiltered;
  // Squared singular values are the roots of s^2 - squares s + determinant^2.
  const float squares = ((d.xx * d.xx + d.xy * d.xy) + (d.yx * d.yx + d.yy * d.yy)) / limit;
  const float determinant = (d.xx * d.yy - d.xy * d.yx) / limit;
  return squares <= 2 && (1 - squares) + determinant * determinant >= 0;
}

/// Texels at an offset (x, y) from the position weigh (1 - q)^2 where
/// q = xx x^2 + 2 xy x y + yy y^2 is below 1.
struct Footprint {
  int level;  ///< Texels are 2^level wide.
  float xx, xy, yy;
  float reach_y;  ///< Offsets beyond have no weight.
};

/// Ellipses have at least the width of a linear read: the weight's variance is 1/8 of its radius
/// squared, the triangle's 1/6. Long ones are widened to an eighth of their length.
CUIMG_HD inline Footprint footprint_of(const WarpDerivative& d, int last_level) {
  constexpr float radius2 = 4.0f / 3;
  constexpr float longest2 = 1024, roundest2 = 64;
  const float e = d.xx * d.xx + d.xy * d.xy, g = d.yx * d.yx + d.yy * d.yy;
  const float f = d.xx * d.yx + d.xy * d.yy;
  const float mean = (e + g) * 0.5f, half = (e - g) * 0.5f;
  const float root = sqrt(half * half + f * f);
  const float largest = mean + root, smallest = mean - root;
  // What the last level can hold: past it the picture is a point.
  const float last2 = static_cast<float>(std::int64_t{1} << (2 * last_level));
  const float longest = longest2 * last2, widest = longest2 / roundest2 * last2;
  float axx = widest, axy = 0, ayy = widest, area = widest * widest, width2 = widest;
  if (largest < 0x1p60f) {
    float length2 = largest > 1 ? largest : 1;
    length2 = length2 < longest ? length2 : longest;
    width2 = smallest > 1 ? smallest : 1;
    width2 = width2 > length2 / roundest2 ? width2 : length2 / roundest2;
    width2 = width2 < widest ? width2 : widest;
    width2 = width2 < length2 ? width2 : length2;
    // The same axes with other lengths.
    const float slope = root > 0 ? (length2 - width2) / (2 * root) : 0;
    axx = width2 + slope * (e - smallest);
    ayy = width2 + slope * (g - smallest);
    axy = slope * f;
    area = length2 * width2;
  }
  // Two to four texels from the middle to the nearer side, as long as there are levels.
  const int exponent = static_cast<int>(bits_of(width2) >> 23) - 127;
  int level = (exponent >> 1) - 1;
  level = level < 0 ? 0 : level;
  level = level < last_level ? level : last_level;
  const float texel2 = static_cast<float>(std::int64_t{1} << (2 * level));
  const float scale = texel2 / (radius2 * area);
  return {level, ayy * scale, -axy * scale, axx * scale, sqrt(ayy * radius2 / texel2)};
}

/// The weighted mean around a position. Opaque stays opaque: the divisor is summed as alpha is.
/// @param fetch (level, x, y) -> Pixel<N>, for any x and y.
template <int N, class Fetch>
CUIMG_HD inline Pixel<N> footprint_read(const Footprint& ellipse, const WarpPosition& position,
                                        const Fetch& fetch) {
  constexpr std::int64_t half = std::int64_t{1} << 31;
  const std::int64_t x = ((position.x + half) >> ellipse.level) - half;
  const std::int64_t y = ((position.y + half) >> ellipse.level) - half;
  const int column = static_cast<int>(x >> 32), row = static_cast<int>(y >> 32);
  const float across = static_cast<float>(static_cast<std::uint32_t>(x) >> 8) * 0x1p-24f;
  const float down = static_cast<float>(static_cast<std::uint32_t>(y) >> 8) * 0x1p-24f;
  TapSum<N> sum;
  float total = 0;
  const int last = static_cast<int>(down + ellipse.reach_y);
  for (int j = -static_cast<int>(ellipse.reach_y); j <= last; ++j) {
    const float dy = static_cast<float>(j) - down;
    const float b = ellipse.xy * dy, c = (ellipse.yy * dy) * dy;
    const float discriminant = b * b + ellipse.xx * (1 - c);
    if (!(discriminant > 0)) continue;
    const float extent = sqrt(discriminant) / ellipse.xx, middle = across - b / ellipse.xx;
    const int right = floor_to_int(middle + extent);
    for (int i = -floor_to_int(extent - middle); i <= right; ++i) {
      const float dx = static_cast<float>(i) - across;
      const float inside = 1 - ((ellipse.xx * dx + 2 * b) * dx + c);
      if (!(inside > 0)) continue;
      const float weight = inside * inside;
      sum.add(weight, fetch(ellipse.level, column + i, row + j));
      total += weight;
    }
  }
  Pixel<N> pixel;
  for (int k = 0; k < N; ++k) pixel.v[k] = canonical_nan(sum.sum.v[k] / total);
  return pixel;
}

/// A texel of the next level: 1 3 3 1 along each axis, which leaves little above half the
/// frequency.
/// @param fetch (x, y) -> Pixel<N> of this level, for any x and y.
template <int N, class Fetch>
CUIMG_HD inline Pixel<N> halved_texel(int x, int y, const Fetch& fetch) {
  TapSum<N> column;
  for (int j = 0; j < 4; ++j) {
    TapSum<N> row;
    for (int i = 0; i < 4; ++i)
      row.add(i == 0 || i == 3 ? 0.125f : 0.375f, fetch(2 * x - 1 + i, 2 * y - 1 + j));
    column.add(j == 0 || j == 3 ? 0.125f : 0.375f, row.sum);
  }
  return column.result();
}

}  // namespace cuimg
