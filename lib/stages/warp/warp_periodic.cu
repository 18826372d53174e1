// SPDX-License-Identifier: Apache-2.0
// Linear reads of a picture that repeats or is mirrored, by the texture unit's own address modes,
// for sizes at which its normalised coordinates can express every position in units of 1/256 texel.
#include <algorithm>

#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/warp/normalized_axis.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/warp/warp_cuda.h"

namespace cuimg {
namespace {

// @tparam Map the type of the warp's map.
template <class Map, int N>
struct ReadPeriodic {
  Map map;
  NormalizedAxis columns, rows;
  Address address;
  Pixel<N> hidden;

  __device__ Pixel<N> operator()(const CudaTexture<N>& texture, int x, int y) const {
    WarpPosition at = {};
    const bool seen = map.at(x, y, at);
    // An unneeded read behind the horizon costs less than a branch around it.
    const Pixel<N> pixel =
        texture(columns.coordinate(address, at.x), rows.coordinate(address, at.y));
    return seen ? pixel : hidden;
  }
};

}  // namespace

template <int N>
void warp_periodic_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                           const Frame& source, const Pixel<N>& hidden, const Frame& target) {
  const int width = plan.texture.width, height = plan.texture.height;
  const int bits = coordinate_bits(std::max(width, height));
  const CudaTexture<N> texture =
      source.card().template texture_view<N>(plan.normalized_sampler(layer));
  plan.map.visit([&](const auto& map) {
    const ReadPeriodic<std::decay_t<decltype(map)>, N> reads{
        map, NormalizedAxis(width, bits), NormalizedAxis(height, bits), plan.address, hidden};
    map_pixels(card, "warp_periodic", reads, texture, form_target<N>(card, target),
               target.region());
  });
}

template void warp_periodic_on_cuda(CudaQueue&, const WarpPlan&, const WarpPlan::Layer&,
                                    const Frame&, const Pixel<1>&, const Frame&);
template void warp_periodic_on_cuda(CudaQueue&, const WarpPlan&, const WarpPlan::Layer&,
                                    const Frame&, const Pixel<2>&, const Frame&);
template void warp_periodic_on_cuda(CudaQueue&, const WarpPlan&, const WarpPlan::Layer&,
                                    const Frame&, const Pixel<4>&, const Frame&);

}  // namespace cuimg
