// SPDX-License-Identifier: Apache-2.0
// Blocks of pixels that are passed from one image to the next, and their pages.
#include "image/pixel_reuse.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "image/pixel_memory.h"
#include "image/pixel_pages.h"

namespace cuimg::test {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;
// With the overhead of an allocation, the block is made in this size.
constexpr std::size_t twelve = 12 * megabyte - 4096, made_in = 12 * megabyte;

PixelMemory block(std::size_t bytes) { return allocate_pixels(bytes, "a test's"); }

bool is_kept(std::size_t size) {
  std::byte* const memory = PixelReuse::take(size);
  if (memory == nullptr)
    PixelReuse::give_up(size);
  else
    PixelReuse::keep(memory, size);
  return memory != nullptr;
}

TEST(PixelReuse, GivesABlockToTheNextOfAboutItsSize) {
  const PixelReuse reuse;
  const std::byte* const first = block(twelve).get();
  EXPECT_TRUE(is_kept(made_in));
  EXPECT_EQ(block(twelve - 100'000).get(), first);
}

TEST(PixelReuse, KeepsNoMoreThanWasInUseAtATime) {
  const PixelReuse reuse;
  block(twelve);
  EXPECT_TRUE(is_kept(made_in));
  // The first block is freed for this one, because both were never in use together.
  const PixelMemory other = block(8 * megabyte);
  EXPECT_FALSE(is_kept(made_in));
}

TEST(PixelReuse, FreesWhatIsKeptWithTheLastOfThem) {
  {
    const PixelReuse reuse;
    block(twelve);
    EXPECT_TRUE(is_kept(made_in));
  }
  const PixelReuse next;
  EXPECT_FALSE(is_kept(made_in));
}

TEST(PixelReuse, WithoutOneKeepsNothing) {
  block(twelve);
  EXPECT_FALSE(is_kept(made_in));
}

TEST(PixelReuse, SizesLoseAtMostAnEighth) {
  for (std::size_t bytes = megabyte; bytes < 200 * megabyte; bytes = bytes * 9 / 8 + 77) {
    const std::size_t size = PixelReuse::size_for(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_LE(size, bytes + bytes / 8);
    EXPECT_EQ(PixelReuse::size_for(size), size);
  }
}

// The number of a block's pages that are in memory.
std::ptrdiff_t pages_in_memory(const PixelMemory& memory, std::size_t bytes) {
  std::vector<unsigned char> pages(bytes / 4096);
  EXPECT_EQ(mincore(memory.get(), bytes, pages.data()), 0);
  return std::ranges::count_if(pages, [](unsigned char page) { return (page & 1) != 0; });
}

TEST(PixelPages, AreTakenAndKeepWhatTheyHold) {
  const PixelMemory memory = block(64 * megabyte);
  memory.get()[5] = std::byte{7};
  memory.get()[40 * megabyte] = std::byte{9};
  take_pages(memory);
  EXPECT_EQ(memory.get()[5], std::byte{7});
  EXPECT_EQ(memory.get()[40 * megabyte], std::byte{9});
  if (madvise(memory.get(), 4096, MADV_POPULATE_WRITE) != 0)
    GTEST_SKIP() << "this system cannot be asked for pages (Linux before 5.14)";
  EXPECT_EQ(pages_in_memory(memory, 64 * megabyte), 64 * 256);
}

TEST(PixelPages, OfRowsThatAreForgottenComeOneByOne) {
  const PixelMemory memory = allocate_pixels(64 * megabyte, "a test's", Held::some_rows);
  take_pages(memory);
  EXPECT_LT(pages_in_memory(memory, 64 * megabyte), 64 * 256);
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
