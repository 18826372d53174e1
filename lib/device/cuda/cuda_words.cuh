// SPDX-License-Identifier: Apache-2.0
// Texels as raw words, for kernels that support every stored type.
#pragma once

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_map_pixels.cuh"
#include "image/rect.h"
#include "kernels/math/half.h"

namespace cuimg {

/// A texel of 1 to 16 bytes; only its first `bytes` are used.
struct alignas(16) TexelWords {
  std::uint32_t word[4];
};

__device__ inline bool contains(const Rect& r, int x, int y) {
  return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}

/// @throws Error for a frame that is stored in another type than its format says.
inline void require_as_stored(const Frame& frame) {
  if (frame.stored_form() != nullptr)
    throw Error("frame", "its texels are not of the type that a kernel asks for");
}

/// Rows of a pitched frame of any type. x and y are absolute.
struct ByteRows {
  char* data;
  std::size_t pitch_bytes;
  int left, top, texel_bytes;

  explicit ByteRows(const Frame& frame)
      : data(static_cast<char*>(frame.card().data())),
        pitch_bytes(frame.card().pitch_bytes()),
        left(frame.region().x),
        top(frame.region().y),
        texel_bytes(static_cast<int>(frame.format().pixel_bytes())) {
    require_as_stored(frame);
  }
  /// The same rows as texels of `bytes` bytes, whose first column is 0.
  ByteRows as_texels_of(int bytes) const {
    ByteRows rows = *this;
    rows.left = 0;
    rows.texel_bytes = bytes;
    return rows;
  }
  /// Rows that are never read.
  static ByteRows none() { return ByteRows(); }

  __device__ char* texel(int x, int y) const {
    return data + static_cast<std::size_t>(y - top) * pitch_bytes +
           static_cast<std::size_t>(x - left) * static_cast<std::size_t>(texel_bytes);
  }
  __device__ TexelWords words(int x, int y) const { return words_at(texel(x, y)); }
  __device__ TexelWords words_at(const char* from) const {
    TexelWords w = {};
    switch (texel_bytes) {
      case 1:
        w.word[0] = *reinterpret_cast<const std::uint8_t*>(from);
        break;
      case 2:
        w.word[0] = *reinterpret_cast<const std::uint16_t*>(from);
        break;
      case 4:
        w.word[0] = *reinterpret_cast<const std::uint32_t*>(from);
        break;
      case 8: {
        const uint2 two = *reinterpret_cast<const uint2*>(from);
        w.word[0] = two.x, w.word[1] = two.y;
        break;
      }
      default:
        w = *reinterpret_cast<const TexelWords*>(from);
    }
    return w;
  }

 private:
  ByteRows() : data(nullptr), pitch_bytes(0), left(0), top(0), texel_bytes(0) {}
};

/// The destination of texels of any type. x and y are absolute.
template <class Memory = AnyMemory>
struct TexelTarget {
  Memory memory;
  int left, top, texel_bytes;

  TexelTarget(const Frame& frame, const Memory& of_frame)
      : memory(of_frame),
        left(frame.region().x),
        top(frame.region().y),
        texel_bytes(static_cast<int>(frame.format().pixel_bytes())) {
    require_as_stored(frame);
  }

  /// A texel as one value of its size.
  template <class Packed>
  __device__ void store_packed(int x, int y, const Packed& packed) const {
    memory.store_streaming((x - left) * static_cast<int>(sizeof packed), y - top, packed);
  }
  __device__ void store(int x, int y, const TexelWords& w) const {
    const int byte = (x - left) * texel_bytes, row = y - top;
    switch (texel_bytes) {
      case 1:
        return memory.store(byte, row, static_cast<std::uint8_t>(w.word[0]));
      case 2:
        return memory.store(byte, row, static_cast<std::uint16_t>(w.word[0]));
      case 4:
        return memory.store(byte, row, w.word[0]);
      case 8:
        return memory.store(byte, row, uint2{w.word[0], w.word[1]});
      default:
        return memory.store(byte, row, w);
    }
  }
};

/// The destination for stores of sixteen bytes with several texels of any type: whole words of
/// rows, which have room for them at their ends, and the words of an array except for the part
/// beyond its rows.
struct WordTarget {
  AnyMemory memory;
  int left, top, texel_bytes;
  int row_bytes;  ///< The extent of an array.

