// SPDX-License-Identifier: Apache-2.0
// Sums in a fixed order, by a block and by the host. For nvcc.
#pragma once

#include <vector>

namespace cuimg::samples {

constexpr unsigned block = 256;

/// The sum of a block's values in a fixed order: the upper half onto the lower, and again. The
/// first thread returns it.
__device__ inline float sum_of_block(float value) {
  __shared__ float values[block];
  values[threadIdx.x] = value;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
  }
  __syncthreads();
  const float sum = values[0];
  __syncthreads();  // before the next call writes there
  return sum;
}

/// The sum over every n-th value, for a thread of a grid or of one block.
__device__ inline float sum_of_thread(const float* values, std::size_t count, std::size_t first,
                                      std::size_t step) {
  constexpr unsigned ahead = 8;  // reads in progress at a time
  float sum = 0;
  std::size_t i = first;
  for (; i + (ahead - 1) * step < count; i += ahead * step) {
    float some[ahead];
    for (unsigned k = 0; k < ahead; ++k) some[k] = values[i + k * step];
    for (unsigned k = 0; k < ahead; ++k) sum += some[k];
  }
  for (; i < count; i += step) sum += values[i];
  return sum;
}

/// The same additions in the same order on the host: those of each block, then those of one block
/// over the parts.
inline float sum_on_host(const std::vector<float>& values, std::size_t blocks) {
  std::vector<float> threads(blocks * block), parts(blocks);
  for (std::size_t i = 0; i < values.size(); ++i) threads[i % threads.size()] += values[i];
  const auto tree = [](float* first) {
    for (std::size_t half = block / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) first[i] += first[i + half];
    return first[0];
  };
  for (std::size_t b = 0; b < blocks; ++b) parts[b] = tree(&threads[b * block]);
  std::vector<float> last(block);
  for (std::size_t b = 0; b < blocks; ++b) last[b % block] += parts[b];
  return tree(last.data());
}

}  // namespace cuimg::samples
