// SPDX-License-Identifier: Apache-2.0
// The launches of trilinear warps. The levels are in a mipmapped array, which the texture unit
// reads if it filters exactly like the software unit, otherwise the software unit through surfaces.
#include <algorithm>
#include <type_traits>

#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/warp/mip_levels_cuda.h"
#include "stages/warp/software_levels.cuh"
#include "stages/warp/warp_cuda.h"

namespace cuimg {
namespace {

// @tparam Map the type of the warp's map.
template <class Map, int N>
struct ReadLevels {
  Map map;
  NormalizedAxis columns, rows;
  Address address;
  float from_first;  ///< Added to a level, gives its index among the levels that exist.
  Pixel<N> hidden;

  template <class Levels>
  __device__ Pixel<N> operator()(const Levels& levels, int x, int y) const {
    WarpPosition at = {};
    WarpDerivative slope = {};
    const bool seen = map.at(x, y, at, slope);
    // An unneeded read behind the horizon costs less than a branch around it.
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
  make_levels(card, source.card().rows_view<float, N>(),
              {mipmap, width, height, first, plan.last_level});
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
      map_pixels(card, "warp_trilinear", reads, levels, form_target<N>(card, target),
                 target.region());
    });
  };
  if (card.filters_levels_exactly()) return read(CudaMipTexture<N>{mipmap.texture(sampler)});
  read(software_levels<N>(mipmap, sampler));
}

}  // namespace

void warp_levels_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                         const Frame& source, const Frame& target) {
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { read_levels<n()>(card, plan, layer, source, target); });
}

}  // namespace cuimg
