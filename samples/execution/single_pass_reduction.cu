// SPDX-License-Identifier: Apache-2.0
// A sum over many blocks in one launch: every block writes its part, takes a ticket, and the one
// with the last ticket adds the parts. The parts are always added in the same order, so the
// resulting float has the same bits in every run, unlike a sum by atomics.
#include <cooperative_groups.h>

#include <cmath>
#include <set>

#include "common/card.h"
#include "common/sample.h"
#include "execution/block_sum.h"

using namespace cuimg;
using namespace cuimg::samples;

constexpr unsigned most_blocks = 4;  // for each multiprocessor, all at the same time

__device__ float part_of_block(const float* values, std::size_t count) {
  return sum_of_block(
      sum_of_thread(values, count, blockIdx.x * block + threadIdx.x, gridDim.x * block));
}

// One block adds the parts.
__device__ void add_all(const float* parts, unsigned count, float* sum) {
  const float all = sum_of_block(sum_of_thread(parts, count, threadIdx.x, block));
  if (threadIdx.x == 0) *sum = all;
}

__global__ void add_in_one_pass(const float* values, std::size_t count, float* parts,
                                unsigned* tickets, float* sum) {
  __shared__ bool is_last;
  const float part = part_of_block(values, count);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part;
    __threadfence();  // a thread that sees the ticket taken also sees the part
    // The counter returns to 0 automatically, ready for the next launch.
    is_last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // and what this block reads below is not older than its ticket
  }
  __syncthreads();
  if (is_last) add_all(parts, gridDim.x, sum);
}

// The same in two launches: the end of the first is the fence.
__global__ void add_parts_of_blocks(const float* values, std::size_t count, float* parts) {
  const float part = part_of_block(values, count);
  if (threadIdx.x == 0) parts[blockIdx.x] = part;
}
__global__ void add_parts(const float* parts, unsigned count, float* sum) {
  add_all(parts, count, sum);
}

// And in one launch whose blocks wait for each other: it is refused unless all of them fit on the
// card at the same time.
__global__ void __launch_bounds__(block, most_blocks)
    add_with_barrier(const float* values, std::size_t count, float* parts, float* sum) {
  const float part = part_of_block(values, count);
  if (threadIdx.x == 0) parts[blockIdx.x] = part;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0) add_all(parts, gridDim.x, sum);
}

// Each block adds its part to the sum when it is ready, in any order.
__global__ void add_by_atomics(const float* values, std::size_t count, float* sum) {
  const float part = part_of_block(values, count);
  if (threadIdx.x == 0) atomicAdd(sum, part);
}

int main(int argc, char** argv) {
  int count = 1 << 26, blocks_per_sm = most_blocks, runs = 20;
  Sample program("execution/single_pass_reduction",
                 "the last block to finish adds all blocks' sums");
  program.option("count", count, "floats to add")
      .option("blocks", blocks_per_sm, "for each multiprocessor", 1, most_blocks)
      .option("runs", runs, "of each, to see whether the sum changes", 2, 1000);
  return program.run(argc, argv, [&](Report& report) {
    // Values of any size from 0 to 1, so that the order of the additions has an effect.
    std::vector<float> values(static_cast<std::size_t>(count));
    std::uint32_t random = 1;
    for (float& value : values) {
      random = random * 1664525u + 1013904223u;
      value = static_cast<float>(random >> 8) * 0x1p-24f;
    }
    double exact = 0;
    for (float value : values) exact += value;
    const auto blocks = static_cast<unsigned>(blocks_per_sm * multiprocessors());
    const float expected = sum_on_host(values, blocks);

    const DeviceArray<float> on_card(values), parts(blocks), sum(1);
    const DeviceArray<unsigned> tickets(std::vector<unsigned>{0});
    const float* first = on_card.get();
    std::size_t size = values.size();
    Table table{"", {"how", "ms", "GB/s", "sums in all runs", "the first", "bits"}};
    double one_pass_ms = 0;
    std::size_t one_pass_sums = 0;
    const auto try_out = [&](const char* how, bool same_bits, const auto& add) {
      std::set<float> sums;
      float first_sum = 0;
      for (int i = 0; i < runs; ++i) {
        checked("cudaMemset", [&] { return cudaMemset(sum.get(), 0, sum.bytes()); });
        add();
        const float got = sum.to_host()[0];
        if (i == 0) first_sum = got;
        sums.insert(got);
      }
      const double ms = best_ms(5, add);
      if (one_pass_ms == 0) one_pass_ms = ms, one_pass_sums = sums.size();
      table.row({how, Cell(ms, 3), Cell(4e-6 * count / ms, 0), sums.size(), Cell(first_sum, 1),
                 hex(first_sum)});
      if (same_bits)
        report.check(sums == std::set<float>{expected},
                     std::string(how) + ": the host's bits in every run");
      else
        report.check(
            std::fabs(*sums.begin() - exact) + std::fabs(*sums.rbegin() - exact) < 1e-4 * exact,
            std::string(how) + ": near the exact sum");
    };
    try_out("the last block adds", true, [&] {
      add_in_one_pass<<<blocks, block>>>(first, size, parts.get(), tickets.get(), sum.get());
      check_launch("add_in_one_pass");
    });
    try_out("two launches", true, [&] {
      add_parts_of_blocks<<<blocks, block>>>(first, size, parts.get());
      check_launch("add_parts_of_blocks");
      add_parts<<<1, block>>>(parts.get(), blocks, sum.get());
      check_launch("add_parts");
    });
    try_out("a barrier for the grid", true, [&] {
      float *parts_here = parts.get(), *sum_here = sum.get();
      void* arguments[] = {&first, &size, &parts_here, &sum_here};
      checked("cudaLaunchCooperativeKernel", [&] {
        return cudaLaunchCooperativeKernel(add_with_barrier, dim3(blocks), dim3(block), arguments);
      });
    });
    try_out("an atomic for each block", false, [&] {
      add_by_atomics<<<blocks, block>>>(first, size, sum.get());
      check_launch("add_by_atomics");
    });
    report.show(table);
    report.say(
        "The book: blocks cannot wait for each other. In a cooperative launch they can since "
        "Pascal, if all of them fit on the card at once.");
    report.check(std::fabs(expected - exact) < 1e-5 * exact,
                 "the host's sum is near the exact one");
    report.headline(text("one launch in %.3f ms, %.0f GB/s; in %d runs %zu different sum%s",
                         one_pass_ms, 4e-6 * count / one_pass_ms, runs, one_pass_sums,
                         one_pass_sums == 1 ? "" : "s"));
  });
}
