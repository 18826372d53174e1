// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_mipmap.h"

#include "kernels/texture/mip_sides.h"

namespace cuimg {

CudaMipmap::CudaMipmap(CudaQueue& queue, int channels, int width, int height, int levels)
    : queue_(queue.shared_from_this()) {
  queue.make_current();
  block_ = queue.pool().mipmap({PixelType::f32, channels}, width, height, levels);
}

cudaTextureObject_t CudaMipmap::texture(const Sampler& sampler) {
  TextureKey key;
  key.format = block_->format;
  key.sampler = sampler;
  key.width = width();
  key.height = height();
  cudaTextureDesc description = texture_description(key);
  description.mipmapFilterMode = cudaFilterModeLinear;
  description.maxMipmapLevelClamp = static_cast<float>(levels() - 1);
  return kept_texture(*queue_, *block_, key, description, [this] {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = block_->mipmap.get();
    return resource;
  });
}

cudaSurfaceObject_t CudaMipmap::surface(int level) {
  auto& surfaces = block_->level_surfaces;
  if (surfaces.empty()) surfaces.resize(static_cast<std::size_t>(levels()));
  SurfaceHandle& kept = surfaces[static_cast<std::size_t>(level)];
  if (!kept) kept = new_surface(*queue_, level_array(level));
  return kept.get();
}

void CudaMipmap::copy_to(int level, const void* texels) {
  const auto rows = static_cast<std::size_t>(mip_side(height(), level));
  const std::size_t row_bytes =
      static_cast<std::size_t>(mip_side(width(), level)) * block_->format.bytes();
  const cudaArray_t array = level_array(level);
  CUIMG_CUDA(cudaMemcpy2DToArrayAsync, array, 0, 0, texels, row_bytes, row_bytes, rows,
             cudaMemcpyDeviceToDevice, queue_->stream());
}

cudaArray_t CudaMipmap::level_array(int level) const {
  cudaArray_t array = nullptr;  // owned by the mipmapped array
  queue_->make_current();
  CUIMG_CUDA(cudaGetMipmappedArrayLevel, &array, block_->mipmap.get(),
             static_cast<unsigned>(level));
  return array;
}

}  // namespace cuimg
