// SPDX-License-Identifier: Apache-2.0
// Blocks of pixels that go from one image to the next.
#include "image/pixel_reuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "image/pixel_memory.h"

namespace cuimg::test {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

PixelMemory block(std::size_t bytes) { return allocate_pixels(bytes, "a test's"); }

TEST(PixelReuse, GivesABlockToTheNextOfAboutItsSize) {
  const PixelReuse reuse;
  const std::byte* const first = block(12 * megabyte).get();
  EXPECT_EQ(block(12 * megabyte - 4096).get(), first);
}

TEST(PixelReuse, KeepsNoMoreThanWasInUseAtATime) {
  const PixelReuse reuse;
  const std::byte* const first = block(12 * megabyte).get();
  // The first block is freed for this one: both together were never in use.
  const PixelMemory other = block(10 * megabyte);
  const PixelMemory again = block(12 * megabyte);
  (void)first;
  std::size_t size = PixelReuse::size_for(12 * megabyte);
  EXPECT_EQ(PixelReuse::take(size), nullptr);
  PixelReuse::give_up(size);
}

TEST(PixelReuse, FreesWhatIsKeptWithTheLastOfThem) {
  const std::size_t size = PixelReuse::size_for(12 * megabyte);
  {
    const PixelReuse reuse;
    block(12 * megabyte);
  }
  const PixelReuse next;
  EXPECT_EQ(PixelReuse::take(size), nullptr);
  PixelReuse::give_up(size);
}

TEST(PixelReuse, WithoutOneKeepsNothing) {
  block(12 * megabyte);
  const std::size_t size = PixelReuse::size_for(12 * megabyte);
  EXPECT_EQ(PixelReuse::take(size), nullptr);
  PixelReuse::give_up(size);
}

TEST(PixelReuse, SizesLoseAtMostAnEighth) {
  for (std::size_t bytes = megabyte; bytes < 200 * megabyte; bytes = bytes * 9 / 8 + 77) {
    const std::size_t size = PixelReuse::size_for(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_LE(size, bytes + bytes / 8);
    EXPECT_EQ(PixelReuse::size_for(size), size);
  }
}

TEST(PixelReuse, ServesThreadsWithBlocksOfTheirOwn) {
  const PixelReuse reuse;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 200; ++i) {
        const std::size_t bytes = megabyte * static_cast<std::size_t>(1 + i % 3);
        const PixelMemory mine = block(bytes);
        std::fill_n(mine.get(), 4096, static_cast<std::byte>(t));
        std::this_thread::yield();
        for (int k = 0; k < 4096; ++k) ASSERT_EQ(mine.get()[k], static_cast<std::byte>(t));
      }
    });
}

}  // namespace
}  // namespace cuimg::test
