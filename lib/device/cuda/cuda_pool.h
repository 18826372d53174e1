// SPDX-License-Identifier: Apache-2.0
// Device memory and arrays kept for reuse: allocating and freeing costs 150 us or more, and texture
// objects are valid as long as their memory.
//
// Blocks return while kernels that use them may still be queued. That is safe because all work of a
// queue runs on one stream, so the next user comes later. Memory is only freed after the stream has
// finished its present work.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device/cuda/cuda_handle.h"
#include "device/cuda/cuda_memory.h"
#include "image/pixel_type.h"
#include "kernels/texture/texture.h"

namespace cuimg {

/// The channels of an array as stored.
struct TexelFormat {
  PixelType type = PixelType::f32;
  int channels = 4;  ///< 1, 2 or 4
  std::size_t bytes() const { return bytes_of(type) * static_cast<std::size_t>(channels); }
  cudaChannelFormatDesc description() const;
  friend bool operator==(const TexelFormat&, const TexelFormat&) = default;
};

/// How a texture reads a block.
struct TextureKey {
  TexelFormat format;
  Sampler sampler;
  bool normalized_float = false;  ///< Whether u8 and u16 are read as fractions instead of integers.
  int width = 0, height = 0;
  std::size_t pitch_bytes = 0;  ///< 0 for arrays.
  std::size_t offset_bytes = 0;
};
bool operator==(const TextureKey& a, const TextureKey& b);

struct CudaBlock {
  // Textures are declared last, so that they are destroyed before their memory.
  CardMemory::Use use;
  std::size_t bytes = 0;
  DeviceMemoryHandle memory;
  ArrayHandle array;
  MipmapHandle mipmap;
  int levels = 0;      ///< For a mipmapped array.
  TexelFormat format;  ///< Only for arrays, like width and height.
  int width = 0, height = 0;
  SurfaceHandle surface;
  std::vector<SurfaceHandle> level_surfaces;  ///< For a mipmapped array; created when first needed.
  struct CachedTexture {
    TextureKey key;
    TextureHandle texture;
  };
  std::vector<CachedTexture> textures;
};

class CudaPool {
 public:
  /// @param stream on which every user of the blocks runs; it must outlive the blocks and the pool.
  /// @param keep_bytes limit on idle memory in all pools of the card together.
  CudaPool(int device, cudaStream_t stream, std::size_t keep_bytes);
  ~CudaPool();
  CudaPool(const CudaPool&) = delete;
  CudaPool& operator=(const CudaPool&) = delete;

  /// @returns at least `bytes` of memory, contents unspecified. @throws DeviceError if memory, or
  /// limit_card_memory(), is exhausted even after idle memory in all pools of the card was freed.
  std::shared_ptr<CudaBlock> memory(std::size_t bytes);
  /// @returns an array for textures and surfaces. @throws DeviceError.
  std::shared_ptr<CudaBlock> array(TexelFormat format, int width, int height);
  /// @returns a mipmapped array for textures and, level by level, surfaces. @throws DeviceError.
  std::shared_ptr<CudaBlock> mipmap(TexelFormat format, int width, int height, int levels);
  /// Frees idle memory.
  void trim();

  struct Statistics {
    std::size_t allocations = 0;  ///< The number of allocations by the driver.
    std::size_t reuses = 0;
    std::size_t idle_bytes = 0;
  };
  Statistics statistics() const;

 private:
  using Block = std::unique_ptr<CudaBlock>;
  std::shared_ptr<CudaBlock> lend(Block block);
  template <class Fits>
  Block take(const Fits& fits);
  template <class Make>
  Block make_block(std::size_t bytes, const Make& make);
  void take_back(Block block);
  void count_idle(const CudaBlock& block);
  void uncount_idle(const CudaBlock& block);
  void free_idle(std::size_t keep_bytes);

  int device_;
  CardMemory& card_;
  cudaStream_t stream_;
  std::size_t keep_bytes_;
  mutable std::mutex mutex_;
  std::list<Block> idle_;  // from the longest idle to the latest
  Statistics statistics_;
};

}  // namespace cuimg