  explicit WordTarget(const Frame& frame)
      : memory(frame.card().any_memory()),
        left(frame.region().x),
        top(frame.region().y),
        texel_bytes(static_cast<int>(frame.format().pixel_bytes())),
        row_bytes(frame.region().width * texel_bytes) {
    require_as_stored(frame);
  }
  /// @param byte, row relative to the frame's first texel; byte is a multiple of 16.
  __device__ void store(int byte, int row, const uint4& word) const {
    if (!memory.is_array()) return memory.rows.store_streaming(byte, row, word);
    const int rest = row_bytes - byte;
    if (rest >= static_cast<int>(sizeof word)) return memory.array.store(byte, row, word);
    store_some(byte, row, word.x, rest);
    store_some(byte + 4, row, word.y, rest - 4);
    store_some(byte + 8, row, word.z, rest - 8);
    store_some(byte + 12, row, word.w, rest - 12);
  }

 private:
  __device__ void store_some(int byte, int row, std::uint32_t four, int count) const {
    if (count >= 4) return memory.array.store(byte, row, four);
    if (count >= 2) memory.array.store(byte, row, static_cast<std::uint16_t>(four));
    if (count == 3) memory.array.store(byte + 2, row, static_cast<std::uint8_t>(four >> 16));
    if (count == 1) memory.array.store(byte, row, static_cast<std::uint8_t>(four));
  }
};

/// Blocks for threads that store one texel each: an array's sectors are two rows high, and 8x32
/// fills them fastest.
inline dim3 texel_block(const Frame& target) {
  return target.card().is_array() ? dim3(8, 32) : dim3(32, 8);
}

/// Blocks of that many threads for kernels that process a few pixels of a row per thread: 16
/// columns wide for an array, since its sectors are two rows high.
template <int threads>
dim3 row_block(const Frame& target) {
  return target.card().is_array() ? dim3(16, threads / 16) : dim3(threads);
}

/// Calls launch(part, blocks) for the parts into which a grid's limited height divides a region.
/// @param pixels of a row that one thread processes, blockDim.x apart.
template <class Launch>
void for_parts(const Rect& region, dim3 block, int pixels, const Launch& launch) {
  const int high = most_blocks_down * static_cast<int>(block.y);
  const dim3 covered(block.x * static_cast<unsigned>(pixels), block.y);
  for (int top = region.y; top < region.bottom(); top += high) {
    Rect part = region;
    part.y = top;
    part.height = std::min(high, region.bottom() - top);
    launch(part, blocks_for(part.width, part.height, covered));
  }
}

template <class Make, class Memory>
__global__ void make_texels_kernel(Make make, TexelTarget<Memory> target, Rect region) {
  const int x = region.x + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = region.y + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (contains(region, x, y)) target.store(x, y, make(x, y));
}

/// Queues target(x, y) = make(x, y) for the texels of a part of a frame. @throws DeviceError.
template <class Make>
void make_texels(CudaQueue& card, const char* name, const Make& make, const Frame& target,
                 const Rect& r) {
  if (r.empty()) return;
  const dim3 block = texel_block(target);
  target.card().with_memory([&](const auto& memory) {
    make_texels_kernel<<<blocks_for(r.width, r.height, block), block, 0, card.stream()>>>(
        make, TexelTarget(target, memory), r);
  });
  check_launch(name);
}

/// The same for the whole frame.
template <class Make>
void make_texels(CudaQueue& card, const char* name, const Make& make, const Frame& target) {
  make_texels(card, name, make, target, target.region());
}

struct CopyShifted {
  ByteRows source;
  int dx, dy;
  __device__ TexelWords operator()(int x, int y) const { return source.words(x + dx, y + dy); }
};

/// Queues texel(x, y) = texel(x + dx, y + dy) for a strip of a frame in rows; the two must not
/// overlap.
inline void copy_texels(CudaQueue& card, const Frame& frame, const Rect& strip, int dx, int dy) {
  make_texels(card, "copy_texels", CopyShifted{ByteRows(frame), dx, dy}, frame, strip);
}

}  // namespace cuimg
