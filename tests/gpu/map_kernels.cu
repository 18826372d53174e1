// SPDX-License-Identifier: Apache-2.0
#include "device/cuda_map_pixels.cuh"
#include "map_kernels.h"

namespace cuimg {
namespace {

struct Enlarge {
  int left, top;
  __device__ Pixel<4> operator()(const CudaTexture<4>& source, int x, int y) const {
    return source((static_cast<float>(x - left) + 0.5f) * 0.5f,
                  (static_cast<float>(y - top) + 0.5f) * 0.5f);
  }
};

struct AddX {
  template <class Source>
  __device__ Pixel<2> operator()(const Source& source, int x, int y) const {
    const auto texel = source.texel(x, y);
    return {{texel.v[0] + static_cast<float>(x), texel.v[1]}};
  }
};

}  // namespace

void enlarge_twice(CudaPixels& source, CudaPixels& target, const Sampler& sampler) {
  const Rect region = target.format().region;
  const Enlarge enlarge = {region.x, region.y};
  const CudaTexture<4> texture = source.texture_view<4>(sampler);
  if (target.is_array()) {
    map_pixels(target.queue(), "enlarge", enlarge, texture, target.surface_view<float, 4>(),
               region);
  } else {
    map_pixels(target.queue(), "enlarge", enlarge, texture, target.rows_view<float, 4>(), region);
  }
}

void add_x(CudaPixels& source, CudaPixels& target) {
  map_pixels(target.queue(), "add_x", AddX{}, source.rows_view<float, 2>(),
             target.rows_view<float, 2>(), target.format().region, dim3(256));
}

}  // namespace cuimg
