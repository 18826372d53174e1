// SPDX-License-Identifier: Apache-2.0
// Cubemaps: the point where a direction meets the cube, and the four texels around that point,
// across the cube's edges if it is seamless.
//
// A card multiplies a direction by an approximate reciprocal of its largest component before the
// unit sees it; other generations may use another approximation. This code describes the unit for
// directions whose largest component is 1, which the multiplication does not change.
#pragma once

#include "kernels/math/platform.h"
#include "kernels/texture/texture_combine.h"
#include "kernels/texture/texture_coordinates.h"

namespace cuimg {

/// The point where a direction meets the cube: a face and normalised coordinates on it.
struct CubePoint {
  int face;
  float s, t;
};

/// The quotients are floored to the 2^-21 that normalised coordinates keep, so they are exact as
/// floats. Ties between axes go to z, then y; a zero direction hits the centre.
CUIMG_HD inline CubePoint cube_point(float x, float y, float z) {
  const double ax = x < 0 ? -static_cast<double>(x) : x;
  const double ay = y < 0 ? -static_cast<double>(y) : y;
  const double az = z < 0 ? -static_cast<double>(z) : z;
  int face;
  double sc, tc, ma;
  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4;
    sc = z < 0 ? -static_cast<double>(x) : x;
    tc = -static_cast<double>(y);
    ma = az;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2;
    sc = x;
    tc = y < 0 ? -static_cast<double>(z) : z;
    ma = ay;
  } else {
    face = x < 0 ? 1 : 0;
    sc = x < 0 ? z : -static_cast<double>(z);
    tc = -static_cast<double>(y);
    ma = ax;
  }
  // The double quotient of two floats never rounds across a multiple of 2^-20: it either equals the
  // multiple or differs from it by at least 2^-44 relatively.
  const auto coordinate = [ma](double c) {
    const double ratio = ma > 0 ? c / ma : 0.0;
    const double part = ratio == ratio ? exact_floor(ratio * 0x1p20) : 0.0;
    return static_cast<float>((part + 0x1p20) * 0x1p-21);
  };
  return {face, coordinate(sc), coordinate(tc)};
}

/// A texel of a cubemap.
struct CubeTexel {
  int face, x, y;
};

/// The texel (`x`, `y`) of a face with `size` texels per side; one coordinate may be one texel
/// beyond an edge, which means the neighbouring face's texel, folded over that edge.
CUIMG_HD inline CubeTexel cube_texel(int face, int x, int y, int size) {
  if (x >= 0 && x < size && y >= 0 && y < size) return {face, x, y};
  // Each face's normal, and its x and y directions.
  constexpr signed char axes[6][3][3] = {
      {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
      {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
      {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};
  // In half texels from the cube's middle. A texel beyond an edge is as deep as it is far out.
  int across = 2 * x + 1 - size, down = 2 * y + 1 - size;
  if (across < -size || across > size) across = across < 0 ? -size : size;
  if (down < -size || down > size) down = down < 0 ? -size : size;
  int place[3];
  for (int i = 0; i < 3; ++i)
    place[i] = (size - 1) * axes[face][0][i] + across * axes[face][1][i] + down * axes[face][2][i];
  CubeTexel texel = {};
  for (int i = 0; i < 3; ++i)
    if (place[i] == size || place[i] == -size) texel.face = 2 * i + (place[i] < 0 ? 1 : 0);
  across = down = size - 1;
  for (int i = 0; i < 3; ++i) {
    across += place[i] * axes[texel.face][1][i];
    down += place[i] * axes[texel.face][2][i];
  }
  texel.x = across / 2;
  texel.y = down / 2;
  return texel;
}

/// The texels of a linear read of a seamless cubemap: near x and near y first, then far x, far y,
/// far both; and their weights in units of 1/256.
struct CubeTaps {
  CubeTexel texels[4];
  int weights[4];
};

/// At a corner of the cube one of the four does not exist. A third of its weight, rounded, goes to
/// each of its neighbours, and the rest to the opposite texel, which replaces it without
/// weight. Sizes are at most 8192: above, coordinates keep other bits.
CUIMG_HD inline CubeTaps seamless_taps(const CubePoint& point, int size) {
  const auto position = [size](float coordinate) {
    return static_cast<int>(exact_floor(static_cast<double>(coordinate) * (256.0 * size) + 0.5)) -
           128;
  };
  const int px = position(point.s), py = position(point.t);
  const int x = px >> 8, y = py >> 8, fx = px & 255, fy = py & 255;
  CubeTaps taps;
  detail::slice_weights(fx, fy, 256, taps.weights);
  int missing = -1;
  for (int k = 0; k < 4; ++k) {
    const int i = x + (fx > 0 ? k & 1 : 0), j = y + (fy > 0 ? k >> 1 : 0);
    if ((i < 0 || i >= size) && (j < 0 || j >= size))
      missing = k;
    else
      taps.texels[k] = cube_texel(point.face, i, j, size);
  }
  if (missing < 0) return taps;
  const int opposite = 3 - missing, weight = taps.weights[missing], third = (weight + 1) / 3;
  for (int k = 0; k < 4; ++k)
    taps.weights[k] += k == missing ? -weight : k == opposite ? weight - 2 * third : third;
  taps.texels[missing] = taps.texels[opposite];
  return taps;
}

}  // namespace cuimg
