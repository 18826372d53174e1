// SPDX-License-Identifier: Apache-2.0
// Texels as the words they are, for kernels that serve every stored type.
#pragma once

#include <cstring>

#include "device/cuda/cuda_map_pixels.cuh"
#include "image/rect.h"
#include "kernels/math/half.h"

namespace cuimg {

/// A texel of 1 to 16 bytes; the first `bytes` of it count.
struct alignas(16) TexelWords {
  std::uint32_t word[4];
};

__device__ inline bool contains(const Rect& r, int x, int y) {
  return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height;
}

/// Rows of a pitched frame, whatever their type. x and y are absolute.
struct ByteRows {
  char* data;
  std::size_t pitch_bytes;
  int left, top, texel_bytes;

  explicit ByteRows(const Frame& frame)
      : data(static_cast<char*>(frame.card().data())),
        pitch_bytes(frame.card().pitch_bytes()),
        left(frame.region().x),
        top(frame.region().y),
        texel_bytes(static_cast<int>(frame.format().pixel_bytes())) {}
  /// Rows that nobody reads.
  static ByteRows none() { return ByteRows(); }

  __device__ char* texel(int x, int y) const {
    return data + static_cast<std::size_t>(y - top) * pitch_bytes +
           static_cast<std::size_t>(x - left) * static_cast<std::size_t>(texel_bytes);
  }
  __device__ TexelWords words(int x, int y) const {
    const char* from = texel(x, y);
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
  __device__ void store(int x, int y, const TexelWords& w) const {
    char* to = texel(x, y);
    switch (texel_bytes) {
      case 1:
        *reinterpret_cast<std::uint8_t*>(to) = static_cast<std::uint8_t>(w.word[0]);
        break;
      case 2:
        *reinterpret_cast<std::uint16_t*>(to) = static_cast<std::uint16_t>(w.word[0]);
        break;
      case 4:
        *reinterpret_cast<std::uint32_t*>(to) = w.word[0];
        break;
      case 8:
        *reinterpret_cast<uint2*>(to) = {w.word[0], w.word[1]};
        break;
      default:
        *reinterpret_cast<TexelWords*>(to) = w;
    }
  }

 private:
  ByteRows() : data(nullptr), pitch_bytes(0), left(0), top(0), texel_bytes(0) {}
};

/// A frame that is an array, written through its surface.
struct ByteSurface {
  cudaSurfaceObject_t object;
  int left, top, texel_bytes;

  explicit ByteSurface(const Frame& frame)
      : object(frame.card().surface()),
        left(frame.region().x),
        top(frame.region().y),
        texel_bytes(static_cast<int>(frame.format().pixel_bytes())) {}

  __device__ void store(int x, int y, const TexelWords& w) const {
    const int column = (x - left) * texel_bytes, row = y - top;
    switch (texel_bytes) {
      case 1:
        surf2Dwrite(static_cast<unsigned char>(w.word[0]), object, column, row);
        break;
      case 2:
        surf2Dwrite(static_cast<unsigned short>(w.word[0]), object, column, row);
        break;
      case 4:
        surf2Dwrite(w.word[0], object, column, row);
        break;
      case 8:
        surf2Dwrite(uint2{w.word[0], w.word[1]}, object, column, row);
        break;
      default:
        surf2Dwrite(uint4{w.word[0], w.word[1], w.word[2], w.word[3]}, object, column, row);
    }
  }
};

template <class Make, class Target>
__global__ void make_texels_kernel(Make make, Target target, Rect region) {
  const int x = region.x + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = region.y + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (contains(region, x, y)) target.store(x, y, make(x, y));
}

/// Queues target(x, y) = make(x, y) for the texels of a part of a frame. @throws DeviceError.
template <class Make>
void make_texels(CudaQueue& card, const char* name, const Make& make, const Frame& target,
                 const Rect& r) {
  if (r.empty()) return;
  const auto launch = [&](const auto& view, dim3 block) {
    make_texels_kernel<<<blocks_for(r.width, r.height, block), block, 0, card.stream()>>>(make,
                                                                                          view, r);
    check_launch(name);
  };
  if (target.format().storage == Storage::array)
    launch(ByteSurface(target), dim3(8, 32));
  else
    launch(ByteRows(target), dim3(32, 8));
}

/// Likewise for all of it.
template <class Make>
void make_texels(CudaQueue& card, const char* name, const Make& make, const Frame& target) {
  make_texels(card, name, make, target, target.region());
}

struct CopyShifted {
  ByteRows source;
  int dx, dy;
  __device__ TexelWords operator()(int x, int y) const { return source.words(x + dx, y + dy); }
};

/// Queues texel(x, y) = texel(x + dx, y + dy) for a strip of one frame; the two must not overlap.
inline void copy_texels(CudaQueue& card, const ByteRows& rows, const Rect& strip, int dx, int dy) {
  const dim3 block(32, 8);
  make_texels_kernel<<<blocks_for(strip.width, strip.height, block), block, 0, card.stream()>>>(
      CopyShifted{rows, dx, dy}, rows, strip);
  check_launch("copy_texels");
}

}  // namespace cuimg
