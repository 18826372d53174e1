// SPDX-License-Identifier: Apache-2.0
// The texels of an environment map that an output pixel covers. Where the mapping is even, this is
// the footprint of other warps, on the full-size picture, since halved pictures would have seams of
// their own. Near poles, rims and seams no ellipse of texels fits the pixel, so many reads are
// spread across it.
#pragma once

#include <initializer_list>

#include "kernels/math/pixel.h"
#include "kernels/stencil/resample.h"
#include "kernels/warp/env_read.h"
#include "kernels/warp/footprint.h"

namespace cuimg {

/// An output pixel: its face, -1 if it shows no direction, and its position there.
struct EnvPixel {
  int face, x, y;
};
CUIMG_HD inline EnvPixel env_pixel_on(const EnvLayout& to, int face, int x, int y) {
  if (to.projection != EnvProjection::cube || face < 0) return {face, x, y};
  return {face, x - to.faces[face].x, y - to.faces[face].y};
}
CUIMG_HD inline EnvPixel env_pixel_at(const EnvLayout& to, int x, int y) {
  return env_pixel_on(to, to.face_at(x, y), x, y);
}

/// The pixel's position in the source. Positions of pixels that show nothing, or are outside the
/// picture, are used by their neighbours.
CUIMG_HD inline EnvPosition env_place(const EnvOutput& to, const EnvLayout& from,
                                      const EnvPixel& pixel) {
  const EnvLayout& layout = to.layout;
  if (layout.projection == EnvProjection::cube && pixel.face < 0) return {};
  const Vector3 d = to.ray(pixel.face, pixel.x, pixel.y);
  return from.position(layout.is_flat() && from.is_disc() ? normalized(d) : d);
}

/// From b to a in texels, by the shorter way around.
CUIMG_HD inline float env_texels_between(const EnvLayout& from, std::int64_t a, std::int64_t b,
                                         bool goes_round) {
  std::int64_t apart = a - b;
  if (goes_round) {
    const std::int64_t round = std::int64_t{from.on_edges ? from.width - 1 : from.width} << 32;
    if (2 * apart > round) apart -= round;
    if (2 * apart < -round) apart += round;
  }
  return static_cast<float>(static_cast<std::int32_t>(apart >> 18)) * 0x1p-14f;
}

/// The distance of another position from the middle, in texels.
struct EnvStep {
  float x, y;
  bool is_one_face;
};
CUIMG_HD inline EnvStep env_step(const EnvLayout& from, const EnvPosition& middle,
                                 const EnvPosition& other) {
  const bool is_latlong = from.projection == EnvProjection::latlong;
  return {env_texels_between(from, other.x, middle.x, is_latlong),
          env_texels_between(from, other.y, middle.y, false), other.face == middle.face};
}

/// The source's step along one axis of the output: half the distance between the neighbours'
/// positions, and how much farther one is than the other.
struct EnvPassing {
  float x, y, bend2;
  bool is_one_face;

