// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_queue.h"
#include "device/cuda/cuda_sample.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

constexpr int block_size = 128;

__global__ void sample_texture_kernel(cudaTextureObject_t texture, const float2* at, float4* out,
                                      int count) {
  const int i = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  if (i < count) out[i] = tex2D<float4>(texture, at[i].x, at[i].y);
}

__global__ void sample_levels_kernel(cudaTextureObject_t texture, const float4* at, float4* out,
                                     int count) {
  const int i = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  if (i < count) out[i] = tex2DLod<float4>(texture, at[i].x, at[i].y, at[i].z);
}

}  // namespace

void sample_texture(CudaQueue& queue, cudaTextureObject_t texture, const float2* at, float4* out,
                    int count) {
  if (count <= 0) return;
  const unsigned blocks = static_cast<unsigned>(ceil_div(count, block_size));
  sample_texture_kernel<<<blocks, block_size, 0, queue.stream()>>>(texture, at, out, count);
  check_launch("sample_texture");
}

void sample_levels(CudaQueue& queue, cudaTextureObject_t texture, const float4* at, float4* out,
                   int count) {
  if (count <= 0) return;
  const unsigned blocks = static_cast<unsigned>(ceil_div(count, block_size));
  sample_levels_kernel<<<blocks, block_size, 0, queue.stream()>>>(texture, at, out, count);
  check_launch("sample_levels");
}

void require_kernels() {
  cudaFuncAttributes attributes = {};
  checked("cudaFuncGetAttributes", [&] {
    return cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(sample_texture_kernel));
  });
}

}  // namespace cuimg
