// SPDX-License-Identifier: Apache-2.0
// Threads that add to the same words: the value that each adds, the speed of a kernel that does so,
// and the expected sums. For nvcc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/card.h"

namespace cuimg::samples {

/// The value that a thread of the grid adds in a round.
__host__ __device__ inline std::uint32_t addend(unsigned thread, unsigned round) {
  return thread * 2654435761u + round;
}

struct Met {
  double adds_per_ns;
  bool is_right;
};

/// @param kernel takes the number of threads that share a word, the number of rounds, and a word
/// for each thread, all 0. Each block uses the first of its own words.
template <class Kernel>
Met let_meet(Kernel* kernel, unsigned threads, unsigned meeting, unsigned rounds) {
  constexpr unsigned blocks = 1024;
  const DeviceArray<std::uint32_t> words(std::size_t{blocks} * threads);
  double best = std::numeric_limits<double>::infinity();
  Stopwatch watch;
  for (int run = 0; run < 4; ++run) {
    words.set_bytes(0);
    watch.start();
    kernel<<<blocks, threads>>>(meeting, rounds, words.get());
    check_launch("meet");
    best = std::min(best, watch.stop_ms());
  }
  std::vector<std::uint32_t> expected(words.size());
  for (unsigned thread = 0; thread < expected.size(); ++thread) {
    // The sum of the thread's addends: rounds times the first one, plus 0 + 1 + ... + rounds - 1.
    const auto steps = static_cast<std::uint32_t>(std::uint64_t{rounds} * (rounds - 1) / 2);
    expected[thread / threads * threads + thread % threads / meeting] +=
        rounds * addend(thread, 0) + steps;
  }
  return {static_cast<double>(words.size()) * rounds / best / 1e6, words.to_host() == expected};
}

}  // namespace cuimg::samples
