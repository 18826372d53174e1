// SPDX-License-Identifier: Apache-2.0
// Envmap's launches. Texels are read by point, since what lies across a seam is no neighbour in the
// array, and weighed in shared arithmetic.
#include "device/cuda/cuda_words.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/warp/env_read.h"
#include "stages/geometry/envmap.h"

namespace cuimg {
namespace {

template <int N>
struct SeenPixel {
  EnvmapPlan plan;
  __device__ Pixel<N> operator()(const CudaTexture<N>& texture, int x, int y) const {
    return env_pixel<N>(plan.to, plan.from, x, y, plan.antialias,
                        [&](int u, int v) { return texture.texel(u, v); });
  }
};

struct NearestId {
  EnvmapPlan plan;
  ByteRows source;
  __device__ TexelWords operator()(int x, int y) const {
    EnvTexel texel;
    return env_nearest_pixel(plan.to, plan.from, x, y, texel) ? source.words(texel.x, texel.y)
                                                              : TexelWords{};
  }
};

template <int N>
void map_layer(CudaQueue& card, const EnvmapPlan& plan, const Frame& source, const Frame& target) {
  Sampler point;
  point.filter = Filter::point;
  const CudaTexture<N> texture = source.card().texture_view<N>(point);
  map_pixels(card, "envmap", SeenPixel<N>{plan}, texture, target.card().pixel_target<N>(),
             target.region());
}

}  // namespace

void map_environment_on_cuda(const Queue& queue, const EnvmapPlan& plan, const Frame& source,
                             const Frame& target) {
  CudaQueue& card = queue.card();
  if (target.format().type == PixelType::u32)
    return make_texels(card, "envmap_ids", NearestId{plan, ByteRows(source)}, target);
  with_stored_channels(target.format().stored_channels(),
                       [&](auto n) { map_layer<n()>(card, plan, source, target); });
}

}  // namespace cuimg
