// SPDX-License-Identifier: Apache-2.0
// Reads a picture that shrinks: the mean of all texels that an output pixel covers, in an ellipse
// (Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989) on a level of a chain of
// halved pictures on which the ellipse is a few texels wide.
#pragma once

#include "kernels/math/math.h"
#include "kernels/stencil/resample.h"
#include "kernels/warp/halved_level.h"
#include "kernels/warp/warp_maps.h"

namespace cuimg {

/// If a step of the output is at most this many source texels, a linear read misses nothing
/// visible.
inline constexpr float largest_unfiltered = 1.1f;

/// Whether the larger of the derivative's two singular values is at most largest_unfiltered.
CUIMG_HD inline bool reads_unfiltered(const WarpDerivative& d) {
  constexpr float limit = largest_unfiltered * largest_unfiltered;
  // Squared singular values are the roots of s^2 - squares s + determinant^2.
  const float squares = ((d.xx * d.xx + d.xy * d.xy) + (d.yx * d.yx + d.yy * d.yy)) / limit;
  const float determinant = (d.xx * d.yy - d.xy * d.yx) / limit;
  return squares <= 2 && (1 - squares) + determinant * determinant >= 0;
}

/// Texels at an offset (x, y) from the position have the weight (1 - q)^2 if
/// q = xx x^2 + 2 xy x y + yy y^2 is below 1.
struct Footprint {
  int level;  ///< Texels are 2^level wide, or slightly less: see on_level().
  float xx, xy, yy;
  float reach_x, reach_y;  ///< Larger offsets have no weight.
  float lean;              ///< The middle of a row is at -lean y;
  float half_row;          ///< at this distance from it, with a small margin, weights end.
};

/// Limits of ellipses, in texels of the last level, measured from the middle to where a weight with
/// the same variance as a pixel ends: their length, their width, and the squared ratio of both.
struct FootprintLimits {
  float longest2 = 1024, widest2 = 16, roundest2 = 64;
};

/// Ellipses have at least the width of a linear read: the weight's variance is 1/8 of its squared
/// radius, the triangle's 1/6. Long ellipses are widened to an eighth of their length.
CUIMG_HD inline Footprint footprint_of(const WarpDerivative& d, int last_level,
                                       const FootprintLimits& limits = {}) {
  constexpr float radius2 = 4.0f / 3;
  const float e = d.xx * d.xx + d.xy * d.xy, g = d.yx * d.yx + d.yy * d.yy;
  const float f = d.xx * d.yx + d.xy * d.yy;
  const float mean = (e + g) * 0.5f, half = (e - g) * 0.5f;
  const float root = sqrt(half * half + f * f);
  const float largest = mean + root, smallest = mean - root;
  // The largest extent that the last level supports: beyond it the picture is a point.
  const float last2 = static_cast<float>(std::int64_t{1} << (2 * last_level));
  const float longest = limits.longest2 * last2, widest = limits.widest2 * last2;
  float axx = widest, axy = 0, ayy = widest, area = widest * widest, width2 = widest;
  if (largest < 0x1p60f) {
    float length2 = largest > 1 ? largest : 1;
    length2 = length2 < longest ? length2 : longest;
    width2 = smallest > 1 ? smallest : 1;
    const float least2 = length2 / limits.roundest2;
    width2 = width2 > least2 ? width2 : least2;
    width2 = width2 < widest ? width2 : widest;
    width2 = width2 < length2 ? width2 : length2;
    // The same axes with other lengths.
    const float slope = root > 0 ? (length2 - width2) / (2 * root) : 0;
    axx = width2 + slope * (e - smallest);
    ayy = width2 + slope * (g - smallest);
    axy = slope * f;
    area = length2 * width2;
  }
  // Two to four texels from the middle to the nearer side, if there are enough levels.
  const int exponent = static_cast<int>(bits_of(width2) >> 23) - 127;
  int level = (exponent >> 1) - 1;
  level = level < 0 ? 0 : level;
  level = level < last_level ? level : last_level;
  const float per_texel2 = 1 / static_cast<float>(std::int64_t{1} << (2 * level));
  const float scale = 1 / (radius2 * area * per_texel2);
  constexpr float little_more = 1 + 0x1p-8f;
  const float xx = ayy * scale;
  return {level,
          xx,
          -axy * scale,
          axx * scale,
          sqrt(axx * radius2 * per_texel2),
          sqrt(ayy * radius2 * per_texel2),
          -axy / ayy,
          little_more / sqrt(xx)};
}

/// The same in texels of its level, in which odd sides have slightly more texels.
CUIMG_HD inline Footprint on_level(const Footprint& e, const LevelScale& scale) {
  const float across = scale.columns.scale, down = scale.rows.scale;
  return {e.level,
          e.xx / (across * across),
          e.xy / (across * down),
          e.yy / (down * down),
          e.reach_x * across,
          e.reach_y * down,
          e.lean * (across / down),
          e.half_row * across};
}

/// Texels of a level: from (left, top) up to, but not including, (right, bottom).
struct TexelBox {
  int left, top, right, bottom;

  CUIMG_HD bool holds(const TexelBox& b) const {
    return b.left >= left && b.top >= top && b.right <= right && b.bottom <= bottom;
  }
  CUIMG_HD bool meets(const TexelBox& b) const {
    return b.left < right && b.top < bottom && b.right > left && b.bottom > top;
  }
};

/// The position of a footprint on its level.
struct FootprintPlace {
  int column, row;     ///< The texel at or before its middle,
  float across, down;  ///< and the distance from there, in [0, 1].

