// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_chroma.h"

#include <algorithm>
#include <cstddef>

#include "kernels/math/half.h"

namespace cuimg {
namespace {

using Imf::Rgba;
using Imf::RgbaYca::N2;

// As the project stores every float: a NaN that arithmetic made is not the processor's.
half stored(float value) { return half(half::FromBits, float_to_half(value).bits); }

// The chroma between samples is a sum of those at odd distances, 13 to 1 and 1 to 13.
constexpr std::array<float, 7> taps = {0.002128f, -0.007540f, 0.019597f, -0.043159f,
                                       0.087929f, -0.186077f, 0.627123f};

template <class SampleAt>
half between(const SampleAt& sample_at) {
  float sum = sample_at(-N2) * taps[0];
  for (std::size_t i = 1; i < 2 * taps.size(); ++i) {
    const std::size_t tap = i < taps.size() ? i : 2 * taps.size() - 1 - i;
    sum += sample_at(2 * static_cast<int>(i) - N2) * taps[tap];
  }
  return stored(sum);
}

float largest(const Rgba& p) { return std::max<float>(p.r, std::max<float>(p.g, p.b)); }

float saturation(const Rgba& p) {
  const float high = largest(p), low = std::min<float>(p.r, std::min<float>(p.g, p.b));
  return high > 0 ? 1 - low / high : 0;
}

float luminance(const LuminanceWeights& weights, const Rgba& p) {
  return p.r * weights[0] + p.g * weights[1] + p.b * weights[2];
}

// Nearer to grey by `factor`, as bright as before.
Rgba desaturated(const LuminanceWeights& weights, const Rgba& p, float factor) {
  const float high = largest(p);
  const auto nearer = [&](half value) {
    return stored(std::max(high - (high - value) * factor, 0.0f));
  };
  Rgba result(nearer(p.r), nearer(p.g), nearer(p.b), p.a);
  const float before = luminance(weights, p), after = luminance(weights, result);
  if (after > 0)
    for (half* value : {&result.r, &result.g, &result.b})
      *value = stored(*value * (before / after));
  return result;
}

}  // namespace

LuminanceWeights luminance_weights(const Imf::Chromaticities& c) {
  Imf::RGBtoXYZ(c, 1);  // Refuses what has no answer.
  const float x = c.white.x / c.white.y, z = (1 - c.white.x - c.white.y) / c.white.y;
  // By Cramer's rule, how much of each primary makes white; `d` is the determinant.
  const float d = c.red.x * (c.blue.y - c.green.y) + c.blue.x * (c.green.y - c.red.y) +
                  c.green.x * (c.red.y - c.blue.y);
  const auto column = [&](float y) { return (y - 1) + y * (x + z); };
  const float red =
      x * (c.blue.y - c.green.y) - c.green.x * column(c.blue.y) + c.blue.x * column(c.green.y);
  const float green =
      x * (c.red.y - c.blue.y) + c.red.x * column(c.blue.y) - c.blue.x * column(c.red.y);
  const float blue =
      x * (c.green.y - c.red.y) - c.red.x * column(c.green.y) + c.green.x * column(c.red.y);
  const LuminanceWeights y = {red / d * c.red.y, green / d * c.green.y, blue / d * c.blue.y};
  const float sum = y[0] + y[1] + y[2];
  return {y[0] / sum, y[1] / sum, y[2] / sum};
}

void fill_chroma_across(int width, const Rgba* from, Rgba* to) {
  from += N2;
  for (int x = 0; x < width; ++x) {
    to[x] = from[x];
    if (x % 2 == 0) continue;
    to[x].r = between([&](int distance) -> float { return from[x + distance].r; });
    to[x].b = between([&](int distance) -> float { return from[x + distance].b; });
  }
}

void fill_chroma_down(int width, const std::array<const Rgba*, Imf::RgbaYca::N>& rows, Rgba* to) {
  const auto row_at = [&](int distance) { return rows[static_cast<std::size_t>(N2 + distance)]; };
  for (int x = 0; x < width; ++x) {
    to[x] = row_at(0)[x];
    to[x].r = between([&](int distance) -> float { return row_at(distance)[x].r; });
    to[x].b = between([&](int distance) -> float { return row_at(distance)[x].b; });
  }
}

void chroma_to_rgb(const LuminanceWeights& weights, int width, const Rgba* from, Rgba* to) {
  for (int x = 0; x < width; ++x) {
    const Rgba in = from[x];
    if (in.r == 0 && in.b == 0) {  // Grey stays exactly grey.
      to[x] = Rgba(in.g, in.g, in.g, in.a);
      continue;
    }
    const float y = in.g, r = (in.r + 1) * y, b = (in.b + 1) * y;
    const float g = (y - r * weights[0] - b * weights[2]) / weights[1];
    to[x] = Rgba(stored(r), stored(g), stored(b), in.a);
  }
}

void limit_saturation(const LuminanceWeights& weights, int width,
                      const std::array<const Rgba*, 3>& rows, Rgba* to) {
  for (int x = 0; x < width; ++x) {
    const int left = std::max(x - 1, 0), right = std::min(x + 1, width - 1);
    const float mean =
        std::min(1.0f, 0.25f * (saturation(rows[0][left]) + saturation(rows[0][right]) +
                                saturation(rows[2][left]) + saturation(rows[2][right])));
    const float own = saturation(rows[1][x]);
    const float most = std::min(1.0f, 1 - (1 - mean) * 0.25f);
    to[x] = own > mean && own > most ? desaturated(weights, rows[1][x], most / own) : rows[1][x];
  }
}

}  // namespace cuimg
