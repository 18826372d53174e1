// SPDX-License-Identifier: Apache-2.0
// Look-up tables for colours: a curve for each channel, or a grid over all three.
#pragma once

#include "kernels/color/pixel_op.h"

namespace cuimg {

/// Maps values to a table: entry = value * scale + offset, clamped to the table's ends.
struct TableAxis {
  float scale = 1.0f, offset = 0.0f;
};

namespace detail {

/// A position between entries `index` and index + 1, with `fraction` in [0, 1] from the first.
struct TablePlace {
  int index;
  float fraction;
};
/// @param size at least 2. NaN maps to the first entry.
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

/// a + f (b - a): exactly a if the two are equal.
CUIMG_HD inline float between(float a, float b, float f) { return fma(f, b - a, a); }

}  // namespace detail

/// The offsets of a grid cell's corners among its entries.
struct CellCorners {
  int first;    ///< The darkest corner,
  int near[3];  ///< one step from it along each axis,
  int far[3];   ///< all steps except the one along each axis,
  int last;     ///< the brightest corner.
};
/// In a grid with red fastest, relative to a cell's first entry.
CUIMG_HD inline CellCorners corners_in_grid(int size) {
  const int row = size, slice = size * size;
  return {0, {1, row, slice}, {row + slice, 1 + slice, 1 + row}, 1 + row + slice};
}

/// Tetrahedral: along the edges from the cell's darkest corner to its brightest, beginning with the
/// axis with the largest fraction. On the grey axis this is a line from entry to entry.
struct Tetrahedral {
  static constexpr int entries = 4;
  struct Path {
    int entry[entries];
    float high, middle, low;
  };
  CUIMG_HD static Path path(const CellCorners& corners, float x, float y, float z) {
    const bool x_before_y = x >= y, y_before_z = y >= z, x_before_z = x >= z;
    const int* const near = corners.near;
    const int* const far = corners.far;
    Path p;
    p.entry[0] = corners.first;
    p.entry[1] = select(x_before_y && x_before_z, near[0], select(y_before_z, near[1], near[2]));
    p.entry[2] = select(x_before_z && y_before_z, far[2],
                        select(!x_before_y && !x_before_z, far[0], far[1]));
    p.entry[3] = corners.last;
    const float xy_high = select(x_before_y, x, y), xy_low = select(x_before_y, y, x);
    p.high = select(xy_high >= z, xy_high, z);
    p.low = select(xy_low >= z, z, xy_low);
    const float rest = select(xy_high >= z, z, xy_high);
    p.middle = select(xy_low >= rest, xy_low, rest);
    return p;
  }
  CUIMG_HD static float mix(const Path& p, float a, float b, float c, float d) {
    return fma(p.low, d - c, fma(p.middle, c - b, fma(p.high, b - a, a)));
  }
  /// @param e the path's entries.
  CUIMG_HD static void mix(const Path& p, const detail::GridEntry* e, float* v) {
    for (int i = 0; i < 3; ++i) v[i] = mix(p, e[0].v[i], e[1].v[i], e[2].v[i], e[3].v[i]);
  }
};

/// Trilinear: along x, then y, then z.
struct Trilinear {
  static constexpr int entries = 8;
  struct Path {
    int entry[entries];  ///< x fastest
    float x, y, z;
  };
  CUIMG_HD static Path path(const CellCorners& c, float x, float y, float z) {
    return {
        {c.first, c.near[0], c.near[1], c.far[2], c.near[2], c.far[1], c.far[0], c.last}, x, y, z};
  }
  CUIMG_HD static void mix(const Path& p, const detail::GridEntry* e, float* v) {
    float edge[2][3];
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 3; ++i)
        edge[k][i] =
            detail::between(detail::between(e[4 * k].v[i], e[4 * k + 1].v[i], p.x),
                            detail::between(e[4 * k + 2].v[i], e[4 * k + 3].v[i], p.x), p.y);
    for (int i = 0; i < 3; ++i) v[i] = detail::between(edge[0][i], edge[1][i], p.z);
  }
};

namespace detail {

/// A pixel's r, g and b: grey is used for all three, and with two colours blue is missing.
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

/// A curve for each channel, one after the other in the table. A NaN affects only its channel.
struct CurveTable {
  static constexpr bool by_channel = true;
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

/// Looks up a value's position in one table for all three colours: false colours.
struct ColorMapTable {
  const float* table = nullptr;  ///< Red's entries, green's, blue's.
  int table_size = 0;            ///< 3 size
  int size = 2;
  TableAxis axis;
  /// The value is a weighted sum of three channels, otherwise the first channel.
  bool mixes = false;
  float weights[3] = {0, 0, 0};
  PixelShape to;

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    const float sum =
        canonical_nan(fma(weights[2], v[2], fma(weights[1], v[1], weights[0] * v[0])));
    const float value = mixes ? sum : v[0];
    const float alpha = shape.alpha == 3   ? v[3]
                        : shape.alpha == 2 ? v[2]
                        : shape.alpha == 1 ? v[1]
                                           : v[0];
    const detail::TablePlace at = detail::table_place(value, axis, size);
    for (int c = 0; c < 3; ++c) {
      const float* entry = table + c * size + at.index;
      const float made = detail::between(entry[0], entry[1], at.fraction);
      v[c] = select(value != value, float_from_bits(canonical_nan_bits), made);
    }
    v[3] = alpha;
    shape = to;
  }
};

/// A grid of size^3 entries of four floats, red fastest. A NaN in any channel makes all three NaN.
template <class How>
struct GridTable {
  using Interpolation = How;
  const float* table = nullptr;
  int table_size = 0;  ///< 4 size^3
  int size = 2;
  TableAxis axis[3];
  /// Whether a card has rearranged the table to keep the corners of each cell together.
  bool in_cells = false;

  struct Place {
    detail::TablePlace x, y, z;
    bool spoilt;  ///< Whether the pixel contains a NaN.
  };
  CUIMG_HD Place place(const float* v, const PixelShape& shape) const {
    float rgb[3];
    detail::read_colors(v, shape, rgb);
    return {detail::table_place(rgb[0], axis[0], size), detail::table_place(rgb[1], axis[1], size),
            detail::table_place(rgb[2], axis[2], size),
            rgb[0] != rgb[0] || rgb[1] != rgb[1] || rgb[2] != rgb[2]};
  }
  CUIMG_HD static void store(float* made, const Place& at, const PixelShape& shape, float* v) {
    for (int c = 0; c < 3; ++c)
      made[c] = select(at.spoilt, float_from_bits(canonical_nan_bits), made[c]);
    detail::write_colors(made, shape, v);
  }

  CUIMG_HD void operator()(float* v, PixelShape& shape) const {
    const Place at = place(v, shape);
    const auto* cell = reinterpret_cast<const detail::GridEntry*>(table) +
                       ((at.z.index * size + at.y.index) * size + at.x.index);
    const auto path = How::path(corners_in_grid(size), at.x.fraction, at.y.fraction, at.z.fraction);
    detail::GridEntry entries[How::entries];
    for (int k = 0; k < How::entries; ++k) entries[k] = cell[path.entry[k]];
    float made[3];
    How::mix(path, entries, made);
    store(made, at, shape, v);
  }
};

}  // namespace cuimg
