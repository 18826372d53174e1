// SPDX-License-Identifier: Apache-2.0
// Threads that change the same word. A lock made from compare-and-swap lets one block at a time add
// to a sum of doubles, which atomicAdd does without any lock; and atomics in shared and in global
// memory, where an increasing number of threads of a warp access the same word.
#include <cstdint>
#include <numeric>

#include "common/card.h"
#include "common/sample.h"
#include "memory/meeting.h"

using namespace cuimg;
using namespace cuimg::samples;

// For one thread of each block. Threads of one warp would wait for one another.
struct Lock {
  int* taken;
  __device__ void acquire() const {
    while (atomicCAS(taken, 0, 1) != 0) {
    }
    __threadfence();  // later reads must not move before this point
  }
  __device__ void release() const {
    __threadfence();  // writes are visible before the lock is free
    atomicExch(taken, 0);
  }
};

struct Sum {
  double by_lock, by_atomic_add;
  int lock;
  unsigned entered;  // counted without atomics: only right if the lock works
};

constexpr unsigned threads = 256;

// The sum of the block's values, for thread 0.
__device__ double block_sum(double value) {
  __shared__ double parts[threads];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  return parts[0];
}

// Each thread adds up its own share first, so that no barrier is in a loop that some threads leave
// early, and each block takes the lock once.
template <bool by_lock>
__global__ void add(const double* values, std::size_t count, Sum* sum) {
  double own = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    own += values[i];
  const double of_block = block_sum(own);
  if (threadIdx.x != 0) return;
  if constexpr (by_lock) {
    const Lock lock = {&sum->lock};
    lock.acquire();
    // Volatile: reads another block's sum instead of a cached value.
    volatile Sum* const shared = sum;
    shared->by_lock = shared->by_lock + of_block;
    shared->entered = shared->entered + 1;
    lock.release();
  } else {
    atomicAdd(&sum->by_atomic_add, of_block);
  }
}

// Each thread adds to a word that it shares with `meeting` threads.
template <bool in_shared_memory>
__global__ void meet(unsigned meeting, unsigned rounds, std::uint32_t* words) {
  __shared__ std::uint32_t of_block[threads];
  const unsigned word = threadIdx.x / meeting, thread = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t* const own = words + blockIdx.x * blockDim.x;
  of_block[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 8
  for (unsigned round = 0; round < rounds; ++round)
    atomicAdd(in_shared_memory ? &of_block[word] : &own[word], addend(thread, round));
  __syncthreads();
  if (in_shared_memory) own[threadIdx.x] = of_block[threadIdx.x];
}

int main(int argc, char** argv) {
  int millions = 16, blocks = 1024, rounds = 1024;
  Sample program("memory/atomics", "a lock of a compare-and-swap, and atomics that meet at a word");
  program.option("millions", millions, "of doubles to add up", 1, 512)
      .option("blocks", blocks, "that add them", 1, 65535)
      .option("rounds", rounds, "adds of each thread to one word", 1, 1 << 20);
  return program.run(argc, argv, [&](Report& report) {
    // Integers: their sum is exact in any order.
    std::vector<double> values(static_cast<std::size_t>(millions) * 1000000 + 17);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 31 % 1009);
    const double expected = std::accumulate(values.begin(), values.end(), 0.0);
    const DeviceArray<double> on_card(values);
    const auto grid = static_cast<unsigned>(blocks), times = static_cast<unsigned>(rounds);
    constexpr int runs = 5;
    const DeviceArray<Sum> sum(std::vector<Sum>(1));
    const double lock_ms = best_ms(runs, [&] {
      add<true><<<grid, threads>>>(on_card.get(), values.size(), sum.get());
      check_launch("add");
    });
    const double add_ms = best_ms(runs, [&] {
      add<false><<<grid, threads>>>(on_card.get(), values.size(), sum.get());
      check_launch("add");
    });
    const Sum sums = sum.to_host()[0];
    constexpr int launches = runs + 1;  // best_ms makes one run that it does not count
    Table table{text("%zu doubles by %d blocks", values.size(), blocks), {"by", "ms", "GB/s"}};
    const double gb_ms = static_cast<double>(on_card.bytes()) / 1e6;  // divided by ms gives GB/s
    table.row({"a lock", Cell(lock_ms, 3), Cell(gb_ms / lock_ms, 0)});
    table.row({"atomicAdd", Cell(add_ms, 3), Cell(gb_ms / add_ms, 0)});
    report.show(table);
    report.check(sums.by_lock == launches * expected, "the lock's sum is the host's");
    report.check(sums.by_atomic_add == launches * expected, "atomicAdd's sum is the host's");
    report.check(sums.entered == launches * static_cast<unsigned>(blocks) && sums.lock == 0,
                 "each block was alone behind the lock, once a launch");
    Table meetings{"32-bit adds per nanosecond, by how many threads of a warp meet at a word",
                   {"threads", "shared memory", "global memory"}};
    bool all_right = true;
    double alone = 0, together = 1, global_alone = 0, global_together = 1;
    for (unsigned meeting = 1; meeting <= 32; meeting *= 2) {
      const Met shared = let_meet(meet<true>, threads, meeting, times);
      const Met global = let_meet(meet<false>, threads, meeting, times);
      all_right = all_right && shared.is_right && global.is_right;
      meetings.row({meeting, Cell(shared.adds_per_ns, 1), Cell(global.adds_per_ns, 1)});
      if (meeting == 1) alone = shared.adds_per_ns, global_alone = global.adds_per_ns;
      together = shared.adds_per_ns, global_together = global.adds_per_ns;
    }
    report.show(meetings);
    report.check(all_right, "every word is the host's sum");
    report.say(
        text("The book: an atomic in shared memory locks its word and loops, up to 32 times for a "
             "warp that meets. Since Maxwell the memory adds by itself: all 32 at one word are "
             "%.1f times slower here, in global memory %.1f times.",
             alone / together, global_alone / global_together));
    report.headline(
        text("a sum by a lock takes %.3f ms, by atomicAdd %.3f; %.0f adds per ns in shared "
             "memory, %.0f where a warp meets",
             lock_ms, add_ms, alone, together));
  });
}
