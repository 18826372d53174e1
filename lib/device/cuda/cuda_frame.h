// SPDX-License-Identifier: Apache-2.0
// A frame's pixels on a card, and the views that kernels take: texture, surface, rows.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "device/cuda/cuda_pool.h"
#include "device/frame.h"
#include "kernels/texture/texture_cuda.h"

namespace cuimg {

class CudaQueue;

/// What a texture read returns.
enum class TextureRead : std::uint8_t {
  as_float,  ///< Floats: u8 and u16 as fractions of their largest value, half and float unchanged.
  element,   ///< The stored integers (u8, u16, u32); half and float as floats.
};

class CudaPixels {
 public:
  /// Uninitialised pixels. @throws DeviceError: no memory, or larger than the card's textures.
  CudaPixels(std::shared_ptr<CudaQueue> queue, const FrameFormat& format);
  ~CudaPixels();
  CudaPixels(const CudaPixels&) = delete;
  CudaPixels& operator=(const CudaPixels&) = delete;

  const FrameFormat& format() const { return format_; }
  int width() const { return format_.region.width; }
  int height() const { return format_.region.height; }
  bool is_array() const { return format_.storage == Storage::array; }
  CudaQueue& queue() const { return *queue_; }

  /// Pitched memory only: the first row, and bytes from row to row (a multiple of 512).
  void* data() const { return block_->memory.get(); }
  std::size_t pitch_bytes() const { return pitch_bytes_; }
  /// Arrays only.
  cudaArray_t array() const { return block_->array.get(); }

  /// A texture object, kept with the pixels: asking again costs nothing. @throws DeviceError.
  cudaTextureObject_t texture(const Sampler& sampler, TextureRead read = TextureRead::as_float);
  /// Arrays only; likewise kept. @throws DeviceError.
  cudaSurfaceObject_t surface();

  /// The same as what kernels take. T and N must fit the stored texels. Coordinates of surfaces
  /// and rows are absolute; a texture's are relative to the region's corner. @throws Error.
  template <int N>
  CudaTexture<N> texture_view(const Sampler& sampler) {
    require_texel(N, bytes_of(format_.type) * N, format_.storage);
    return {texture(sampler)};
  }
  template <class T, int N>
  CudaSurface<T, N> surface_view() {
    require_texel(N, sizeof(T) * N, Storage::array);
    return {surface(), format_.region.x, format_.region.y};
  }
  template <class T, int N>
  CudaRows<T, N> rows_view() const {
    require_texel(N, sizeof(T) * N, Storage::pitched);
    return {static_cast<char*>(data()), pitch_bytes_,         format_.region.x,
            format_.region.y,           format_.region.width, format_.region.height};
  }
  /// Raw texels in pitched memory, for what the software unit reads. Relative to the region's
  /// corner, as a texture's.
  template <class T, int N>
  Texture2D<T, N> texels_view() const {
    require_texel(N, sizeof(T) * N, Storage::pitched);
    return {data(), pitch_bytes_, width(), height()};
  }

 private:
  void require_texel(int channels, std::size_t bytes, Storage storage) const;
  TexelFormat texel_format() const { return {format_.type, format_.stored_channels()}; }

  std::shared_ptr<CudaQueue> queue_;  // declared first: it outlives the block
  FrameFormat format_;
  std::shared_ptr<CudaBlock> block_;
  std::size_t pitch_bytes_ = 0;
  std::mutex mutex_;
};

}  // namespace cuimg
