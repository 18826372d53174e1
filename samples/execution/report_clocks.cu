// SPDX-License-Identifier: Apache-2.0
// Which threads form a warp, on which multiprocessor each block runs, and when. The clocks show it:
// 32 threads with consecutive numbers read theirs at the same time, and blocks that do not fit wait
// until others are done.
#include <algorithm>
#include <map>

#include "common/card.h"
#include "common/sample.h"
#include "execution/block_times.h"
#include "execution/special_registers.h"

using namespace cuimg;
using namespace cuimg::samples;

struct ThreadReport {
  long long clock;  // of its multiprocessor, in cycles
  unsigned block, x, y, lane;
};

__global__ void report_threads(ThreadReport* reports) {
  const long long clock = clock64();
  // Threads are numbered row after row, and so are blocks, by the grid's width.
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  reports[block * blockDim.x * blockDim.y + thread] = {clock, block, threadIdx.x, threadIdx.y,
                                                       this_lane()};
}

// Two blocks of `width` x 8 threads, as in the book. @returns whether warps are as expected: 32
// consecutive threads in lane order, with one clock.
// @param cycles_between from the first warp of the last block to its last warp.
bool show_threads(Report& report, unsigned width, long long& cycles_between) {
  constexpr unsigned height = 8, blocks = 2;
  const unsigned threads = width * height;
  const DeviceArray<ThreadReport> on_card(blocks * threads);
  report_threads<<<blocks, dim3(width, height)>>>(on_card.get());
  check_launch("report_threads");
  const auto reports = on_card.to_host();
  bool as_expected = true;
  for (unsigned b = 0; b < blocks; ++b) {
    const ThreadReport* of_block = reports.data() + b * threads;
    long long first = of_block[0].clock;
    long long last = first;
    for (unsigned t = 0; t < threads; ++t) {
      first = std::min(first, of_block[t].clock);
      last = std::max(last, of_block[t].clock);
    }
    cycles_between = last - first;
    Table table{text("block %u of two with %ux%u threads: row, threads, and cycles after the first",
                     b, width, height),
                {"row", "threads"}};
    for (unsigned x = 0; x < width; ++x) table.columns.push_back(std::to_string(x));
    for (unsigned y = 0; y < height; ++y) {
      std::vector<Cell> row = {y, text("%02x-%02x", y * width, y * width + width - 1)};
      for (unsigned x = 0; x < width; ++x) {
        const unsigned t = y * width + x;
        const ThreadReport& thread = of_block[t];
        as_expected = as_expected && thread.block == b && thread.x == x && thread.y == y &&
                      thread.lane == t % 32 && thread.clock == of_block[t - t % 32].clock;
        row.push_back(Cell(thread.clock - first));
      }
      table.row(std::move(row));
    }
    report.show(table);
  }
  return as_expected;
}

__global__ void report_blocks(BlockReport* reports, long long cycles) {
  if (threadIdx.x == 0) {
    const unsigned long long begin_ns = nanoseconds();
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    BlockReport& mine = reports[blockIdx.x];
    mine = {this_multiprocessor(), mine.runs + 1, begin, clock64(), begin_ns, nanoseconds()};
  }
  __syncthreads();  // keeps the whole block until this point
}

int main(int argc, char** argv) {
  int threads = 1024, cycles = 50'000;
  double waves = 2.5;
  std::string out = "report_clocks.svg";
  Sample program("execution/report_clocks", "which threads make a warp; where and when blocks run");
  program.option("threads", threads, "in a block", 32, 1024)
      .option("cycles", cycles, "that a block takes", 1000, 10'000'000)
      .option("waves", waves, "as many blocks as fit at once, times this")
      .option("out", out, "the blocks' begins and ends");
  return program.run(argc, argv, [&](Report& report) {
    if (!(waves > 0 && waves <= 100))
      throw Error("execution/report_clocks", text("--waves %g is out of range", waves),
                  "use up to 100");
    long long cycles_between = 0;
    report.check(show_threads(report, 16, cycles_between),
                 "16x8: each warp is two rows, read by one clock");
    report.say(
        text("The book: the four warps of a block begin 2 cycles apart. Here %lld are between "
             "the first and the last: a multiprocessor has four schedulers by now.",
             cycles_between));
    report.check(show_threads(report, 14, cycles_between),
                 "14x8: three warps of 32 all the same, and the last one has 16 threads");

    int fit = 0;
    checked("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
      return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, report_blocks, threads, 0);
    });
    const auto count = static_cast<unsigned>(std::max(1.0, waves * fit * multiprocessors()));
    const DeviceArray<BlockReport> on_card(std::vector<BlockReport>(count, BlockReport{}));
    report_blocks<<<count, static_cast<unsigned>(threads)>>>(on_card.get(), cycles);
    check_launch("report_blocks");
    const auto blocks = on_card.to_host();

    std::map<unsigned, int> of_multiprocessor;
    unsigned long long first = blocks[0].begin_ns, last = 0;
    bool each_once = true;
    int overtaken = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      ++of_multiprocessor[blocks[b].multiprocessor];
      each_once = each_once && blocks[b].runs == 1;
      first = std::min(first, blocks[b].begin_ns);
      last = std::max(last, blocks[b].end_ns);
      if (b > 0 && blocks[b].begin_ns < blocks[b - 1].begin_ns) ++overtaken;
    }
    const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto [least, most] = std::ranges::minmax_element(of_multiprocessor, by_count);
    const int at_once = most_at_once(blocks);
    Table table{"",
                {"blocks", "multiprocessors used", "blocks on each", "at once", "fit",
                 "began before the block before", "us in all"}};
    table.row({count, of_multiprocessor.size(), text("%d to %d", least->second, most->second),
               at_once, fit, overtaken, Cell(static_cast<double>(last - first) / 1e3, 1)});
    report.show(table);
    plot_of(
        blocks, first,
        text("%u blocks on %d multiprocessors that hold %d each", count, multiprocessors(), fit))
        .write(out);
    report.wrote(out,
                 "when each block began and ended: those that did not fit follow in a second row");
    report.check(each_once, "each block ran once");
    report.check(at_once <= fit, "no multiprocessor had more blocks at once than fit");
    report.check(static_cast<int>(of_multiprocessor.size()) <= multiprocessors(),
                 "they ran on multiprocessors that there are");
    report.headline(
        text("%zu multiprocessors with %d blocks at once; %d of %u blocks began before "
             "the one numbered before them",
             of_multiprocessor.size(), at_once, overtaken, count));
  });
}
