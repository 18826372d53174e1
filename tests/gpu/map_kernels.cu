// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/math/half.h"
#include "kernels/texture/texture_unit.h"
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

template <class T>
__global__ void sample_kernel(Texture2D<T, 4> texture, Sampler sampler, const float2* at,
                              float4* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const Pixel<4> pixel = sample(texture, sampler, at[i].x, at[i].y);
  out[i] = make_float4(pixel.v[0], pixel.v[1], pixel.v[2], pixel.v[3]);
}

template <class T>
void sample_as(const CudaPixels& source, const Sampler& sampler, const float2* at, float4* out,
               int count) {
  sample_kernel<<<(count + 127) / 128, 128, 0, source.queue().stream()>>>(
      source.texels_view<T, 4>(), sampler, at, out, count);
  check_launch("sample_weighed");
}

__global__ void compare_halves_kernel(unsigned* differences) {
  unsigned found = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < 1ull << 32; i += step) {
    const float value = float_from_bits(static_cast<std::uint32_t>(i));
    found += float_to_half(value).bits != detail::float_to_half_in_integers(value).bits;
    if (i >= 1 << 16) continue;
    const Half half{static_cast<std::uint16_t>(i)};
    found += bits_of(half_to_float(half)) != bits_of(detail::half_to_float_in_integers(half));
  }
  if (found != 0) atomicAdd(differences, found);
}

}  // namespace

void count_half_differences(CudaQueue& queue, unsigned* differences) {
  compare_halves_kernel<<<1024, 256, 0, queue.stream()>>>(differences);
  check_launch("compare_halves");
}

void sample_weighed(const CudaPixels& source, const Sampler& sampler, const float2* at, float4* out,
                    int count) {
  switch (source.format().type) {
    case PixelType::u8:
      return sample_as<std::uint8_t>(source, sampler, at, out, count);
    case PixelType::u16:
      return sample_as<std::uint16_t>(source, sampler, at, out, count);
    case PixelType::half:
      return sample_as<Half>(source, sampler, at, out, count);
    default:
      return sample_as<float>(source, sampler, at, out, count);
  }
}

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
