// SPDX-License-Identifier: Apache-2.0
// A pattern of words for each seed, which shows where data came from. The card writes and compares
// it. For nvcc.
#pragma once

#include "common/card.h"

namespace cuimg::samples {

constexpr unsigned blocks = 1024, threads = 256;

/// Word `i` of a seed's pattern: never 0.
__device__ inline unsigned word(unsigned seed, std::size_t i) {
  return (static_cast<unsigned>(i) * 2654435761u ^ seed * 0x9e3779b9u) | 1u;
}

inline __global__ void fill(unsigned* words, std::size_t count, unsigned seed) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    words[i] = word(seed, i);
}

inline __global__ void count_right(const unsigned* words, std::size_t count, unsigned seed,
                                   unsigned long long* right_ones) {
  unsigned long long mine = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    mine += words[i] == word(seed, i);
  atomicAdd(right_ones, mine);
}

}  // namespace cuimg::samples