  CUIMG_HD EnvPassing(const EnvStep& one, const EnvStep& two)
      : x((two.x - one.x) * 0.5f),
        y((two.y - one.y) * 0.5f),
        is_one_face(one.is_one_face && two.is_one_face) {
    const float bend_x = one.x + two.x, bend_y = one.y + two.y;
    bend2 = bend_x * bend_x + bend_y * bend_y;
  }
};

/// Whether the mapping is even: the derivative changes by at most an eighth from one half of the
/// pixel to the other. @param known (dx, dy) -> EnvPosition, env_place() of the pixel at
/// that offset in the picture.
template <class Known>
CUIMG_HD inline bool env_passes_evenly(const EnvLayout& to, const EnvLayout& from,
                                       const EnvPixel& pixel, const Known& known,
                                       WarpDerivative& slope) {
  // Past a face's edge the output continues elsewhere.
  const bool has_neighbors =
      pixel.x > 0 && pixel.y > 0 && pixel.x < to.width - 1 && pixel.y < to.height - 1;
  if (to.projection == EnvProjection::cube && !has_neighbors) return false;
  const EnvPosition middle = known(0, 0);
  const auto step = [&](int dx, int dy) { return env_step(from, middle, known(dx, dy)); };
  const EnvPassing across(step(-1, 0), step(1, 0)), down(step(0, -1), step(0, 1));
  slope = {across.x, down.x, across.y, down.y};
  const float squares =
      (slope.xx * slope.xx + slope.xy * slope.xy) + (slope.yx * slope.yx + slope.yy * slope.yy);
  constexpr float most = 1.0f / 8;
  return across.is_one_face && down.is_one_face &&
         across.bend2 + down.bend2 <= most * most * (squares > 1 ? squares : 1);
}

/// @name For uneven mapping: several reads along each axis, weighted by a tent that is two pixels
/// wide minus the width of a read, so that both methods blur equally. @{

/// The number of texels, rounded to an even number.
CUIMG_HD inline int env_reads(float texels) {
  constexpr float most = 2048.0f;
  if (!(texels > largest_unfiltered)) return 1;
  return 2 * (1 + floor_to_int(texels < most ? texels : most - 1.0f));
}
/// The end of the tent, in units of 1 / env_pixel.
CUIMG_HD inline int env_spread(float texels) {
  const float rest = 1.0f - 1.0f / (texels * texels);
  return rest > 0.0f ? static_cast<int>(sqrt(rest) * static_cast<float>(env_pixel)) : 0;
}
CUIMG_HD inline int env_offset(int index, int count, int spread) {
  return (2 * index + 1 - count) * spread / count;
}
/// A tent's weight for one of the reads, and the sum of all; these are integers.
CUIMG_HD inline float env_weight(int index, int count) {
  if (count == 1) return 1.0f;
  return static_cast<float>(2 * (index < count / 2 ? index : count - 1 - index) + 1);
}
CUIMG_HD inline float env_total(int count) {
  return count == 1 ? 1.0f : static_cast<float>(count / 2 * count);
}

template <int N, class Fetch>
CUIMG_HD inline Pixel<N> env_many_reads(const EnvOutput& to, const EnvLayout& from,
                                        const EnvPixel& pixel, const EnvPosition& middle,
                                        const Fetch& fetch) {
  constexpr int half = env_pixel / 2;
  const auto looks = [&](int x, int y) {
    return to.direction(pixel.face, pixel.x, pixel.y, {x, y});
  };
  const Vector3 view = looks(0, 0);
  const float across = from.texels_along(view, looks(half, 0) - looks(-half, 0));
  const float down = from.texels_along(view, looks(0, half) - looks(0, -half));
  const int columns = env_reads(across), rows = env_reads(down);
  if (columns * rows == 1) return env_read<N>(from, middle, fetch);
  const int wide = env_spread(across), high = env_spread(down);
  TapSum<N> all;
  for (int j = 0; j < rows; ++j) {
    TapSum<N> row;
    for (int i = 0; i < columns; ++i) {
      const Vector3 d = looks(env_offset(i, columns, wide), env_offset(j, rows, high));
      row.add(env_weight(i, columns), env_read<N>(from, from.position(d), fetch));
    }
    for (int k = 0; k < N; ++k) row.sum.v[k] /= env_total(columns);
    all.add(env_weight(j, rows), row.sum);
  }
  for (int k = 0; k < N; ++k) all.sum.v[k] /= env_total(rows);
  return all.sum;
}
/// @}

/// The texels of a face, or of a latlong picture, whose columns wrap around.
struct EnvArea {
  TexelBox box;
  bool goes_round;

