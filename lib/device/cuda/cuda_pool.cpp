// SPDX-License-Identifier: Apache-2.0
// Lends, takes back and frees blocks.
#include "device/cuda/cuda_pool.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/math/ceil_div.h"
#include "kernels/texture/mip_sides.h"

namespace cuimg {
namespace {

// A block is lent to one frame after another, each of which may use different samplers.
constexpr std::size_t textures_kept = 16;

// Sizes are rounded up to an eighth of their power of two, so that frames of nearly the same size
// share blocks; the driver aligns to 512 bytes.
std::size_t bucket(std::size_t bytes) {
  std::size_t step = 512;
  while (step * 16 <= bytes) step *= 2;
  return std::max<std::size_t>(step, round_up(bytes, step));
}

bool same_sampler(const Sampler& a, const Sampler& b) {
  return std::equal(a.address, a.address + 3, b.address) && a.filter == b.filter &&
         a.normalized == b.normalized && std::equal(a.border, a.border + 4, b.border);
}

}  // namespace

cudaChannelFormatDesc TexelFormat::description() const {
  const int bits = static_cast<int>(bytes_of(type)) * 8;
  return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
          is_floating(type) ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
}

bool operator==(const TextureKey& a, const TextureKey& b) {
  return a.format == b.format && same_sampler(a.sampler, b.sampler) &&
         a.normalized_float == b.normalized_float && a.width == b.width && a.height == b.height &&
         a.pitch_bytes == b.pitch_bytes && a.offset_bytes == b.offset_bytes;
}

template <class Fits>
CudaPool::Block CudaPool::take(const Fits& fits) {
  std::lock_guard lock(mutex_);
  // The block returned last is most likely to be in the card's cache.
  for (auto i = idle_.rbegin(); i != idle_.rend(); ++i) {
    if (!fits(**i)) continue;
    Block block = std::move(*i);
    idle_.erase(std::next(i).base());
    uncount_idle(*block);
    ++statistics_.reuses;
    return block;
  }
  return nullptr;
}

CudaPool::CudaPool(int device, cudaStream_t stream, std::size_t keep_bytes)
    : device_(device), card_(CardMemory::of(device)), stream_(stream), keep_bytes_(keep_bytes) {
  card_.add(*this);
}

CudaPool::~CudaPool() {
  card_.remove(*this);
  for (const Block& block : idle_) uncount_idle(*block);
}

// @param make CudaBlock& -> void, calls the driver.
template <class Make>
CudaPool::Block CudaPool::make_block(std::size_t bytes, const Make& make) {
  CardMemory::Use use(card_, bytes);
  if (card_.is_past_limit()) card_.trim();
  if (card_.is_past_limit()) {
    const std::size_t megabytes = (bytes + (1u << 20) - 1) >> 20;
    throw DeviceError("cudaMalloc", cudaErrorMemoryAllocation,
                      std::to_string(megabytes) + " MB more exceed the limit on its memory");
  }
  auto block = Block(new CudaBlock{.use = std::move(use), .bytes = bytes});
  try {
    make(*block);
  } catch (const DeviceError& error) {
    if (!error.lacks_room()) throw;
    card_.trim();
    make(*block);
  }
  const std::lock_guard lock(mutex_);
  ++statistics_.allocations;
  return block;
}

std::shared_ptr<CudaBlock> CudaPool::memory(std::size_t bytes) {
  const std::size_t size = bucket(bytes);
  Block block = take(
      [&](const CudaBlock& idle) { return !idle.array && !idle.mipmap && idle.bytes == size; });
  if (block == nullptr)
    block = make_block(size,
                       [&](CudaBlock& made) { CUIMG_CUDA(cudaMalloc, made.memory.slot(), size); });
  return lend(std::move(block));
}

std::shared_ptr<CudaBlock> CudaPool::array(TexelFormat format, int width, int height) {
  Block block = take([&](const CudaBlock& idle) {
    return idle.array && idle.format == format && idle.width == width && idle.height == height;
  });
  const std::size_t bytes =
      format.bytes() * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  if (block == nullptr)
    block = make_block(bytes, [&](CudaBlock& made) {
      made.format = format;
      made.width = width;
      made.height = height;
      const cudaChannelFormatDesc description = format.description();
      CUIMG_CUDA(cudaMallocArray, made.array.slot(), &description, static_cast<std::size_t>(width),
                 static_cast<std::size_t>(height), cudaArraySurfaceLoadStore);
    });
  return lend(std::move(block));
}

std::shared_ptr<CudaBlock> CudaPool::mipmap(TexelFormat format, int width, int height, int levels) {
  Block block = take([&](const CudaBlock& idle) {
    return idle.mipmap && idle.format == format && idle.width == width && idle.height == height &&
           idle.levels == levels;
  });
  std::size_t bytes = 0;
  for (int level = 0; level < levels; ++level)
    bytes += format.bytes() * static_cast<std::size_t>(mip_side(width, level)) *
             static_cast<std::size_t>(mip_side(height, level));
  if (block == nullptr)
    block = make_block(bytes, [&](CudaBlock& made) {
      made.format = format;
      made.width = width;
      made.height = height;
      made.levels = levels;
      const cudaChannelFormatDesc description = format.description();
      const cudaExtent extent =
          make_cudaExtent(static_cast<std::size_t>(width), static_cast<std::size_t>(height), 0);
      CUIMG_CUDA(cudaMallocMipmappedArray, made.mipmap.slot(), &description, extent,
                 static_cast<unsigned>(levels), cudaArraySurfaceLoadStore);
    });
  return lend(std::move(block));
}

// Textures are dropped here instead of while a frame has the block: then kernels of several streams
// may read the frame, and only the pool's stream can be waited for.
std::shared_ptr<CudaBlock> CudaPool::lend(Block block) {
  if (block->textures.size() >= textures_kept) {
    set_current_card(device_);
    CUIMG_CUDA(cudaSetDevice, device_);
    CUIMG_CUDA(cudaStreamSynchronize, stream_);
    block->textures.clear();
  }
  return {block.release(), [this](CudaBlock* back) { take_back(Block(back)); }};
}

void CudaPool::take_back(Block block) {
  try {
    {
      std::lock_guard lock(mutex_);
      idle_.push_back(std::move(block));
      count_idle(*idle_.back());
    }
    free_idle(keep_bytes_);
  } catch (...) {  // there is no memory for the list's entry: the block is freed
  }
}

void CudaPool::count_idle(const CudaBlock& block) {
  statistics_.idle_bytes += block.bytes;
  card_.begin_idling(block.bytes);
}

void CudaPool::uncount_idle(const CudaBlock& block) {
  statistics_.idle_bytes -= block.bytes;
  card_.end_idling(block.bytes);
}

// Only frees this pool's memory: another pool's is freed when that pool takes blocks back, or at
// trim().
void CudaPool::free_idle(std::size_t keep_bytes) {
  std::list<Block> leaving;
  {
    std::lock_guard lock(mutex_);
    while (card_.idle_bytes() > keep_bytes && !idle_.empty()) {
      uncount_idle(*idle_.front());
      leaving.splice(leaving.end(), idle_, idle_.begin());
    }
  }
  if (leaving.empty()) return;
  // A queued kernel may still read through a texture object that is destroyed with its block.
  set_current_card(device_);
  CUIMG_CUDA_QUIETLY(cudaSetDevice, device_);
  CUIMG_CUDA_QUIETLY(cudaStreamSynchronize, stream_);
}

void CudaPool::trim() { free_idle(0); }

CudaPool::Statistics CudaPool::statistics() const {
  std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace cuimg
