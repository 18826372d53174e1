// SPDX-License-Identifier: Apache-2.0
// A frame's pixels on a card, and the views that kernels take: texture, surface, rows.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "device/cuda/cuda_pool.h"
#include "device/frame.h"
#include "kernels/texture/target.h"
#include "kernels/texture/texture_cuda.h"

namespace cuimg {

class CudaQueue;

/// The values that a texture read returns.
enum class TextureRead : std::uint8_t {
  as_float,  ///< Floats: u8 and u16 as fractions of their largest value, half and float unchanged.
  element,   ///< The stored integers (u8, u16, u32); half and float as floats.
};

class CudaPixels {
 public:
  /// Uninitialised pixels. @throws DeviceError if there is no memory, or if they are larger than
  /// the card's textures.
  CudaPixels(std::shared_ptr<CudaQueue> queue, const FrameFormat& format);
  ~CudaPixels();
  CudaPixels(const CudaPixels&) = delete;
  CudaPixels& operator=(const CudaPixels&) = delete;

  const FrameFormat& format() const { return format_; }
  int width() const { return format_.region.width; }
  int height() const { return format_.region.height; }
  bool is_array() const { return format_.storage == Storage::array; }
  CudaQueue& queue() const { return *queue_; }

  /// Only for pitched memory: the first row, and the bytes from row to row (a multiple of 512).
  /// @throws Error for an array.
  void* data() const;
  std::size_t pitch_bytes() const { return pitch_bytes_; }
  /// Only for arrays. @throws Error for rows.
  cudaArray_t array() const;

  /// A texture object, which is kept with the pixels, so that further calls cost nothing. @throws
  /// DeviceError.
  cudaTextureObject_t texture(const Sampler& sampler, TextureRead read = TextureRead::as_float);
  /// Only for arrays; kept like textures. @throws DeviceError.
  cudaSurfaceObject_t surface();

  /// The same in the form that kernels take. T and N must match the stored texels. Coordinates of
  /// surfaces and rows are absolute; a texture's are relative to the region's corner. @throws
  /// Error.
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
  /// @name The destination of a kernel's stores, rows or an array. Functions that take `use` call
  /// it with a target whose kind of memory is part of its type. @throws Error if the frame does not
  /// contain N floats, or values of that size. @{
  AnyMemory any_memory();
  template <class Use>
  void with_memory(const Use& use) {
    if (is_array())
      use(ArrayMemory{surface()});
    else
      use(RowMemory{static_cast<char*>(data()), pitch_bytes_});
  }
  template <int N>
  PixelTarget<N> pixel_target() {
    return pixel_target_in<N>(any_memory());
  }
  template <int N, class Use>
  void with_pixel_target(const Use& use) {
    with_memory([&](const auto& memory) { use(pixel_target_in<N>(memory)); });
  }
  template <class Stored>
  ValueTarget<Stored> value_target() {
    return value_target_in<Stored>(any_memory());
  }
  template <class Stored, class Use>
  void with_value_target(const Use& use) {
    with_memory([&](const auto& memory) { use(value_target_in<Stored>(memory)); });
  }
  /// @}
  /// Raw texels in pitched memory, for reads by the software unit. Coordinates are relative to the
  /// region's corner, like a texture's.
  template <class T, int N>
  Texture2D<T, N> texels_view() const {
    require_texel(N, sizeof(T) * N, Storage::pitched);
    return {data(), pitch_bytes_, width(), height()};
  }

 private:
  template <int N, class Memory>
  PixelTarget<N, Memory> pixel_target_in(const Memory& memory) const {
    require_texel(N, sizeof(float) * N, format_.storage);
    return {memory, format_.region.x, format_.region.y, format_.region.width,
            format_.region.height};
  }
  template <class Stored, class Memory>
  ValueTarget<Stored, Memory> value_target_in(const Memory& memory) const {
    const int channels = format_.stored_channels();
    require_texel(channels, sizeof(Stored) * static_cast<std::size_t>(channels), format_.storage);
    return {memory, format_.region.x, format_.region.y};
  }
  cudaResourceDesc texture_resource() const;
  void require_storage(Storage storage) const;
  void require_texel(int channels, std::size_t bytes, Storage storage) const;
  TexelFormat texel_format() const { return {format_.type, format_.stored_channels()}; }

  std::shared_ptr<CudaQueue> queue_;  // declared first: it outlives the block
  FrameFormat format_;
  std::shared_ptr<CudaBlock> block_;
  std::size_t pitch_bytes_ = 0;
  std::mutex mutex_;
};

/// @name Texture objects, which are kept with the block that they read, since making one takes
/// microseconds.
/// @{
/// A key in CUDA's form.
cudaTextureDesc texture_description(const TextureKey& key);

/// For a whole array. @throws DeviceError.
SurfaceHandle new_surface(CudaQueue& queue, cudaArray_t array);

/// Makes the texture if kept_texture() does not have it yet. @throws DeviceError.
cudaTextureObject_t new_kept_texture(CudaQueue& queue, CudaBlock& block, const TextureKey& key,
                                     const cudaResourceDesc& resource,
                                     const cudaTextureDesc& description);

/// The block's texture with that key. @param resource called if it must be made.
/// @throws DeviceError.
template <class Resource>
cudaTextureObject_t kept_texture(CudaQueue& queue, CudaBlock& block, const TextureKey& key,
                                 const cudaTextureDesc& description, const Resource& resource) {
  for (const CudaBlock::CachedTexture& cached : block.textures)
    if (cached.key == key) return cached.texture.get();
  return new_kept_texture(queue, block, key, resource(), description);
}
/// @}

}  // namespace cuimg
