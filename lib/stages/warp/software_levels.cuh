// SPDX-License-Identifier: Apache-2.0
// Reads between the levels of a mipmapped array, for cards whose texture unit does not filter
// exactly like the software unit.
#pragma once

#include <bit>

#include "device/cuda/cuda_mipmap.h"
#include "kernels/texture/mip_sides.h"
#include "kernels/texture/texture_unit.h"

namespace cuimg {

inline constexpr int most_levels = std::bit_width(static_cast<unsigned>(longest_mip_side));

/// The same as CudaMipTexture, by the software unit.
template <int N>
struct SoftwareLevels {
  cudaSurfaceObject_t surface[most_levels];
  int count, width, height;  ///< Of the first level.
  Sampler sampler;

  __device__ Pixel<N> operator()(float x, float y, float level) const {
    const AxisTaps levels = level_taps(level, count);
    const auto taps_of = [&](int level) {
      return level_texel_taps(sampler, mip_side(width, level), mip_side(height, level), x, y);
    };
    const LevelTaps taps[2] = {taps_of(levels.near), taps_of(levels.far)};
    return linear_level_taps<float, N>(taps, levels.fraction, [&](int l, int i, int j) {
      if (i == outside || j == outside) return border_texel<float, N>(sampler);
      const CudaSurface<float, N> texels{surface[l == 0 ? levels.near : levels.far], 0, 0};
      using Taken = Texel<float, N>;
      return __builtin_bit_cast(Taken, texels.texel(i, j));
    });
  }
};

template <int N>
SoftwareLevels<N> software_levels(CudaMipmap& mipmap, const Sampler& sampler) {
  SoftwareLevels<N> levels{{}, mipmap.levels(), mipmap.width(), mipmap.height(), sampler};
  for (int l = 0; l < levels.count; ++l) levels.surface[l] = mipmap.surface(l);
  return levels;
}

}  // namespace cuimg
