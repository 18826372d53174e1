// SPDX-License-Identifier: Apache-2.0
// Threads that meet at words: what each adds there, how fast a kernel is at it, and what the words
// must hold then. For nvcc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "common/card.h"

namespace cuimg::samples {

/// What a thread of the grid adds in a round.
__host__ __device__ inline std::uint32_t addend(unsigned thread, unsigned round) {
  return thread * 2654435761u + round;
}

struct Met {
  double adds_per_ns;
  bool is_right;
};

/// @param kernel takes how many threads meet at a word, the rounds, and as many words, all 0, as
/// there are threads: each block uses the first of its own.
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
    // The sum of its addends: rounds times the first, and 0 + 1 + ... + rounds - 1.
    const auto steps = static_cast<std::uint32_t>(std::uint64_t{rounds} * (rounds - 1) / 2);
    expected[thread / threads * threads + thread % threads / meeting] +=
        rounds * addend(thread, 0) + steps;
  }
  return {static_cast<double>(words.size()) * rounds / best / 1e6, words.to_host() == expected};
}

}  // namespace cuimg::samples
