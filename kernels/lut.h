// SPDX-License-Identifier: Apache-2.0
// Look-up tables over colour: a curve for each channel, or a grid over all three.
#pragma once

#include "kernels/pixel_op.h"

namespace cuimg {

/// Where values lie in a table: entry = value * scale + offset, cut to the table's ends.
struct TableAxis {
  float scale = 1.0f, offset = 0.0f;
};

namespace detail {

/// Between entries `index` and index + 1, `fraction` of [0, 1] from the first.
struct TablePlace {
  int index;
  float fraction;
};
/// @param size at least 2. NaN is at the first entry.
CUIMG_HD inline TablePlace table_place(float value, const TableAxis& axis, int size) {
  const float last = static_cast<float>(size - 1);
  const float at = clamp(fma(value, axis.scale, axis.offset), 0.0f, last);
  const int whole = static_cast<int>(at);
  const int index = select(whole > size - 2, size - 2, whole);
  return {index, at - static_cast<float>(index)};
}

/// R, G and B of one entry of a grid, padded so that a card reads it in one access.
struct alignas(16) GridEntry {
  float v[4];
};

/// a + f (b - a): exactly a where the two are equal.
CUIMG_HD inline float between(float a, float b, float f) { return fma(f, b - a, a); }

}  // namespace detail

/// Tetrahedral: along the edges from the cell's darkest corner to its brightest, the axis that is
/// farthest on first. On the grey axis that is a line from entry to entry.
struct Tetrahedral {
  CUIMG_HD static void interpolate(const detail::GridEntry* cell, int row, int slice, float x,
                                   float y, float z, float* v) {
    const bool x_before_y = x >= y, y_before_z = y >= z, x_before_z = x >= z;
    const int all = 1 + row + slice;
    const int first = select(x_before_y && x_before_z, 1, select(y_before_z, row, slice));
    const int last =
        select(x_before_z && y_before_z, slice, select(!x_before_y && !x_before_z, 1, row));
    const float xy_high = select(x_before_y, x, y), xy_low = select(x_before_y, y, x);
    const float high = select(xy_high >= z, xy_high, z), low = select(xy_low >= z, z, xy_low);
    const float rest = select(xy_high >= z, z, xy_high);
    const float middle = select(xy_low >= rest, xy_low, rest);
    const detail::GridEntry a = cell[0], b = cell[first], c = cell[all - last], d = cell[all];
    for (int i = 0; i < 3; ++i)
      v[i] = fma(low, d.v[i] - c.v[i],
                 fma(middle, c.v[i] - b.v[i], fma(high, b.v[i] - a.v[i], a.v[i])));
  }
};

/// Trilinear: along x, then y, then z.
struct Trilinear {
  CUIMG_HD static void interpolate(const detail::GridEntry* cell, int row, int slice, float x,
                                   float y, float z, float* v) {
    float edge[2][3];
    for (int k = 0; k < 2; ++k) {
      const detail::GridEntry* from = cell + k * slice;
      const detail::GridEntry a = from[0], b = from[1], c = from[row], d = from[row + 1];
      for (int i = 0; i < 3; ++i)
        edge[k][i] = detail::between(detail::between(a.v[i], b.v[i], x),
                                     detail::between(c.v[i], d.v[i], x), y);
    }
    for (int i = 0; i < 3; ++i) v[i] = detail::between(edge[0][i], edge[1][i], z);
  }
};

namespace detail {

/// A pixel's r, g and b: of fewer colours, grey is all three, and others lack blue.
CUIMG_HD inline void read_colors(const float* v, const PixelShape& shape, float* rgb) {
  rgb[0] = v[0];
  rgb[1] = shape.colors == 1 ? v[0] : v[1];
  rgb[2] = shape.colors == 1 ? v[0] : shape.colors == 2 ? 0.0f : v[2];
}
CUIMG_HD inline void write_colors(const float* rgb, const PixelShape& shape, float* v) {
  for (int c = 0; c < 3; ++c)
    if (c < shape.colors) v[c] = rgb[c];
}

}  // namespace detail

/// A curve for each channel, one after the other in the table. NaN stays in its channel.
struct CurveTable {
  const float* table = nullptr;
  int table_size = 0;  ///< 3 size
  int size = 2;
  TableAxis axis[3];

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    float rgb[3];
    detail::read_colors(v, shape, rgb);
    for (int c = 0; c < 3; ++c) {
      const detail::TablePlace at = detail::table_place(rgb[c], axis[c], size);
      const float* entry = table + c * size + at.index;
      rgb[c] = canonical_nan(
          select(rgb[c] != rgb[c], rgb[c], detail::between(entry[0], entry[1], at.fraction)));
    }
    detail::write_colors(rgb, shape, v);
  }
};

/// A grid of size^3 entries of four floats, red fastest. A NaN makes all three NaN.
template <class Interpolation>
struct GridTable {
  const float* table = nullptr;
  int table_size = 0;  ///< 4 size^3
  int size = 2;
  TableAxis axis[3];

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    float rgb[3], made[3];
    detail::read_colors(v, shape, rgb);
    const detail::TablePlace x = detail::table_place(rgb[0], axis[0], size);
    const detail::TablePlace y = detail::table_place(rgb[1], axis[1], size);
    const detail::TablePlace z = detail::table_place(rgb[2], axis[2], size);
    const auto* grid = reinterpret_cast<const detail::GridEntry*>(table);
    Interpolation::interpolate(grid + (z.index * size + y.index) * size + x.index, size,
                               size * size, x.fraction, y.fraction, z.fraction, made);
    const bool spoilt = rgb[0] != rgb[0] || rgb[1] != rgb[1] || rgb[2] != rgb[2];
    for (int c = 0; c < 3; ++c)
      made[c] = select(spoilt, float_from_bits(canonical_nan_bits), made[c]);
    detail::write_colors(made, shape, v);
  }
};

}  // namespace cuimg
