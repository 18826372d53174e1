// SPDX-License-Identifier: Apache-2.0
// The 32 threads of a warp, its lanes, can ask each other: vote on a condition, read each other's
// registers, find lanes with the same value. A whole block can count. Each answer is shown lane by
// lane and compared with the host's. Every call names the participating lanes: since Volta the
// lanes of a warp need not be at the same instruction, so the hardware must know for which lanes to
// wait.
#include <algorithm>
#include <array>
#include <cstdint>

#include "common/card.h"
#include "common/sample.h"
#include "execution/block_count.h"
#include "execution/warp_answers.h"

using namespace cuimg;
using namespace cuimg::samples;

// As many answers as there are questions, in their order.
__global__ void ask(unsigned* answers) {
  const unsigned lane = threadIdx.x, value = value_of(lane);
  unsigned scan = value, sum = value;
  for (unsigned delta = 1; delta < lanes; delta *= 2) {
    const unsigned before = __shfl_up_sync(everybody, scan, delta);
    if (lane >= delta) scan += before;  // the lowest lanes have no predecessor
    sum += __shfl_xor_sync(everybody, sum, static_cast<int>(delta));  // with the lane across
  }
  const unsigned told[] = {value,
                           static_cast<unsigned>(__all_sync(everybody, value < 11)),
                           static_cast<unsigned>(__any_sync(everybody, value > 10)),
                           __ballot_sync(everybody, value > 4),
                           __shfl_sync(everybody, value, 5),
                           __shfl_sync(everybody, value, static_cast<int>(lane) + 1),
                           __shfl_sync(everybody, value, 2, 8),
                           __shfl_down_sync(everybody, value, 4, 16),
                           scan,
                           sum,
                           __match_any_sync(everybody, value)};
  for (int q = 0; q < count_of_questions; ++q)
    answers[q * lanes + static_cast<int>(lane)] = told[q];
}

// Two lanes pass a word to and fro. Each waits in a loop for the other, which would never end if a
// warp had to finish one side of a branch before it begins the other.
__global__ void hand_over(volatile int* turn, int turns) {
  for (int mine = static_cast<int>(threadIdx.x); mine < turns; mine += 2) {
    for (int patience = 1 << 20; *turn != mine; --patience)
      if (patience == 0) return;
    *turn = mine + 1;
  }
}

constexpr int rounds = 32;

// Counts each of the 32 bits of the block's values.
template <class Count>
__global__ void count_bits(Count count, const std::uint32_t* values, int* counts) {
  const std::uint32_t value = values[blockIdx.x * block + threadIdx.x];
  for (int bit = 0; bit < rounds; ++bit) {
    const int set = count((value >> bit & 1) != 0);
    if (threadIdx.x == 0) counts[static_cast<int>(blockIdx.x) * rounds + bit] = set;
  }
}

__global__ void either_or(int* told) {
  const int bit = 1 << threadIdx.x % 8;
  const int any = __syncthreads_or(bit), every = __syncthreads_and(bit);
  if (threadIdx.x == 0) told[0] = any, told[1] = every;
}

int main(int argc, char** argv) {
  int blocks = 4096;
  Sample program("execution/warp_primitives", "vote, shuffle, match; counts over a whole block");
  program.option("blocks", blocks, "in which bits are counted", 1, 1 << 20);
  return program.run(argc, argv, [&](Report& report) {
    const DeviceArray<unsigned> answers(count_of_questions * lanes);
    ask<<<1, lanes>>>(answers.get());
    check_launch("ask");
    const auto told = answers.to_host();
    Table table{"each lane's value is 3 * lane % 11; what it is told",
                {"question", "lane 0", "1", "2", "3", "4", "15", "16", "30", "31"}};
    bool as_expected = true;
    for (int q = 0; q < count_of_questions; ++q) {
      const unsigned* row = told.data() + q * lanes;
      const Warp right_row = expected(q);
      as_expected = as_expected && std::equal(right_row.begin(), right_row.end(), row);
      std::vector<Cell> cells = {questions[q]};
      for (int lane : {0, 1, 2, 3, 4, 15, 16, 30, 31})
        cells.push_back(row[lane] < 1000 ? Cell(row[lane]) : hex(row[lane]));
      table.row(std::move(cells));
    }
    report.show(table);
    report.say(
        "The book: a lane number beyond the width returns one's own value. It counts modulo the "
        "width: lane 31's next is lane 0.");
    report.check(as_expected, "every lane is told what the host finds");

    const DeviceArray<int> turn(std::vector<int>{0}), either(2);
    hand_over<<<1, 2>>>(turn.get(), 100);
    check_launch("hand_over");
    report.check(turn.to_host()[0] == 100, "two lanes of a warp wait for each other, 100 times");
    either_or<<<1, block>>>(either.get());
    check_launch("either_or");
    report.say(text("__syncthreads_or and _and of 1, 2, 4 ... 128: %d and %d, not 255 and 0",
                    either.to_host()[0], either.to_host()[1]));
    report.check(either.to_host() == std::vector<int>{1, 1}, "they tell whether, not which bits");

    std::vector<std::uint32_t> values(static_cast<std::size_t>(blocks) * block);
    std::vector<int> counts(static_cast<std::size_t>(blocks) * rounds);
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
      random ^= random << 13, random ^= random >> 17, random ^= random << 5;
      values[i] = random;
      for (std::size_t bit = 0; bit < rounds; ++bit)
        counts[i / block * rounds + bit] += static_cast<int>(values[i] >> bit & 1);
    }
    const DeviceArray<std::uint32_t> values_on_card(values);
    Table ways{"counts over blocks of 1024 threads", {"how", "ms", "counts per us"}};
    const auto measure = [&](const char* how, auto count) {
      const DeviceArray<int> found(counts.size());
      const double ms = best_ms(5, [&] {
        count_bits<<<static_cast<unsigned>(blocks), block>>>(count, values_on_card.get(),
                                                             found.get());
        check_launch("count_bits");
      });
      report.check(found.to_host() == counts, std::string(how) + ": the host's counts");
      ways.row({how, Cell(ms, 3), Cell(static_cast<double>(counts.size()) / ms / 1e3, 0)});
      return ms;
    };
    const double barrier_ms = measure("__syncthreads_count", ByBarrier());
    const double ballot_ms = measure("__ballot_sync, then shuffles", ByBallot());
    const double atomics_ms = measure("an atomic for each thread", ByAtomics());
    report.show(ways);
    report.headline(
        text("counts over a block: %.3f ms by the barrier, %.3f by ballots, %.3f by "
             "atomics",
             barrier_ms, ballot_ms, atomics_ms));
  });
}
