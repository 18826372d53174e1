// SPDX-License-Identifier: Apache-2.0
// Images of coordinates on a card.
#include "device/cuda/cuda_map_pixels.cuh"
#include "stages/warp/make_map.h"

namespace cuimg {
namespace {

struct CoordinatesOf {
  WarpCoordinates coordinates;
  template <class Map>
  __device__ Pixel<2> operator()(const Map& map, int x, int y) const {
    return coordinates.at(map, x, y);
  }
};

}  // namespace

void make_map_on_cuda(const Queue& queue, const WarpMap& map, const WarpCoordinates& coordinates,
                      const Frame& target) {
  map.visit([&](const auto& m) {
    map_pixels(queue.card(), "make_map", CoordinatesOf{coordinates}, m,
               target.card().pixel_target<2>(), target.region());
  });
}

}  // namespace cuimg
