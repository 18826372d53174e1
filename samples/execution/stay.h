// SPDX-License-Identifier: Apache-2.0
// A kernel whose blocks count how many of them are on a multiprocessor at the same time. For nvcc.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "common/card.h"
#include "execution/special_registers.h"

namespace cuimg::samples {

/// The counts of a run.
struct Presence {
  int now[1024], most[1024];  ///< For each multiprocessor; no card has more of them.
  /// Blocks that ended on another multiprocessor than the one on which they began.
  int moved;
};

/// Stays for a while, and counts the blocks on its multiprocessor. `kept` values that are read
/// before and added up afterwards must be kept in registers.
template <int kept>
__global__ void stay(const volatile int* zeros, long long cycles, Presence* presence, int* sums) {
  int values[kept], sum = 0;
  for (int i = 0; i < kept; ++i) values[i] = zeros[i];
  const unsigned multiprocessor = this_multiprocessor();
  if (threadIdx.x == 0)
    atomicMax(&presence->most[multiprocessor], atomicAdd(&presence->now[multiprocessor], 1) + 1);
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  for (int i = 0; i < kept; ++i) sum += values[i] * i;
  if (sum != 0) *sums = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicSub(&presence->now[multiprocessor], 1);
    if (this_multiprocessor() != multiprocessor) atomicAdd(&presence->moved, 1);
  }
  // Warps that end make room for the next block's, so none ends before its block is removed from
  // the count.
  __syncthreads();
}

using Stay = void (*)(const volatile int*, long long, Presence*, int*);

/// The most blocks that were on one multiprocessor at once, in several runs; nothing if all of them
/// were disturbed. If programs share a card, their blocks make room for each other: time passes,
/// and they may continue on another multiprocessor, where they were not counted.
inline std::optional<int> count_on_card(Stay kernel, int blocks, int threads, int shared) {
  constexpr int runs = 5;
  const DeviceArray<int> zeros(std::vector<int>(1024)), sums(1);
  std::optional<int> most;
  for (int run = 0; run < runs; ++run) {
    const DeviceArray<Presence> presence(std::vector<Presence>(1));
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
             static_cast<std::size_t>(shared)>>>(zeros.get(), 200'000, presence.get(), sums.get());
    check_launch("stay");
    const Presence counted = presence.to_host().front();
    if (counted.moved == 0)
      most = std::max(most.value_or(0), *std::ranges::max_element(counted.most));
  }
  return most;
}

}  // namespace cuimg::samples