  CUIMG_HD EnvArea(const EnvLayout& from, int face) {
    const bool is_cube = from.projection == EnvProjection::cube;
    const int x = is_cube ? from.faces[face].x : 0, y = is_cube ? from.faces[face].y : 0;
    box = {x, y, x + from.width, y + from.height};
    goes_round = from.projection == EnvProjection::latlong && !from.on_edges;
  }
  CUIMG_HD bool holds(const TexelBox& b) const {
    const int width = box.right - box.left;
    const bool rounds = goes_round && b.left >= -width && b.right <= 2 * width;
    return b.top >= box.top && b.bottom <= box.bottom &&
           ((b.left >= box.left && b.right <= box.right) || rounds);
  }
};

/// @returns whether an ellipse of texels fits the pixel; then `mean` is their mean.
/// @param row_at (x, y) -> (i) -> Pixel<N>, the texel at (x + i, y) of the picture.
template <int N, class RowAt>
CUIMG_HD inline bool env_footprint(const EnvLayout& from, const EnvPosition& middle,
                                   const WarpDerivative& slope, const RowAt& row_at,
                                   Pixel<N>& mean) {
  constexpr FootprintLimits limits = {0x1p22f, 0x1p22f, 0x1p30f};
  const Footprint ellipse = footprint_of(slope, 0, limits);
  FootprintPlace place({middle.x, middle.y});
  const EnvArea area(from, middle.face);
  place.column += area.box.left, place.row += area.box.top;
  const TexelBox reach = place.reach(ellipse);
  // For a disc, the area's corners decide.
  if (from.is_disc())
    for (const int x : {reach.left, reach.right - 1})
      for (const int y : {reach.top, reach.bottom - 1})
        if (!from.is_on_disc(x, y)) return false;
  if (!area.holds(reach)) return false;
  if (reach.left >= area.box.left && reach.right <= area.box.right) {
    mean = footprint_mean<N, true>(ellipse, place, row_at);
    return true;
  }
  const int width = area.box.right;
  mean = footprint_mean<N, true>(ellipse, place, [&](int x, int y) {
    return [row = row_at(0, y), x, width](int i) {
      const int column = x + i;
      return row(column < 0 ? column + width : column >= width ? column - width : column);
    };
  });
  return true;
}

/// One read for an output pixel. @param at the position of its middle.
template <int N, class RowAt>
CUIMG_HD inline Pixel<N> env_pixel_in(const EnvLayout& from, const EnvPosition& at,
                                      const RowAt& row_at) {
  Pixel<N> pixel = env_read<N>(from, at, [&](int x, int y) { return row_at(x, y)(0); });
  for (int k = 0; k < N; ++k) pixel.v[k] = canonical_nan(pixel.v[k]);
  return pixel;
}

/// The mean over an output pixel if the mapping is even. @returns whether it is.
/// @param known as for env_passes_evenly().
template <int N, class Known, class RowAt>
CUIMG_HD inline bool env_pixel_even(const EnvOutput& to, const EnvLayout& from,
                                    const EnvPixel& pixel, const Known& known, const RowAt& row_at,
                                    Pixel<N>& seen) {
  const EnvPosition middle = known(0, 0);
  WarpDerivative slope;
  if (!env_passes_evenly(to.layout, from, pixel, known, slope)) return false;
  if (!reads_unfiltered(slope)) return env_footprint<N>(from, middle, slope, row_at, seen);
  seen = env_pixel_in<N>(from, middle, row_at);
  return true;
}

/// The same if it is not even. @param middle the position of the pixel's middle.
template <int N, class RowAt>
CUIMG_HD inline Pixel<N> env_pixel_uneven(const EnvOutput& to, const EnvLayout& from,
                                          const EnvPixel& pixel, const EnvPosition& middle,
                                          const RowAt& row_at) {
  Pixel<N> seen =
      env_many_reads<N>(to, from, pixel, middle, [&](int x, int y) { return row_at(x, y)(0); });
  for (int k = 0; k < N; ++k) seen.v[k] = canonical_nan(seen.v[k]);
  return seen;
}

}  // namespace cuimg
