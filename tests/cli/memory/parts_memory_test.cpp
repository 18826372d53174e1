// SPDX-License-Identifier: Apache-2.0
// A file of many parts needs only the memory of its two largest parts, regardless of earlier parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "io/codec.h"
#include "support/child.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

// Parts have a tenth of the size, and the program enlarges them: wait4() reports for a child at
// least the maximum memory that this process has used. They are flat, so that the files are small:
// mapped files count as memory too.
Image part_of(int width, int height, int number) {
  Spec spec = spec_of({0, 0, width, height}, PixelType::f32, 4);
  spec.display_window = {0, 0, 150, 100};
  spec.part_name = "part" + std::to_string(number);
  return flat(spec, 3);
}

// The maximum memory of the program with these words, from `name` to a file of the same format.
std::size_t peak_bytes(const TempDir& folder, const std::vector<std::string>& way,
                       const std::string& name) {
  std::vector<std::string> words = {CUIMG_PROGRAM};
  words.insert(words.end(), way.begin(), way.end());
  words.insert(words.end(), {"--device", "cpu", "--threads", "2", name, "out_" + name});
  Child child(words, folder.path().string(), {});
  std::size_t peak = 0;
  child.until(
      [&] {
        peak = std::max(peak, child.peak_bytes());
        return false;
      },
      std::chrono::minutes(5));
  EXPECT_EQ(child.exit(), 0) << child.err();
  return peak;
}

TEST(PartsMemory, OfTenIsThatOfTheTwoLargest) {
  if (under_sanitizer) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const TempDir folder;
  std::vector<Image> ten, two;
  for (int i = 0; i < 10; ++i) {
    const bool is_large = i == 3 || i == 7;
    const int width = is_large ? 150 - i : 100, height = is_large ? 100 : 70;
    ten.push_back(part_of(width, height, i));
    if (is_large) two.push_back(part_of(width, height, i));
  }
  for (const auto& [name, parts] : {std::pair{"ten.exr", &ten}, {"two.exr", &two}}) {
    write_parts(folder / "small.exr", *parts, *codec_named("exr"));
    const Outcome outcome = run({CUIMG_PROGRAM, "resize", "--size", "1000%", "small.exr", name},
                                {.folder = folder.path()});
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  const std::size_t pixels = 100 * (two[0].spec().pixel_bytes() + two[1].spec().pixel_bytes());
  for (const std::vector<std::string>& way : std::vector<std::vector<std::string>>{
           {"convert"}, {"flop"}, {"resize", "--size", "50%"}, {"exposure"}, {"rotate90"}}) {
    const auto peak_of = [&](const std::string& name) { return peak_bytes(folder, way, name); };
    const std::size_t of_ten = peak_of("ten.exr"), of_two = peak_of("two.exr");
    RecordProperty(way[0] + "_of_ten", std::to_string(of_ten >> 20) + " MB");
    RecordProperty(way[0] + "_of_two", std::to_string(of_two >> 20) + " MB");
    constexpr std::size_t noise = std::size_t{6} << 20, program = std::size_t{32} << 20;
    EXPECT_LE(of_ten, of_two + noise) << way[0];
    EXPECT_LE(of_ten, pixels + program) << way[0];
  }
}

// A page needs a few kilobytes until it is read. A table of its 65536 values would need 128 KiB.
TEST(PartsMemory, OfManyPagesOf16BitsIsSmall) {
  if (under_sanitizer) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const TempDir folder;
  constexpr std::size_t pages = 400;
  std::vector<Image> stack;
  for (unsigned i = 0; i < pages; ++i)
    stack.push_back(noise(spec_of({0, 0, 4, 4}, PixelType::u16, 1), i));
  write_parts(folder / "many.tif", stack, *codec_named("tiff"));
  stack.resize(1);
  write_parts(folder / "one.tif", stack, *codec_named("tiff"));
  const std::size_t of_many = peak_bytes(folder, {"convert"}, "many.tif");
  EXPECT_LT(of_many, peak_bytes(folder, {"convert"}, "one.tif") + pages * 48 * 1024);
}

}  // namespace
}  // namespace cuimg::test
