// SPDX-License-Identifier: Apache-2.0
// The launches of remap between levels. The levels are in a mipmapped array, which the texture unit
// reads if it filters exactly like the software unit, otherwise the software unit through surfaces.
#include <algorithm>

#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/warp/map_level.h"
#include "stages/warp/mip_levels_cuda.h"
#include "stages/warp/remap.h"
#include "stages/warp/software_levels.cuh"

namespace cuimg {
namespace {

struct MapPlaces {
  CudaRows<float, 2> rows;
  int left, top, width, height;  ///< The map's region.

  __device__ MapReads::Place operator()(int x, int y) const {
    const PackedTexel<float, 2> texel = rows.texel(left + x, top + y);
    return {texel.v[0], texel.v[1]};
  }
};

struct ReadMapLevels {
  MapPlaces map;
  MapReads reads;

  template <class Levels>
  __device__ auto operator()(const Levels& levels, int x, int y) const {
    const MapRead at = reads.at(map, x - map.left, y - map.top, map.width, map.height);
    return levels(at.x, at.y, at.level);
  }
};

template <int N>
void read_levels(CudaQueue& card, const TextureLookup& read, const Frame& source, const Frame& map,
                 const Frame& target) {
  const int width = source.region().width, height = source.region().height;
  const int last = last_mip_level(width, height);
  CudaMipmap mipmap(card, N, width, height, last + 1);
  CudaRows<float, N> texels = source.card().rows_view<float, N>();
  texels.left = texels.top = 0;
  make_levels(card, texels, {mipmap, width, height, 0, last});
  const Rect& m = map.region();
  const ReadMapLevels reads{{map.card().rows_view<float, 2>(), m.x, m.y, m.width, m.height},
                            MapReads(width, height, level_coordinate_bits(std::max(width, height)),
                                     read.sampler.address[0], read.are_normalized)};
  const auto make = [&](const auto& levels) {
    map_pixels(card, "remap_trilinear", reads, levels, target.card().pixel_target<N>(),
               target.region());
  };
  if (card.filters_levels_exactly()) return make(CudaMipTexture<N>{mipmap.texture(read.sampler)});
  make(software_levels<N>(mipmap, read.sampler));
}

}  // namespace

void read_levels_on_cuda(const Queue& queue, const TextureLookup& read, const Frame& source,
                         const Frame& map, const Frame& target) {
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { read_levels<n()>(queue.card(), read, source, map, target); });
}

}  // namespace cuimg
