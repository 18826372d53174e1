// SPDX-License-Identifier: Apache-2.0
// Which part of a second image is used with each part of the picture.
#include <gtest/gtest.h>

#include "io/codec.h"
#include "support/images.h"
#include "support/program_folder.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class SecondParts : public ProgramFolder {
 protected:
  SecondParts() {
    save("stack.tif", {0.5f, 0.5f, 0.5f});
    save("dark.tif", {0.0f, 0.1f, 0.2f});
    save("one.tif", {0.1f});
    save("four.tif", {0.0f, 0.1f, 0.2f, 0.3f});
  }
  // Writes pages with one value each.
  void save(const std::string& name, const std::vector<float>& values,
            const Words& names = {}) const {
    std::vector<Image> pages;
    for (const float value : values) {
      Spec spec = spec_of({0, 0, 20, 12}, PixelType::f32, 1);
      if (!names.empty()) spec.part_name = names[pages.size()];
      pages.push_back(flat(spec, value));
    }
    write_parts(folder_ / name, pages, *codec_named(name.ends_with(".exr") ? "exr" : "tif"));
  }
  // The first value of each page that the words produce.
  std::vector<float> made(Words words, const std::string& output = "out.tif") const {
    words.push_back(output);
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return values_of(output);
  }
  std::vector<float> values_of(const std::string& name) const {
    std::vector<float> values;
    for (const Image& page : read_parts(folder_ / name)) values.push_back(value_at(page, 0, 0, 0));
    return values;
  }
};

TEST_F(SecondParts, WithoutNamesGoByNumber) {
  const std::vector<float> expected = {0.5f, 0.5f - 0.1f, 0.5f - 0.2f};
  EXPECT_EQ(made({"sub", "--raw", "--with", "dark.tif", "stack.tif"}), expected);
  EXPECT_EQ(made({"sub", "--raw", "--with", "dark.tif", "--max-memory", "64M", "stack.tif"}),
            expected);
  EXPECT_EQ(
      made({"sub", "--raw", "--with", "dark.tif", "+", "tee", "tee.tif", "+", "flop", "stack.tif"}),
      expected);
  EXPECT_EQ(values_of("tee.tif"), expected);
  // A picture keeps its number in a chain, also if it is chosen with --part.
  EXPECT_EQ(made({"flop", "+", "sub", "--raw", "--with", "dark.tif", "stack.tif"}), expected);
  EXPECT_EQ(made({"sub", "--raw", "--part", "2", "--with", "dark.tif", "stack.tif"}),
            std::vector<float>{expected[2]});
  EXPECT_EQ(made({"mix", "--raw", "--amount", "1", "--with", "dark.tif", "stack.tif"}),
            values_of("dark.tif"));
  EXPECT_EQ(made({"append", "--with", "stack.tif", "dark.tif"}), values_of("dark.tif"));
  // After mirroring, the appended picture's last value is first.
  EXPECT_EQ(made({"append", "--with", "dark.tif", "+", "flop", "stack.tif"}),
            values_of("dark.tif"));
}

TEST_F(SecondParts, OfAFileOfOneServesAll) {
  const float expected = 0.5f - 0.1f;
  EXPECT_EQ(made({"sub", "--raw", "--with", "one.tif", "stack.tif"}),
            (std::vector<float>{expected, expected, expected}));
  // A picture of one part uses the first part of several.
  EXPECT_EQ(made({"max", "--raw", "--with", "four.tif", "one.tif"}), std::vector<float>{0.1f});
}

TEST_F(SecondParts, OfAnotherNumberAreRefused) {
  const Outcome outcome = cuimg({"sub", "--with", "four.tif", "stack.tif", "out.tif"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_TRUE(has(outcome.err,
                  "four.tif: it has 4 parts and the picture's file 3, and no names say which "
                  "belong together: give a file of one part or of 3"))
      << outcome.err;
}

TEST_F(SecondParts, GoByNamesWhereTheseAreAllDifferent) {
  save("a.exr", {0.5f, 0.5f, 0.5f}, {"x", "y", "z"});
  save("b.exr", {0.1f, 0.2f, 0.3f, 0.4f}, {"z", "y", "w", "v"});
  const std::vector<float> expected = {0.5f - 0.1f, 0.5f - 0.2f, 0.5f - 0.1f};
  EXPECT_EQ(made({"sub", "--raw", "--with", "b.exr", "a.exr"}, "out.exr"), expected);
  save("scan.tif", {0.5f, 0.5f, 0.5f}, {"scan", "scan", "scan"});
  save("scans.tif", {0.1f, 0.2f, 0.3f}, {"scan", "scan", "scan"});
  EXPECT_EQ(made({"sub", "--raw", "--with", "scans.tif", "scan.tif"}),
            (std::vector<float>{0.5f - 0.1f, 0.5f - 0.2f, 0.5f - 0.3f}));
}

TEST_F(SecondParts, ThatAreCorruptAreNamed) {
  std::vector<Image> pages;
  for (int i = 0; i < 3; ++i) pages.push_back(noise(spec_of({0, 0, 40, 40}, PixelType::u16, 1), 1));
  write_parts(folder_ / "noise.tif", pages, *codec_named("tif"), {.compression = "lzw"});
  std::string bytes = read_file(folder_ / "noise.tif");
  // The only strip of the last page is after the directory of the page before it.
  const std::size_t middle = bytes.size() * 5 / 6;
  for (std::size_t i = 0; i < 40; ++i) bytes[middle + i] = '\xff';
  folder_.write("bad.tif", bytes);
  const Outcome apart = cuimg({"convert", "bad.tif", "-o", "{part}.png"});
  EXPECT_EQ(apart.exit, 2);
  EXPECT_TRUE(has(apart.err, "bad.tif: part 2: ")) << apart.err;
  const Outcome stats = cuimg({"stats", "bad.tif"});
  EXPECT_EQ(stats.exit, 2);
  EXPECT_TRUE(has(stats.err, "part 2: ")) << stats.err;
  const Outcome compared = cuimg({"compare", "noise.tif", "bad.tif"});
  EXPECT_EQ(compared.exit, 2);
  EXPECT_TRUE(has(compared.err, "part 2: ")) << compared.err;
}

}  // namespace
}  // namespace cuimg::test
