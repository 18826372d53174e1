// SPDX-License-Identifier: Apache-2.0
// Kernels can call malloc and free, which use a heap whose size is set before the first such kernel
// runs. This measures the cost of a call by its size and by the number of threads in a block that
// call at the same time.
#include <algorithm>
#include <cstdint>

#include "common/card.h"
#include "common/sample.h"

using namespace cuimg;
using namespace cuimg::samples;

// Each thread's memory, or null.
__global__ void allocate(std::uint32_t** memory, std::size_t bytes) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  memory[i] = static_cast<std::uint32_t*>(malloc(bytes));
}

// The first and the last word identify the owner.
__global__ void mark(std::uint32_t** memory, std::size_t bytes) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (memory[i] == nullptr) return;
  memory[i][0] = static_cast<std::uint32_t>(i);
  memory[i][bytes / 4 - 1] = ~static_cast<std::uint32_t>(i);
}

__global__ void count_marked(std::uint32_t** memory, std::size_t bytes, unsigned* marked) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (memory[i] != nullptr && memory[i][0] == static_cast<std::uint32_t>(i) &&
      memory[i][bytes / 4 - 1] == ~static_cast<std::uint32_t>(i))
    atomicAdd(marked, 1u);
}

__global__ void release(std::uint32_t** memory) {
  free(memory[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x]);
}

// The response of cudaFree to a kernel's memory.
std::string freed_by_host() {
  const DeviceArray<std::uint32_t*> memory(1);
  allocate<<<1, 1>>>(memory.get(), 4096);
  check_launch("allocate");
  const cudaError_t code = cudaFree(memory.to_host()[0]);
  static_cast<void>(cudaGetLastError());  // a refusal is expected
  release<<<1, 1>>>(memory.get());
  check_launch("release");
  wait();
  return cudaGetErrorName(code);
}

struct Cost {
  double allocate_us = 0, free_us = 0;  // per call
  bool is_right = true;                 // all threads got memory, and none got another's
};

// @param bytes a multiple of 4, 8 or more.
Cost measure(unsigned blocks, unsigned threads, std::size_t bytes) {
  const std::size_t calls = std::size_t{blocks} * threads;
  const DeviceArray<std::uint32_t*> memory(calls);
  Cost cost = {1e30, 1e30};
  Stopwatch watch;
  for (int round = 0; round < 3; ++round) {  // the first round loads the kernels
    const DeviceArray<unsigned> marked(std::vector<unsigned>{0});
    watch.start();
    allocate<<<blocks, threads>>>(memory.get(), bytes);
    check_launch("allocate");
    const double allocate_ms = watch.stop_ms();
    mark<<<blocks, threads>>>(memory.get(), bytes);
    check_launch("mark");
    count_marked<<<blocks, threads>>>(memory.get(), bytes, marked.get());
    check_launch("count_marked");
    auto places = memory.to_host();
    cost.is_right = cost.is_right && marked.to_host()[0] == calls;
    // What is each thread's own ends before the next one begins.
    std::sort(places.begin(), places.end());
    for (std::size_t i = 1; i < places.size(); ++i)
      cost.is_right = cost.is_right && places[i] >= places[i - 1] + bytes / 4;
    watch.start();
    release<<<blocks, threads>>>(memory.get());
    check_launch("release");
    const double free_ms = watch.stop_ms();
    cost.allocate_us = std::min(cost.allocate_us, 1e3 * allocate_ms / static_cast<double>(calls));
    cost.free_us = std::min(cost.free_us, 1e3 * free_ms / static_cast<double>(calls));
  }
  return cost;
}

// What the book prints, of a Tesla M2050.
struct Case {
  unsigned blocks, threads;
  std::size_t bytes;
  double allocate_us, free_us;
};
constexpr Case cases[] = {
    {500, 1, 1 << 20, 154.93, 4.57}, {512, 32, 12288, 3.53, 1.18}, {256, 64, 12288, 4.27, 1.17},
    {128, 128, 12288, 4.89, 1.14},   {64, 256, 12288, 5.48, 1.14}, {32, 512, 12288, 10.38, 1.11},
    {512, 32, 64, 0.35, 0.27},       {256, 64, 64, 0.37, 0.29},    {128, 128, 64, 0.34, 0.27},
    {64, 256, 64, 0.37, 0.22},       {32, 512, 64, 0.53, 0.27},
};

int main(int argc, char** argv) {
  int heap = 1024;
  Sample program("memory/malloc_speed", "malloc and free in kernels: microseconds per call");
  program.option("heap", heap, "megabytes for the kernels' malloc", 768, 16384);
  return program.run(argc, argv, [&](Report& report) {
    // First of all: once a kernel that allocates has run, the limit stays.
    checked("cudaDeviceSetLimit", [&] {
      return cudaDeviceSetLimit(cudaLimitMallocHeapSize, static_cast<std::size_t>(heap) << 20);
    });
    std::size_t limit = 0;
    checked("cudaDeviceGetLimit",
            [&] { return cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize); });
    report.say(text("a heap of %zu MB", limit >> 20));
    Table table{"microseconds per call",
                {"blocks", "threads", "bytes", "malloc", "free", "the book's malloc", "free"}};
    bool all_right = true;
    double large = 0, small = 1e30, small_free = 1e30;
    for (const Case& one : cases) {
      const Cost cost = measure(one.blocks, one.threads, one.bytes);
      all_right = all_right && cost.is_right;
      table.row({one.blocks, one.threads, one.bytes, Cell(cost.allocate_us, 3),
                 Cell(cost.free_us, 3), Cell(one.allocate_us, 2), Cell(one.free_us, 2)});
      if (one.threads == 1) large = cost.allocate_us;
      if (one.bytes == 64) {
        small = std::min(small, cost.allocate_us);
        small_free = std::min(small_free, cost.free_us);
      }
    }
    report.show(table);
    report.check(all_right, "every thread gets memory, and no two the same");
    if (!report.leaves_out("cudaFree of what a kernel got")) {
      const std::string refusal = freed_by_host();
      report.check(refusal != "cudaSuccess", "only kernels free it: cudaFree says " + refusal);
    }
    report.say(text(
        "The book: 64 bytes were served 450 times as fast as a megabyte, on the first card whose "
        "kernels could ask at all; here %.0f times.",
        large / small));
    report.headline(text("%.3f us for 64 bytes and %.3f to free them, %.1f us for a megabyte",
                         small, small_free, large));
  });
}
