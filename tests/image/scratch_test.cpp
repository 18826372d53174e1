// SPDX-License-Identifier: Apache-2.0
// Pixels that exceed their memory limit are stored in files without a name.
#include "image/scratch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/error.h"
#include "image/pixel_memory.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

FreePixels::Place place_of(const PixelMemory& memory) { return memory.get_deleter().place; }

std::size_t resident_bytes() {
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(Scratch, TakesWhatItsMemoryHasNoRoomFor) {
  const TempDir folder;
  const auto use = [&] { return allocate_pixels(6 * megabyte, "a test's"); };
  EXPECT_EQ(place_of(use()), FreePixels::Place::heap);
  const Scratch scratch(folder.path().string(), 20 * megabyte);
  EXPECT_EQ(Scratch::memory_bytes(), 20 * megabyte);
  {
    const PixelMemory first = use(), second = use();
    EXPECT_EQ(place_of(first), FreePixels::Place::heap);
    EXPECT_EQ(place_of(second), FreePixels::Place::scratch);
    std::memset(second.get(), 0xab, 6 * megabyte);
    EXPECT_EQ(second.get()[6 * megabyte - 1], std::byte{0xab});
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "the file has a name";
  }
  EXPECT_EQ(place_of(use()), FreePixels::Place::heap) << "memory that was given back counts";
}

TEST(Scratch, LeavesRowsInMemoryOfWhichFewAreHeld) {
  const TempDir folder;
  const Scratch scratch(folder.path().string(), megabyte);
  EXPECT_EQ(place_of(allocate_pixels(64 * megabyte, "a test's", Held::some_rows)),
            FreePixels::Place::heap);
}

TEST(Scratch, KeepsWhatIsWrittenThoughFewPagesAreInMemory) {
  if (under_sanitizer) GTEST_SKIP() << "a sanitizer's own memory is far more";
  constexpr std::size_t bytes = 512 * megabyte, allowed = 96 * megabyte;
  const TempDir folder;
  const Scratch scratch(folder.path().string(), 32 * megabyte);
  const std::size_t before = resident_bytes();
  const PixelMemory memory = allocate_pixels(bytes, "a test's");
  auto* words = reinterpret_cast<std::uint64_t*>(memory.get());
  std::size_t most = 0;
  for (std::size_t i = 0; i < bytes / 8; ++i) {
    words[i] = i * 0x9e3779b97f4a7c15u;
    if (i % 100'000 == 0) most = std::max(most, resident_bytes());
  }
  EXPECT_LT(most, before + allowed);
  for (std::size_t i = 0; i < bytes / 8; i += 511)
    ASSERT_EQ(words[i], i * 0x9e3779b97f4a7c15u) << i;
}

TEST(Scratch, NamesAFolderThatCannotHoldIt) {
  const Scratch scratch("/nonexistent/folder", megabyte);
  try {
    allocate_pixels(4 * megabyte, "a test's");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("--scratch"), std::string::npos) << text;
    EXPECT_NE(text.find("/nonexistent/folder"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace cuimg::test
