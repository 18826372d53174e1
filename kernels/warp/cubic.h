// SPDX-License-Identifier: Apache-2.0
// A bicubic read at any position: Keys' curve with a = -1/2 over four by four texels.
#pragma once

#include "kernels/math/math.h"
#include "kernels/math/pixel.h"
#include "kernels/math/platform.h"
#include "kernels/stencil/resample.h"
#include "kernels/texture/texture_coordinates.h"

namespace cuimg {

/// The four texels around a position on one axis, border applied, and their weights.
struct CubicTaps {
  int texel[4];  ///< May be `outside`.
  float weight[4];
};

/// The same before the border's rule.
struct CubicAxis {
  int first;  ///< The index of the first of the four texels.
  float weight[4];

  CUIMG_HD bool is_inside(int size) const { return first >= 0 && first < size - 3; }
  CUIMG_HD bool all_count() const {
    return weight[0] != 0 && weight[1] != 0 && weight[2] != 0 && weight[3] != 0;
  }
};

/// Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981, a = -1/2. Weights
/// are multiples of 2^-23 and their sum is exactly 1 in any order, so a picture that is opaque
/// everywhere stays opaque.
/// @param fraction the distance past the second texel, in [0, 1).
CUIMG_HD inline void cubic_weights(float fraction, float (&weight)[4]) {
  const float f = fraction, g = 1.0f - fraction;
  // Floats between 1 and 2 are 2^-23 apart, so the sum rounds to that.
  weight[0] = (1.5f - 0.5f * f * (g * g)) - 1.5f;
  weight[3] = (1.5f - 0.5f * g * (f * f)) - 1.5f;
  weight[1] = (1.0f + fma(fma(1.5f, f, -2.5f), f * f, 1.0f)) - 1.0f;
  weight[2] = 1.0f - weight[0] - weight[1] - weight[3];
}

/// For any index, however far out.
CUIMG_HD inline int addressed(Address address, int index, int size) {
  switch (address) {
    case Address::clamp:
      return index < 0 ? 0 : index >= size ? size - 1 : index;
    case Address::border:
      return index < 0 || index >= size ? outside : index;
    case Address::wrap: {
      const int r = index % size;
      return r < 0 ? r + size : r;
    }
    case Address::mirror: {
      const int r = index % (2 * size);
      const int j = r < 0 ? r + 2 * size : r;
      return j < size ? j : 2 * size - 1 - j;
    }
  }
  return outside;
}

CUIMG_HD inline CubicTaps addressed(Address address, const CubicAxis& axis, int size) {
  CubicTaps taps;
  for (int k = 0; k < 4; ++k) {
    taps.texel[k] = addressed(address, axis.first + k, size);
    taps.weight[k] = axis.weight[k];
  }
  return taps;
}

/// @param coordinate in the sampler's units on this axis; positions are those of the texture unit
/// before it rounds them to 1/256 texel.
CUIMG_HD inline CubicAxis cubic_axis(const Sampler& sampler, int axis, int size, float coordinate) {
  CubicAxis result;
  if (!sampler.normalized && coordinate >= 1.0f && coordinate < static_cast<float>(size)) {
    // This is also exact in float, whose steps here are no finer than those of the result.
    const float position = coordinate - 0.5f;
    const int whole = static_cast<int>(position);
    result.first = whole - 1;
    cubic_weights(position - static_cast<float>(whole), result.weight);
    return result;
  }
  const double position = with_axis(sampler.address[axis], sampler.normalized, size,
                                    [&](const auto& a) { return a.position(coordinate); }) -
                          0.5;
  const double whole = exact_floor(position);
  result.first = static_cast<int>(whole) - 1;
  cubic_weights(static_cast<float>(position - whole), result.weight);
  return result;
}

/// Rows first, then their sum. Texels without weight are not read, so that a NaN does not spread.
/// @param fetch (x, y) -> Pixel<N>; an index may be `outside`.
template <int N, class Fetch>
CUIMG_HD inline Pixel<N> cubic_read(const CubicTaps& x, const CubicTaps& y, const Fetch& fetch) {
  TapSum<N> column;
  for (int j = 0; j < 4; ++j) {
    if (y.weight[j] == 0.0f) continue;
    TapSum<N> row;
    for (int i = 0; i < 4; ++i)
      if (x.weight[i] != 0.0f) row.add(x.weight[i], fetch(x.texel[i], y.texel[j]));
    column.add(y.weight[j], row.sum);
  }
  return column.result();
}

/// The same for a picture. @param address, normalized the sampler's.
/// @param inside (x, y) -> Pixel<N>, for texels of the picture. @param any the same, also for
/// `outside`.
template <int N, class Inside, class Any>
CUIMG_HD inline Pixel<N> cubic_read(const CubicAxis& x, const CubicAxis& y, const Address* address,
                                    bool normalized, int width, int height, const Inside& inside,
                                    const Any& any) {
  const bool is_plain = x.is_inside(width) && y.is_inside(height) && x.all_count() && y.all_count();
  if (!is_plain)
    return cubic_read<N>(addressed(effective_address(address[0], normalized), x, width),
                         addressed(effective_address(address[1], normalized), y, height), any);
  TapSum<N> column;
  for (int j = 0; j < 4; ++j) {
    TapSum<N> row;
    for (int i = 0; i < 4; ++i) row.add(x.weight[i], inside(x.first + i, y.first + j));
    column.add(y.weight[j], row.sum);
  }
  return column.result();
}

}  // namespace cuimg
