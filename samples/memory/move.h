// SPDX-License-Identifier: Apache-2.0
// Kernels that read, write or copy operands of 1 to 16 bytes, with 1 to 16 of them in progress, and
// a check that each kernel accesses every operand once. For nvcc.
#pragma once

#include <array>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "texture/objects.h"

namespace cuimg::samples {

constexpr int most_unrolled = 16, least_block = 32, blocks_tried = 5;  // 32, 64, ... 512
constexpr int most_block = least_block << (blocks_tried - 1);

enum Operation { reads, texture_reads, writes, copies };
constexpr const char* operation_names[] = {"read", "texture", "write", "copy"};

template <class T>
struct Work {
  const T* from;
  cudaTextureObject_t texture;  // over the same operands
  T* to;
  T value;                   // what a write stores
  std::size_t first, count;  // the range of operands
  unsigned* sums;            // of each thread's reads; null when we measure
};

__host__ __device__ inline unsigned sum(unsigned v) { return v; }
__host__ __device__ inline unsigned sum(uint2 v) { return v.x + v.y; }
__host__ __device__ inline unsigned sum(uint4 v) { return v.x + v.y + v.z + v.w; }

// All loads of a batch come before its stores, so that they are in progress together. The compiler
// cannot know that `sums` is null, so it keeps loads whose values are unused.
template <Operation operation, class T, int unrolled>
__global__ void __launch_bounds__(most_block) move_operands(Work<T> work) {
  const std::size_t batch = std::size_t{blockDim.x} * unrolled;
  unsigned total = 0;
  const auto load = [&](std::size_t i) {
    if constexpr (operation == texture_reads)
      return tex1Dfetch<T>(work.texture, static_cast<int>(work.first + i));
    else
      return operation == writes ? work.value : work.from[work.first + i];
  };
  const auto store = [&](std::size_t i, T value) {
    if constexpr (operation == writes || operation == copies)
      work.to[work.first + i] = value;
    else
      total += sum(value);
  };
  for (std::size_t begin = batch * blockIdx.x; begin < work.count; begin += batch * gridDim.x) {
    const std::size_t first = begin + threadIdx.x;
    if (begin + batch <= work.count) {
      T values[unrolled];
#pragma unroll
      for (int j = 0; j < unrolled; ++j) values[j] = load(first + std::size_t{blockDim.x} * j);
#pragma unroll
      for (int j = 0; j < unrolled; ++j) store(first + std::size_t{blockDim.x} * j, values[j]);
    } else {  // the last batch, which may be incomplete
#pragma unroll 1
      for (std::size_t i = first; i < work.count; i += blockDim.x) store(i, load(i));
    }
  }
  if (work.sums != nullptr) work.sums[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

// One kernel for each batch size from 1 to 16.
template <Operation operation, class T, int... less_one>
auto kernels_of(std::integer_sequence<int, less_one...>) {
  return std::array{&move_operands<operation, T, less_one + 1>...};
}

// A pattern without a short period.
inline std::vector<unsigned char> bytes_of_pattern(std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  return bytes;
}

// Whether a kernel accesses each operand once and nothing else. It gets some tens of batches, of
// which the last is incomplete, from operand `first` on.
template <Operation operation, class T, class Kernel>
bool is_right(const Kernel& kernel, int threads, std::size_t first) {
  constexpr std::size_t operands = 20011;
  constexpr unsigned blocks = 3;
  const std::vector<unsigned char> bytes = bytes_of_pattern(operands * sizeof(T));
  const DeviceArray<unsigned char> from(bytes);
  const DeviceArray<unsigned char> to(std::vector<unsigned char>(bytes.size(), 0x5a));
  const DeviceArray<unsigned> sums(std::vector<unsigned>(std::size_t{blocks} * most_block));
  const auto* source = reinterpret_cast<const T*>(from.get());
  const TextureHandle texture =
      new_texture(in_memory(const_cast<T*>(source), operands), Sampler{.filter = Filter::point});
  T value;
  std::memcpy(&value, bytes.data() + 16, sizeof value);
  const std::size_t count = operands - 2 * first;  // so that operands after the range exist, too
  kernel<<<blocks, static_cast<unsigned>(threads)>>>(
      {source, texture.get(), reinterpret_cast<T*>(to.get()), value, first, count, sums.get()});
  check_launch("move_operands");
  auto expected = std::vector<unsigned char>(bytes.size(), 0x5a);
  unsigned expected_sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    unsigned char* here = expected.data() + i * sizeof(T);
    if (operation == writes) std::memcpy(here, &value, sizeof value);
    if (operation == copies) std::memcpy(here, bytes.data() + i * sizeof(T), sizeof value);
    T operand;
    std::memcpy(&operand, bytes.data() + i * sizeof(T), sizeof operand);
    if (operation == reads || operation == texture_reads) expected_sum += sum(operand);
  }
  const auto parts = sums.to_host();
  return to.to_host() == expected &&
         std::accumulate(parts.begin(), parts.end(), 0u) == expected_sum;
}

}  // namespace cuimg::samples
