// SPDX-License-Identifier: Apache-2.0
// Reads an environment map in one direction, across its seams.
#pragma once

#include "kernels/math/pixel.h"
#include "kernels/stencil/resample.h"
#include "kernels/warp/env_output.h"

namespace cuimg {

struct EnvTexel {
  int x, y;  ///< In the picture.
};

/// The texel to read for (x, y) of a disc. If (x, y) is beyond the rim, it is as far inside the rim
/// on the other side, because past the rim's direction the view comes down again there.
CUIMG_HD inline EnvTexel env_texel_on_disc(const EnvLayout& from, int x, int y) {
  if (from.is_on_disc(x, y)) return {x, y};
  const auto size = static_cast<float>(from.width);
  const float u = static_cast<float>(2 * x + 1 - from.width) / size;
  const float v = static_cast<float>(2 * y + 1 - from.height) / size;
  const float radius = sqrt(u * u + v * v);
  // Far enough inside that the nearest texel's centre is also inside.
  const float deepest = 1.0f - 1.5f / size;
  float inside = 2.0f - radius < deepest ? 2.0f - radius : deepest;
  inside = inside > 0.0f ? inside : 0.0f;
  const float scale = inside / radius;
  const auto index = [&](float place) {
    const int i = floor_to_int((1.0f - place * scale) * (0.5f * size));
    return i < 0 ? 0 : i < from.width ? i : from.width - 1;
  };
  return {index(u), index(v)};
}

/// The texel to read for (x, y) of a cube's face. If x or y is one texel beyond an edge, it is the
/// neighbouring face's texel there.
CUIMG_HD inline EnvTexel env_texel_on_cube(const EnvLayout& from, int face, int x, int y) {
  const int n = from.width;
  const EnvFace* f = &from.faces[face];
  if (x < 0 || x >= n || y < 0 || y >= n) {
    // In half texels from the cube's middle. After folding over the edge, the excess becomes depth.
    int a = 2 * x + 1 - n, b = 2 * y + 1 - n, depth = n;
    if (a < -n || a > n) depth = n - 1, a = a < 0 ? -n : n;
    if (b < -n || b > n) depth = n - 1, b = b < 0 ? -n : n;
    int p[3];
    for (int i = 0; i < 3; ++i) p[i] = depth * f->axis[i] + a * f->right[i] + b * f->down[i];
    for (int i = 0; i < 3; ++i)
      if (p[i] == n || p[i] == -n) f = &from.faces[2 * i + (p[i] < 0 ? 1 : 0)];
    int right = 0, down = 0;
    for (int i = 0; i < 3; ++i) right += p[i] * f->right[i], down += p[i] * f->down[i];
    x = (right + n - 1) / 2, y = (down + n - 1) / 2;
  }
  return {f->x + x, f->y + y};
}

/// The texel to read for (x, y), at most one texel beyond the picture's edges.
CUIMG_HD inline EnvTexel env_texel(const EnvLayout& from, int face, int x, int y) {
  const int w = from.width, h = from.height;
  if (from.on_edges) {  // there is nothing beyond
    x = x < 0 ? 0 : x < w ? x : w - 1;
    y = y < 0 ? 0 : y < h ? y : h - 1;
  }
  if (from.projection == EnvProjection::cube) return env_texel_on_cube(from, face, x, y);
  if (from.projection != EnvProjection::latlong) return env_texel_on_disc(from, x, y);
  // Past a pole the view continues downwards, half a turn away.
  if (y < 0 || y >= h) {
    y = y < 0 ? -1 - y : 2 * h - 1 - y;
    x += w / 2;
  }
  x %= w;
  return {x < 0 ? x + w : x, y};
}

/// The texel nearest to a direction.
CUIMG_HD inline EnvTexel env_nearest(const EnvLayout& from, const Vector3& direction) {
  const EnvPosition at = from.position(direction);
  const auto nearest = [](std::int64_t position) {
    return static_cast<int>((position + 0x80000000ll) >> 32);
  };
  const int x = nearest(at.x), y = nearest(at.y);
  if (from.projection != EnvProjection::cube) return env_texel(from, at.face, x, y);
  const auto inside = [&](int i) { return i < 0 ? 0 : i < from.width ? i : from.width - 1; };
  return env_texel(from, at.face, inside(x), inside(y));
}

/// The same for an output pixel. @returns false if it shows no direction.
CUIMG_HD inline bool env_nearest_pixel(const EnvOutput& to, const EnvLayout& from, int x, int y,
                                       EnvTexel& texel) {
  const EnvLayout& layout = to.layout;
  const int face = layout.face_at(x, y);
  if (face < 0) return false;
  if (layout.projection == EnvProjection::cube)
    x -= layout.faces[face].x, y -= layout.faces[face].y;
  texel = env_nearest(from, to.direction(face, x, y));
  return true;
}

/// The four texels around a position, with bilinear weights in steps of 2^-12, so that they are
/// exact and add up to 1. Texels without weight are not read.
/// @param fetch (x, y) -> Pixel<N>, inside the picture.
template <int N, class Fetch>
CUIMG_HD inline Pixel<N> env_read(const EnvLayout& from, const EnvPosition& at,
                                  const Fetch& fetch) {
  const std::int64_t qx = (at.x + 0x80000) >> 20, qy = (at.y + 0x80000) >> 20;
  const int left = static_cast<int>(qx >> 12), top = static_cast<int>(qy >> 12);
  const float fx = static_cast<float>(static_cast<int>(qx & 4095)) * 0x1p-12f;
  const float fy = static_cast<float>(static_cast<int>(qy & 4095)) * 0x1p-12f;
  const auto weight_of = [&](int i, int j) {
    return (i == 0 ? 1.0f - fx : fx) * (j == 0 ? 1.0f - fy : fy);
  };
  TapSum<N> sum;
  // Away from seams the four are adjacent; on discs only their corners decide.
  const bool is_cube = from.projection == EnvProjection::cube;
  const bool is_plain = left >= 0 && top >= 0 && left + 1 < from.width && top + 1 < from.height &&
                        (is_cube || from.projection == EnvProjection::latlong);
  if (is_plain && fx != 0 && fy != 0) {
    const int x = left + (is_cube ? from.faces[at.face].x : 0);
    const int y = top + (is_cube ? from.faces[at.face].y : 0);
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) sum.add(weight_of(i, j), fetch(x + i, y + j));
    return sum.sum;
  }
  const auto read = [&](int x, int y) {
    const EnvTexel texel = env_texel(from, at.face, x, y);
    return fetch(texel.x, texel.y);
  };
  // Three faces meet in a cube's corner: the missing fourth texel is the mean of the three.
  const int n = from.width;
  const auto is_past = [&](int i) { return i < 0 || i >= n; };
  const bool at_corner = is_cube && !is_plain && !from.on_edges;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const float weight = weight_of(i, j);
      if (weight == 0.0f) continue;
      const int x = left + i, y = top + j;
      if (at_corner && is_past(x) && is_past(y)) {
        const int inside_x = x < 0 ? 0 : n - 1, inside_y = y < 0 ? 0 : n - 1;
        const Pixel<N> a = read(inside_x, inside_y), b = read(x, inside_y), c = read(inside_x, y);
        Pixel<N> mean;
        // In double three times a float is exact, and a third of that is the float again.
        for (int k = 0; k < N; ++k)
          mean.v[k] =
              static_cast<float>((static_cast<double>(a.v[k]) + static_cast<double>(b.v[k]) +
                                  static_cast<double>(c.v[k])) /
                                 3.0);
        sum.add(weight, mean);
      } else {
        sum.add(weight, read(x, y));
      }
    }
  return sum.sum;
}

}  // namespace cuimg
