// SPDX-License-Identifier: Apache-2.0
// Random words that host and card can compute, and their sum on the host. For nvcc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace cuimg::samples {

/// Word i.
__host__ __device__ inline std::uint32_t random_word(std::uint32_t i) {
  i = (i ^ (i >> 16)) * 0x7feb352du;
  i = (i ^ (i >> 15)) * 0x846ca68bu;
  return i * (i >> 11);
}

inline __global__ void fill(std::uint32_t* words, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    words[i] = random_word(static_cast<std::uint32_t>(i));
}

/// The sum of the first words modulo 2^32, computed on all of the host's cores.
inline std::uint32_t sum_on_host(std::size_t count) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::uint32_t> sums(workers);
  std::vector<std::jthread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker)
    threads.emplace_back([&, worker] {
      std::uint32_t total = 0;
      for (std::size_t i = count * worker / workers; i < count * (worker + 1) / workers; ++i)
        total += random_word(static_cast<std::uint32_t>(i));
      sums[worker] = total;
    });
  threads.clear();  // joins them
  return std::accumulate(sums.begin(), sums.end(), std::uint32_t{0});
}

}  // namespace cuimg::samples