  /// @param at in texels of the level.
  CUIMG_HD explicit FootprintPlace(const WarpPosition& at) {
    column = static_cast<int>(at.x >> 32), row = static_cast<int>(at.y >> 32);
    across = static_cast<float>(static_cast<std::uint32_t>(at.x) >> 8) * 0x1p-24f;
    down = static_cast<float>(static_cast<std::uint32_t>(at.y) >> 8) * 0x1p-24f;
  }
  /// Outside of it no texel has weight.
  CUIMG_HD TexelBox reach(const Footprint& ellipse) const {
    const int x = static_cast<int>(ellipse.reach_x) + 1, y = static_cast<int>(ellipse.reach_y) + 1;
    return {column - x, row - y, column + x + 2, row + y + 2};
  }
};

/// The weighted sum of texels, and the sum of the weights.
template <int N>
struct WeighedSum {
  TapSum<N> sum;
  float total = 0;

  CUIMG_HD void add(float weight, const Pixel<N>& texel) {
    sum.add(weight, texel);
    total += weight;
  }
  CUIMG_HD void add(const WeighedSum& other) {
    for (int k = 0; k < N; ++k) sum.sum.v[k] += other.sum.sum.v[k];
    total += other.total;
  }
  CUIMG_HD Pixel<N> mean() const {
    Pixel<N> pixel;
    for (int k = 0; k < N; ++k) pixel.v[k] = canonical_nan(sum.sum.v[k] / total);
    return pixel;
  }
};

/// The weighted mean around a position. Opaque remains opaque, because the divisor is summed in the
/// same way as alpha.
/// @tparam by_rows whether each row is summed separately, which reduces rounding in large
/// footprints.
/// @param row_at (x, y) -> (i) -> Pixel<N>, the texel at (x + i, y), called for texels with weight.
template <int N, bool by_rows, class RowAt>
CUIMG_HD inline Pixel<N> footprint_mean(const Footprint& ellipse, const FootprintPlace& place,
                                        const RowAt& row_at) {
  // Read together, so that a card need not wait for each. Texels beyond a row's end have no weight.
  constexpr int together = 2;
  WeighedSum<N> all, row;
  const int last = static_cast<int>(place.down + ellipse.reach_y);
  for (int j = -static_cast<int>(ellipse.reach_y); j <= last; ++j) {
    const float dy = static_cast<float>(j) - place.down;
    const float twice_b = 2 * (ellipse.xy * dy), c = (ellipse.yy * dy) * dy;
    const auto texel_at = row_at(place.column, place.row + j);
    // Rounded toward zero: at most one texel too many.
    const float middle = place.across - ellipse.lean * dy;
    const int right = static_cast<int>(middle + ellipse.half_row);
    for (int i = static_cast<int>(middle - ellipse.half_row); i <= right; i += together) {
      float inside[together];
      Pixel<N> texels[together] = {};
      for (int k = 0; k < together; ++k) {
        const float dx = static_cast<float>(i + k) - place.across;
        inside[k] = 1 - ((ellipse.xx * dx + twice_b) * dx + c);
        if (inside[k] > 0) texels[k] = texel_at(i + k);
      }
      for (int k = 0; k < together; ++k)
        if (inside[k] > 0) row.add(inside[k] * inside[k], texels[k]);
    }
    if constexpr (by_rows) {
      all.add(row);
      row = {};
    }
  }
  return by_rows ? all.mean() : row.mean();
}

/// The same for a picture with a border.
/// @param ellipse, at in texels of the level. @param levels box(level) -> TexelBox, the existing
/// texels; row(level, x, y) -> (i) -> Pixel<N>, inside of it; (level, x, y) -> Pixel<N>, anywhere;
/// border(), null unless there is a colour outside.
template <int N, class Levels>
CUIMG_HD inline Pixel<N> footprint_read_at(const Footprint& ellipse, const WarpPosition& at,
                                           const Levels& levels) {
  const FootprintPlace place(at);
  const TexelBox box = levels.box(ellipse.level), reach = place.reach(ellipse);
  if (box.holds(reach))
    return footprint_mean<N, false>(ellipse, place,
                                    [&](int x, int y) { return levels.row(ellipse.level, x, y); });
  if (const Pixel<N>* const border = levels.border(); border && !box.meets(reach)) return *border;
  return footprint_mean<N, false>(ellipse, place, [&](int x, int y) {
    return [&, x, y](int i) { return levels(ellipse.level, x + i, y); };
  });
}

/// The same for a footprint and a position in the picture's texels.
/// @param levels also has is_even(level), and for other levels scale(level) -> LevelScale.
template <int N, class Levels>
CUIMG_HD inline Pixel<N> footprint_read(const Footprint& footprint, const WarpPosition& position,
                                        const Levels& levels) {
  // Most levels that are read are even, so a card needs one bit to know that the short form is
  // valid.
  const int level = footprint.level;
  const bool is_even = levels.is_even(level);
  return footprint_read_at<N>(
      is_even ? footprint : on_level(footprint, levels.scale(level)),
      is_even ? halved_position(position, level) : levels.scale(level)(position), levels);
}

}  // namespace cuimg
