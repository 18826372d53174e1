// SPDX-License-Identifier: Apache-2.0
// Trilinear warps on a card: the levels in a mipmapped array, then reads by its texture unit where
// it filters as the software unit does, else by the same arithmetic over texels of the surfaces.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "device/cuda/cuda_map_pixels.cuh"
#include "device/cuda/cuda_mipmap.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/mip_halving.h"
#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/warp/warp_cuda.h"

namespace cuimg {
namespace {

template <int N>
__device__ Pixel<N> pixel_at(const CudaRows<float, N>& rows, int x, int y) {
  return __builtin_bit_cast(Pixel<N>, rows.texel(rows.left + x, rows.top + y));
}
template <int N>
__device__ Pixel<N> pixel_at(const CudaSurface<float, N>& level, int x, int y) {
  return __builtin_bit_cast(Pixel<N>, level.texel(x, y));
}

template <int N>
struct CopyTexel {
  __device__ Pixel<N> operator()(const CudaRows<float, N>& rows, int x, int y) const {
    return pixel_at(rows, x, y);
  }
};

// Of a level whose sides are even.
struct HalveEvenLevel {
  template <template <class, int> class Finer, int N>
  __device__ Pixel<N> operator()(const Finer<float, N>& finer, int x, int y) const {
    Pixel<N> texels[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) texels[i] = pixel_at(finer, 2 * x + i % 2, 2 * y + i / 2);
    return mip_mean(texels);
  }
};

struct HalveLevel {
  int width, height;  ///< Of the finer level.

  template <template <class, int> class Finer, int N>
  __device__ Pixel<N> operator()(const Finer<float, N>& finer, int x, int y) const {
    return mip_halved_texel<N>(x, y, width, height,
                               [&](int i, int j) { return pixel_at(finer, i, j); });
  }
};

// The first level and the next one, of sides that are even: texels are read once for both.
template <int N>
struct CopyAndHalve {
  PixelTarget<N, ArrayMemory> copy;

  __device__ Pixel<N> operator()(const CudaRows<float, N>& rows, int x, int y) const {
    Pixel<N> texels[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) texels[i] = pixel_at(rows, 2 * x + i % 2, 2 * y + i / 2);
#pragma unroll
    for (int i = 0; i < 4; ++i) copy.store(2 * x + i % 2, 2 * y + i / 2, texels[i]);
    return mip_mean(texels);
  }
};

// A picture's levels from `first` on, in a mipmapped array.
struct Chain {
  CudaMipmap& mipmap;
  int width, height;  ///< Of the picture.
  int first, last;

  Rect region(int level) const { return {0, 0, mip_side(width, level), mip_side(height, level)}; }
  cudaSurfaceObject_t surface(int level) const { return mipmap.surface(level - first); }
  template <int N>
  PixelTarget<N, ArrayMemory> target(int level) const {
    const Rect all = region(level);
    return {{surface(level)}, 0, 0, all.width, all.height};
  }
};

template <int N>
void make_levels(CudaQueue& card, const Frame& source, const Chain& chain) {
  const CudaRows<float, N> rows = source.card().rows_view<float, N>();
  const auto make = [&](int level, const auto& how, const auto& from) {
    map_pixels(card, "warp_level", how, from, chain.target<N>(level), chain.region(level));
  };
  const auto is_even = [&](int level) {
    const Rect all = chain.region(level);
    return all.width % 2 == 0 && all.height % 2 == 0;
  };
  const auto halve = [&](int level, const auto& from) {
    const Rect finer = chain.region(level - 1);
    if (is_even(level - 1))
      make(level, HalveEvenLevel{}, from);
    else
      make(level, HalveLevel{finer.width, finer.height}, from);
  };
  int made = chain.first;
  if (chain.first == 1) {
    halve(1, rows);
  } else if (chain.last > 0 && is_even(0)) {
    made = 1;
    make(1, CopyAndHalve<N>{chain.target<N>(0)}, rows);
  } else {
    make(0, CopyTexel<N>{}, rows);
  }
  for (int l = made + 1; l <= chain.last; ++l)
    halve(l, CudaSurface<float, N>{chain.surface(l - 1), 0, 0});
}

// What CudaMipTexture returns, in arithmetic.
constexpr int most_levels = std::bit_width(static_cast<unsigned>(longest_mip_side));
template <int N>
struct SoftwareLevels {
  cudaSurfaceObject_t surface[most_levels];
  int count, width, height;  ///< Of the first.
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

// @tparam Map the warp's own.
template <class Map, int N>
struct ReadLevels {
  Map map;
  NormalizedAxis columns, rows;
  Address address;
  float from_first;  ///< What makes of a level its number among those that are there.
  Pixel<N> hidden;

  template <class Levels>
  __device__ Pixel<N> operator()(const Levels& levels, int x, int y) const {
    WarpPosition at = {};
    WarpDerivative slope = {};
    const bool seen = map.at(x, y, at, slope);
    // A read for nothing, behind a horizon, costs less than a branch around it.
    const Pixel<N> pixel = levels(columns.coordinate(address, at.x), rows.coordinate(address, at.y),
                                  level_of_detail(slope) + from_first);
    return seen ? pixel : hidden;
  }
};

template <int N>
void read_levels(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                 const Frame& source, const Frame& target) {
  const int width = plan.texture.width, height = plan.texture.height;
  const int bits = level_coordinate_bits(std::max(width, height));
  const int first = plan.first_level, count = plan.last_level + 1 - first;
  const int first_width = mip_side(width, first), first_height = mip_side(height, first);
  CudaMipmap mipmap(card, N, first_width, first_height, count);
  make_levels<N>(card, source, {mipmap, width, height, first, plan.last_level});
  const Sampler sampler = plan.normalized_sampler(layer);
  const Pixel<N> hidden = decode(border_texel<float, N>(sampler));
  const auto read = [&](const auto& levels) {
    plan.map.visit([&](const auto& map) {
      const ReadLevels<std::decay_t<decltype(map)>, N> reads{map,
                                                             NormalizedAxis(width, bits),
                                                             NormalizedAxis(height, bits),
                                                             plan.address,
                                                             first * -1.0f,
                                                             hidden};
      with_any_target<N>(card, target, [&](const auto& pixels) {
        map_pixels(card, "warp_trilinear", reads, levels, pixels, target.region());
      });
    });
  };
  if (card.filters_levels_exactly()) return read(CudaMipTexture<N>{mipmap.texture(sampler)});
  SoftwareLevels<N> levels{{}, count, first_width, first_height, sampler};
  for (int l = 0; l < count; ++l) levels.surface[l] = mipmap.surface(l);
  read(levels);
}

}  // namespace

void warp_levels_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                         const Frame& source, const Frame& target) {
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { read_levels<n()>(card, plan, layer, source, target); });
}

}  // namespace cuimg
