// SPDX-License-Identifier: Apache-2.0
// Source positions for a lens with radial distortion: a table of polynomials of the squared radius,
// in integers and a few floats. Distorting has no closed formula, and doubles are slow on most
// cards.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"
#include "kernels/warp/warp_position.h"

namespace cuimg {

/// A pixel at (dx, dy) from the centre reads at (1 + h) (dx, dy), where h depends on
/// q = dx^2 + (aspect dy)^2. The host makes the table, radial_map(), and bounds its error.
struct RadialMap {
  static constexpr int segments = 128;
  /// Distances are integers of up to 2^distance_bits, their squares' sum is up to 2^sum_bits.
  static constexpr int distance_bits = 30, sum_bits = 2 * distance_bits;

  /// h = h0 + t (c1 + t (c2 + t c3)), in 2^-value_bits, t from -1 to 1 across the segment.
  struct alignas(16) Segment {
    std::int32_t h0;
    float c1, c2, c3;
  };
  Segment segment[segments];
  int offset_bits;  ///< dx and dy are in 2^-offset_bits texel,
  int value_bits;   ///< and h is in 2^-value_bits; together at least 32.
  /// From the first texel's centre, in units of 2^-offset_bits, modulo 2^32.
  std::int32_t center_x, center_y;
  std::uint64_t aspect;  ///< focal_x / focal_y, in 2^-30.
  float aspect_ratio;    ///< The same as a float,
  float value_scale;     ///< and 2^-value_bits.
  int left, top;

  CUIMG_HD bool at(int x, int y, WarpPosition& position) const {
    const Place place(*this, x, y);
    const Segment& s = segment[place.index];
    position = read_at(place, s.h0 + bend(s, place.t));
    return true;
  }
  CUIMG_HD bool at(int x, int y, WarpPosition& position, WarpDerivative& derivative) const {
    const Place place(*this, x, y);
    const Segment& s = segment[place.index];
    const std::int32_t h = s.h0 + bend(s, place.t);
    position = read_at(place, h);
    // q grows by 2 dx for each 2^-offset_bits texel, t by 2 for each segment's width.
    constexpr float texel = 0x1p-25f;
    const float rise = fma(fma(3.0f * s.c3, place.t, 2.0f * s.c2), place.t, s.c1);
    const float slope = rise * (0.5f * value_scale);
    const float across = static_cast<float>(place.dx) * texel;
    const float down = static_cast<float>(place.scaled_dy) * texel;
    const float factor = 1.0f + static_cast<float>(h) * value_scale;
    const float shear = across * down * slope;
    derivative = {factor + across * across * slope, shear * aspect_ratio, shear / aspect_ratio,
                  factor + down * down * slope};
    return true;
  }

 private:
  struct Place {
    int column, row;
    std::int32_t dx, dy, scaled_dy;
    int index;
    float t;

    CUIMG_HD Place(const RadialMap& map, int x, int y) : column(x - map.left), row(y - map.top) {
      dx = from(column, map.offset_bits, map.center_x);
      dy = from(row, map.offset_bits, map.center_y);
      // Modulo 2^64: rows beyond the picture's last one may have any value.
      scaled_dy = static_cast<std::int32_t>(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(std::int64_t{dy}) * map.aspect) >>
          30);
      const std::uint64_t q = square(dx) + square(scaled_dy);
      // As many bits below the segment's number as a float has.
      constexpr int t_bits = 24, index_bits = 7;
      static_assert(segments == 1 << index_bits);
      const auto place = static_cast<std::uint32_t>(q >> (sum_bits - index_bits - t_bits));
      constexpr std::uint32_t half = 1u << (t_bits - 1);
      const auto step = static_cast<std::int32_t>(place & (2 * half - 1)) - std::int32_t{half};
      t = static_cast<float>(step) * (1.0f / half);
      // A card may read past the last row; the result is not used.
      const auto number = static_cast<int>(place >> t_bits);
      index = number < segments ? number : segments - 1;
    }
    CUIMG_HD static std::int32_t from(int texel, int bits, std::int32_t center) {
      return static_cast<std::int32_t>((static_cast<std::uint32_t>(texel) << bits) -
                                       static_cast<std::uint32_t>(center));
    }
    CUIMG_HD static std::uint64_t square(std::int32_t v) {
      return static_cast<std::uint64_t>(std::int64_t{v} * v);
    }
  };

  CUIMG_HD static std::int32_t bend(const Segment& s, float t) {
    return static_cast<std::int32_t>(fma(fma(s.c3, t, s.c2), t, s.c1) * t);
  }
  CUIMG_HD WarpPosition read_at(const Place& place, std::int32_t h) const {
    const int shift = offset_bits + value_bits - 32;
    return {(std::int64_t{place.column} * 0x100000000ll) + ((std::int64_t{place.dx} * h) >> shift),
            (std::int64_t{place.row} * 0x100000000ll) + ((std::int64_t{place.dy} * h) >> shift)};
  }
};

}  // namespace cuimg
