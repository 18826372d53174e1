// SPDX-License-Identifier: Apache-2.0
// Blocks made by several threads: in order, not far ahead, and with every failure reported.
#include "io/block_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace cuimg::test {
namespace {

struct Block {
  int number = 0, made = -1;
};

std::vector<Block> blocks_of(int count) {
  std::vector<Block> blocks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) blocks[static_cast<std::size_t>(i)].number = i;
  return blocks;
}

struct Worker {
  std::atomic<int>* made;
  int fails_at = -1;
  void run(Block& block) const {
    if (block.number == fails_at) throw std::runtime_error("block " + std::to_string(fails_at));
    block.made = block.number * block.number;
    ++*made;
  }
};

TEST(BlockPool, DeliversInOrder) {
  for (const int threads : {1, 2, 7}) {
    std::vector<Block> blocks = blocks_of(100);
    std::atomic<int> made = 0;
    int next = 0;
    make_blocks(
        blocks, threads, [&] { return Worker{&made}; },
        [&](const Block& block) {
          EXPECT_EQ(block.number, next++);
          EXPECT_EQ(block.made, block.number * block.number);
        });
    EXPECT_EQ(next, 100);
  }
}

TEST(BlockPool, DoesNotRunAwayFromASlowTaker) {
  std::vector<Block> blocks = blocks_of(200);
  std::atomic<int> made = 0;
  int delivered = 0, most = 0;
  make_blocks(
      blocks, 3, [&] { return Worker{&made}; },
      [&](const Block&) {
        if (delivered < 10) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        most = std::max(most, made.load() - delivered);
        ++delivered;
      });
  EXPECT_EQ(delivered, 200);
  EXPECT_LE(most, 2 * 3);
  EXPECT_GE(most, 3);  // yet the workers are busy meanwhile
}

TEST(BlockPool, ReportsWhatAWorkerThrows) {
  for (const int threads : {1, 4}) {
    std::vector<Block> blocks = blocks_of(50);
    std::atomic<int> made = 0;
    int delivered = 0;
    try {
      make_blocks(
          blocks, threads,
          [&] {
            return Worker{&made, 20};
          },
          [&](const Block&) { ++delivered; });
      FAIL() << threads;
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "block 20");
    }
    EXPECT_LE(delivered, 20);
  }
}

TEST(BlockPool, ReportsThatNoWorkerCanBeMade) {
  std::vector<Block> blocks = blocks_of(50);
  EXPECT_THROW(make_blocks(
                   blocks, 4, []() -> Worker { throw std::bad_alloc(); }, [](const Block&) {}),
               std::bad_alloc);
}

TEST(BlockPool, StopsWhereTheTakerFails) {
  std::vector<Block> blocks = blocks_of(1000);
  std::atomic<int> made = 0;
  EXPECT_THROW(make_blocks(
                   blocks, 4, [&] { return Worker{&made}; },
                   [](const Block& block) {
                     if (block.number == 5) throw std::runtime_error("full");
                   }),
               std::runtime_error);
  EXPECT_LT(made, 50);
}

}  // namespace
}  // namespace cuimg::test
