// SPDX-License-Identifier: Apache-2.0
// Pictures that are a formula of the pixel's position. All decisions use integer arithmetic; floats
// only hold the values.
#pragma once

#include <cstdint>

#include "kernels/color/pixel_op.h"
#include "kernels/math/angle32.h"

namespace cuimg {

// A generator is a trivially copyable struct with
//   CUIMG_HD void operator()(int x, int y, float* v) const;
// which writes four floats; those beyond the layer's channels are ignored. (0, 0) is the pixel at
// the top left.

/// From a to b as t goes from 0 to 1: exact at both ends, and if a equals b.
CUIMG_HD inline float between(float a, float b, float t) {
  return canonical_nan(t < 0.5f ? fma(t, b - a, a) : fma(t - 1.0f, b - a, b));
}

/// The position of pixel i of n, from 0 at the first to 1 at the last.
CUIMG_HD inline float along(int i, int n) {
  return n > 1 ? static_cast<float>(i) / static_cast<float>(n - 1) : 0.0f;
}

/// The square of the distance from the picture's middle to the pixel's, in half pixels.
CUIMG_HD inline std::int64_t squared_distance(int x, int y, int width, int height) {
  const std::int64_t dx = 2 * x + 1 - width, dy = 2 * y + 1 - height;
  return dx * dx + dy * dy;
}

/// One value for every colour, alpha opaque.
CUIMG_HD inline void set_grey(const PixelShape& shape, float value, float* v) {
  for (int c = 0; c < 4; ++c) v[c] = c == shape.alpha ? 1.0f : value;
}

struct Constant {
  float color[4];
  CUIMG_HD void operator()(int, int, float* v) const {
    for (int c = 0; c < 4; ++c) v[c] = color[c];
  }
};

struct Checker {
  int cell;
  float colors[2][4];  ///< The first one is at the top left.
  CUIMG_HD void operator()(int x, int y, float* v) const {
    const int odd = (x / cell + y / cell) & 1;
    for (int c = 0; c < 4; ++c) v[c] = odd != 0 ? colors[1][c] : colors[0][c];
  }
};

struct Gradient {
  int width, height;
  bool radial;          ///< From the first colour in the middle to the second in the corners.
  float corners[4][4];  ///< Top left, top right, bottom left, bottom right.

  CUIMG_HD void operator()(int x, int y, float* v) const {
    if (radial) {
      const auto most = static_cast<float>(squared_distance(0, 0, width, height));
      const auto here = static_cast<float>(squared_distance(x, y, width, height));
      const float t = most > 0.0f ? sqrt(here / most) : 0.0f;
      for (int c = 0; c < 4; ++c) v[c] = between(corners[0][c], corners[1][c], t);
      return;
    }
    const float right = along(x, width), down = along(y, height);
    for (int c = 0; c < 4; ++c)
      v[c] = between(between(corners[0][c], corners[1][c], right),
                     between(corners[2][c], corners[3][c], right), down);
  }
};

/// Values from left to right, in bands: one for each colour, one for all of them, one for alpha.
struct Ramp {
  int width, height;
  int steps;  ///< 0: as many as there are pixels.
  float from, to;
  PixelShape shape;

  CUIMG_HD int bands() const {
    return (shape.colors > 1 ? shape.colors + 1 : 1) + (shape.alpha >= 0 ? 1 : 0);
  }
  CUIMG_HD void operator()(int x, int y, float* v) const {
    const int step = steps > 0 ? static_cast<int>(static_cast<std::int64_t>(x) * steps / width) : x;
    const float value = between(from, to, along(step, steps > 0 ? steps : width));
    const int band = static_cast<int>(static_cast<std::int64_t>(y) * bands() / height);
    const bool one_color = shape.colors > 1 && band < shape.colors;
    const bool fades = shape.alpha >= 0 && band == bands() - 1;
    for (int c = 0; c < 4; ++c) v[c] = one_color && c != band ? 0.0f : value;
    if (shape.alpha >= 0) v[shape.alpha] = fades ? value : 1.0f;
  }
};

/// Rings whose frequency increases linearly with the radius: (1 + cos(2 pi step r^2)) / 2, r in
/// half pixels. The phase is a 64-bit fraction of a turn, so its error does not grow with r.
struct Zoneplate {
  int width, height;
  std::uint64_t step;  ///< In turns, multiplied by 2^64.
  PixelShape shape;

  CUIMG_HD void operator()(int x, int y, float* v) const {
    const std::uint64_t phase =
        static_cast<std::uint64_t>(squared_distance(x, y, width, height)) * step;
    const auto rounded = static_cast<std::uint32_t>((phase + 0x80000000u) >> 32);
    set_grey(shape, fma(0.5f, cosine_of_turns(rounded), 0.5f), v);
  }
};

}  // namespace cuimg
