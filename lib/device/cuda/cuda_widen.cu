// SPDX-License-Identifier: Apache-2.0
// Raw words are moved: NaN payloads and denormals are preserved.
#include <cstdint>

#include "device/cuda/cuda_map_pixels.cuh"
#include "device/cuda/cuda_widen.h"

namespace cuimg {
namespace {

// A block of rows: coalesced for memory, and square enough for a surface.
const dim3 block_shape(32, 8);

template <class T, class Target>
__global__ void widen_kernel(const T* packed, Target target, int left, int top, int width,
                             int rows) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= rows) return;
  const T* from = packed + (static_cast<std::size_t>(y) * width + x) * 3;
  target.store(left + x, top + y, PackedTexel<T, 4>{{from[0], from[1], from[2], T{}}});
}

template <class T, class Source>
__global__ void pack_kernel(Source source, T* packed, int left, int top, int width, int rows) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= rows) return;
  T* to = packed + (static_cast<std::size_t>(y) * width + x) * 3;
  const PackedTexel<T, 4> texel = source.texel(left + x, top + y);
  for (int c = 0; c < 3; ++c) to[c] = texel.v[c];
}

// Calls `use` with the frame as raw words of its channels' size.
template <class T, class Use>
void with_view(CudaPixels& pixels, const Use& use) {
  if (pixels.is_array()) {
    use(T{}, pixels.surface_view<T, 4>());
  } else {
    use(T{}, pixels.rows_view<T, 4>());
  }
}
template <class Use>
void with_raw_view(CudaPixels& pixels, const Use& use) {
  switch (bytes_of(pixels.format().type)) {
    case 1:
      return with_view<std::uint8_t>(pixels, use);
    case 2:
      return with_view<std::uint16_t>(pixels, use);
    default:
      return with_view<std::uint32_t>(pixels, use);
  }
}

}  // namespace

void widen_rows(CudaPixels& pixels, const void* packed, int first_row, int rows) {
  const Rect region = pixels.format().region;
  with_raw_view(pixels, [&](auto word, auto view) {
    const cudaStream_t stream = pixels.queue().stream();
    widen_kernel<<<blocks_for(region.width, rows, block_shape), block_shape, 0, stream>>>(
        static_cast<const decltype(word)*>(packed), view, region.x, region.y + first_row,
        region.width, rows);
  });
  check_launch("widen");
}

void pack_rows(CudaPixels& pixels, void* packed, int first_row, int rows) {
  const Rect region = pixels.format().region;
  with_raw_view(pixels, [&](auto word, auto view) {
    const cudaStream_t stream = pixels.queue().stream();
    pack_kernel<<<blocks_for(region.width, rows, block_shape), block_shape, 0, stream>>>(
        view, static_cast<decltype(word)*>(packed), region.x, region.y + first_row, region.width,
        rows);
  });
  check_launch("pack");
}

}  // namespace cuimg
