// SPDX-License-Identifier: Apache-2.0
// How many warps a multiprocessor holds at the same time depends on each block's threads, registers
// and shared memory. The formula is written out and compared with CUDA's answer and with a count on
// the card. Full occupancy is not always fastest: reads in progress can come from many warps with
// one each, or from few warps with many.
#include <algorithm>

#include "common/card.h"
#include "common/plot.h"
#include "common/sample.h"
#include "execution/occupancy_formula.h"
#include "execution/stay.h"

using namespace cuimg;
using namespace cuimg::samples;

// Adds all values, with `ahead` reads in progress in each thread.
template <int ahead>
__global__ void add_all(const unsigned* values, std::size_t count, unsigned* sums) {
  const std::size_t first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  unsigned sum = 0;
  for (std::size_t i = first; i < count; i += ahead * step) {
    unsigned some[ahead];
    for (int k = 0; k < ahead; ++k) some[k] = i + k * step < count ? values[i + k * step] : 0;
    for (int k = 0; k < ahead; ++k) sum += some[k];
  }
  sums[first] = sum;
}

int main(int argc, char** argv) {
  int megabytes = 256;
  std::string out = "occupancy.svg";
  Sample program("execution/occupancy", "how many warps fit, and how many are needed");
  program.option("megabytes", megabytes, "to read", 64, 16384)
      .option("out", out, "bandwidth by occupancy");
  return program.run(argc, argv, [&](Report& report) {
    const cudaDeviceProp card = card_properties();
    const int most_warps = card.maxThreadsPerMultiProcessor / 32;
    // The shared memory per block with which `blocks` fill a multiprocessor.
    const auto share = [&](int blocks) {
      const int all = static_cast<int>(card.sharedMemPerMultiprocessor);
      return all / blocks / 256 * 256 - static_cast<int>(card.reservedSharedMemPerBlock);
    };
    struct Case {
      int threads, shared;
      Stay kernel;
    };
    const Case cases[] = {{32, 0, stay<1>},         {64, 0, stay<1>},
                          {192, 0, stay<1>},        {768, 0, stay<1>},
                          {1024, 0, stay<1>},       {256, 0, stay<48>},
                          {256, 0, stay<128>},      {256, share(6), stay<1>},
                          {256, share(3), stay<1>}, {256, share(1), stay<1>}};
    Table fits{
        "what fits on a multiprocessor",
        {"threads", "registers", "shared", "limit", "blocks", "CUDA says", "counted", "occupancy"}};
    bool as_cuda_says = true, never_more = true, as_many = true;
    for (const auto& [threads, shared, kernel] : cases) {
      cudaFuncAttributes attributes;
      int blocks = 0;
      checked("cudaFuncSetAttribute", [&] {
        return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
      });
      checked("cudaFuncSetAttribute", [&] {
        return cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared);
      });
      checked("cudaFuncGetAttributes", [&] { return cudaFuncGetAttributes(&attributes, kernel); });
      checked("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                             static_cast<std::size_t>(shared));
      });
      const Limit limit = formula(card, threads, attributes.numRegs, shared);
      const auto counted = count_on_card(kernel, 2 * blocks * multiprocessors(), threads, shared);
      as_cuda_says = as_cuda_says && limit.blocks == blocks;
      never_more = never_more && counted.value_or(0) <= blocks;
      // A tool that adds its own code to a kernel may take registers, but no shared memory.
      if (shared > 0) as_many = as_many && counted.value_or(blocks) == blocks;
      fits.row({threads, attributes.numRegs, shared, limit.by, limit.blocks, blocks,
                counted ? Cell(*counted) : Cell::none("disturbed"),
                Cell(100.0 * blocks * ((threads + 31) / 32) / most_warps,
                     text("%d %%", 100 * blocks * ((threads + 31) / 32) / most_warps))});
    }
    report.show(fits);
    report.check(as_cuda_says, "the formula is CUDA's");
    report.check(never_more, "no multiprocessor ever holds more blocks");
    report.check(as_many, "where shared memory limits, as many are there at once");

    const auto count = static_cast<std::size_t>(megabytes) << 18;
    const DeviceArray<unsigned> values(count);
    checked("cudaMemset", [&] { return cudaMemset(values.get(), 1, values.bytes()); });
    const auto expected = static_cast<unsigned>(count) * 0x01010101u;
    constexpr int block = 128;
    Table speeds{"GB/s by warps on each multiprocessor and reads under way in each thread",
                 {"warps", "occupancy", "1", "2", "4", "8", "16"}};
    LinePlot plot{"reads from memory", "warps on each multiprocessor", "GB/s", {}, true};
    using Add = void (*)(const unsigned*, std::size_t, unsigned*);
    const std::pair<int, Add> kernels[] = {
        {1, add_all<1>}, {2, add_all<2>}, {4, add_all<4>}, {8, add_all<8>}, {16, add_all<16>}};
    for (const auto& [ahead, kernel] : kernels)
      plot.lines.push_back({std::to_string(ahead) + (ahead == 1 ? " read" : " reads"), {}});
    bool adds_up = true;
    for (int warps = block / 32; warps <= most_warps; warps *= 2) {
      const auto blocks = static_cast<unsigned>(warps * 32 / block * multiprocessors());
      const DeviceArray<unsigned> sums(blocks * block);
      std::vector<Cell> row = {
          warps, Cell(100.0 * warps / most_warps, text("%d %%", 100 * warps / most_warps))};
      for (std::size_t k = 0; k < std::size(kernels); ++k) {
        const double ms = best_ms(3, [&] {
          kernels[k].second<<<blocks, block>>>(values.get(), count, sums.get());
          check_launch("add_all");
        });
        unsigned sum = 0;
        for (unsigned part : sums.to_host()) sum += part;
        adds_up = adds_up && sum == expected;
        const double speed = static_cast<double>(values.bytes()) / ms / 1e6;
        row.push_back(Cell(speed, 0));
        plot.lines[k].points.emplace_back(warps, speed);
      }
      speeds.row(std::move(row));
    }
    report.show(speeds);
    report.check(adds_up, "every value is read once");
    plot.write(out);
    report.wrote(out, "the same as lines");
    double best = 0, quarter = 0;
    for (const Line& line : plot.lines)
      for (const auto& [warps, speed] : line.points) {
        best = std::max(best, speed);
        if (warps * 4 <= most_warps) quarter = std::max(quarter, speed);
      }
    report.say(text(
        "The book: 124 GiB/s with two thirds of the warps on a Tesla M2050; here %.0f GB/s, "
        "and %.2f of that with a quarter: memory became faster but hardly nearer, so what must "
        "be under way has grown.",
        best, quarter / best));
    report.headline(
        text("%.0f GB/s at best; %.2f of it with a quarter of the warps", best, quarter / best));
  });
}
