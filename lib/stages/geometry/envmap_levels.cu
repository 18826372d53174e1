// SPDX-License-Identifier: Apache-2.0
// Environment maps between levels on a card: a mipmapped array for the picture, or one for each
// face of a cube.
#include <vector>

#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/warp/env_level.h"
#include "stages/geometry/envmap.h"
#include "stages/warp/mip_levels_cuda.h"
#include "stages/warp/software_levels.cuh"

namespace cuimg {
namespace {

// @tparam Levels CudaMipTexture or SoftwareLevels.
template <class Levels>
struct FaceLevels {
  Levels face[6];
};

template <int N>
struct ReadFaces {
  EnvLevelReads reads;

  template <class Levels>
  __device__ Pixel<N> operator()(const FaceLevels<Levels>& faces, int x, int y) const {
    const EnvLevelRead read = reads.at(x, y);
    if (read.face < 0) return Pixel<N>{};
    return faces.face[read.face](read.x, read.y, read.level - reads.first);
  }
};

template <int N>
void read_levels(CudaQueue& card, const EnvmapPlan& plan, const Frame& source,
                 const Frame& target) {
  const int width = plan.from.width, height = plan.from.height;
  const int first = plan.first_level;
  CudaRows<float, N> rows = source.card().rows_view<float, N>();
  std::vector<CudaMipmap> mipmaps;
  for (int f = 0; f < plan.faces(); ++f) {
    mipmaps.emplace_back(card, N, mip_side(width, first), mip_side(height, first),
                         plan.last_level + 1 - first);
    const Rect face = plan.face(f);
    CudaRows<float, N> texels = rows;
    texels.data = reinterpret_cast<char*>(&rows.row(rows.top + face.y)[face.x]);
    make_levels(card, texels, {mipmaps.back(), width, height, first, plan.last_level});
  }
  const EnvLevelReads reads(plan.to, plan.from, first);
  const Sampler sampler = reads.sampler();
  const auto read = [&](const auto& levels_of) {
    FaceLevels<decltype(levels_of(mipmaps[0]))> levels = {};
    for (std::size_t f = 0; f < mipmaps.size(); ++f) levels.face[f] = levels_of(mipmaps[f]);
    map_pixels(card, "envmap_trilinear", ReadFaces<N>{reads}, levels,
               target.card().pixel_target<N>(), target.region());
  };
  if (card.filters_levels_exactly())
    return read([&](CudaMipmap& m) { return CudaMipTexture<N>{m.texture(sampler)}; });
  read([&](CudaMipmap& m) { return software_levels<N>(m, sampler); });
}

}  // namespace

void map_levels_on_cuda(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                        const Frame& target) {
  with_stored_channels(target.format().stored_channels(),
                       [&](auto n) { read_levels<n()>(queue.card(), plan, source, target); });
}

}  // namespace cuimg
