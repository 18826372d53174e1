// SPDX-License-Identifier: Apache-2.0
// A kernel whose blocks count how many of them are on a multiprocessor at once. For nvcc.
#pragma once

#include <algorithm>
#include <vector>

#include "common/card.h"
#include "execution/special_registers.h"

namespace cuimg::samples {

/// Stays for a while, and counts how many blocks are on its multiprocessor meanwhile. `kept` values
/// that are read before and added up after must wait in registers.
template <int kept>
__global__ void stay(const volatile int* zeros, long long cycles, int* present, int* most,
                     int* sums) {
  int values[kept], sum = 0;
  for (int i = 0; i < kept; ++i) values[i] = zeros[i];
  const unsigned multiprocessor = this_multiprocessor();
  if (threadIdx.x == 0)
    atomicMax(&most[multiprocessor], atomicAdd(&present[multiprocessor], 1) + 1);
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  for (int i = 0; i < kept; ++i) sum += values[i] * i;
  if (sum != 0) *sums = sum;
  __syncthreads();
  if (threadIdx.x == 0) atomicSub(&present[multiprocessor], 1);
}

using Stay = void (*)(const volatile int*, long long, int*, int*, int*);

/// The most blocks that were on one multiprocessor at once, in several runs: where others use the
/// card too, a block's time may pass while its turn has not come.
inline int count_on_card(Stay kernel, int blocks, int threads, int shared) {
  constexpr int runs = 5;
  const std::vector<int> none(1024);  // more than any card has multiprocessors
  const DeviceArray<int> present(none), most(none), zeros(none), sums(1);
  for (int run = 0; run < runs; ++run) {
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
             static_cast<std::size_t>(shared)>>>(zeros.get(), 200'000, present.get(), most.get(),
                                                 sums.get());
    check_launch("stay");
  }
  return std::ranges::max(most.to_host());
}

}  // namespace cuimg::samples
