// SPDX-License-Identifier: Apache-2.0
// Inputs that cannot be read from the first row to the last, or that need others too, also stay
// within --max-memory: progressive scans, turned pictures, pipes, several files in one.
#include <gtest/gtest.h>

#include "support/process.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

class ScratchInputs : public testing::Test {
 protected:
  static constexpr std::size_t allowed = std::size_t{100} << 20;

  // 6000x4000 pixels of 3 bytes, which compress well.
  void SetUp() override {
    const Outcome made = cuimg({"zoneplate", "--size", "6000x4000", "+", "colormap", "--map",
                                "turbo", "--type", "u8", "--compression", "none", "in.tif"});
    ASSERT_EQ(made.exit, 0) << made.err;
  }
  // @param input the name of a file that is piped in. The test itself must not read it, since the
  // test's memory would count as its child's.
  Outcome cuimg(Words words, const std::string& input = "") const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    words.insert(words.end(), {"--device", "cpu", "--threads", "2"});
    if (!input.empty())
      words.insert(words.begin(), {"sh", "-c", "cat " + input + " | \"$@\"", "sh"});
    return run(words, {.folder = folder_.path().string()});
  }
  void convert(const std::string& from, const std::string& to) const {
    const Outcome made = cuimg({"convert", from, to});
    ASSERT_EQ(made.exit, 0) << made.err;
  }
  void command(const Words& words) const {
    const Outcome outcome = run(words, {.folder = folder_.path().string()});
    ASSERT_EQ(outcome.exit, 0) << words.front() << ": " << outcome.err;
  }
  // Compares a chain, given without its output's name, with the same chain without a memory limit.
  void expect_within(const Words& chain, const std::string& input = "") const {
    std::string what;
    for (const std::string& word : chain) what += word + " ";
    Words whole = chain, part = chain;
    whole.insert(whole.end(), {"--compression", "none", "--max-memory", "8G", "-o", "whole.tif"});
    part.insert(part.end(), {"--compression", "none", "--max-memory", "100M", "-o", "part.tif"});
    const Outcome expected = cuimg(whole, input), found = cuimg(part, input);
    ASSERT_EQ(expected.exit, 0) << what << expected.err;
    ASSERT_EQ(found.exit, 0) << what << found.err;
    EXPECT_EQ(run({"cmp", folder_ / "whole.tif", folder_ / "part.tif"}).exit, 0) << what;
    EXPECT_LT(found.peak_bytes, allowed) << what;
  }

  const TempDir folder_;
};

TEST_F(ScratchInputs, OfSeveralScans) {
  convert("in.tif", "in.jpg");
  command({"jpegtran", "-progressive", "-outfile", "scans.jpg", "in.jpg"});
  expect_within({"resize", "--size", "10%", "scans.jpg"});
  expect_within({"flip", "scans.jpg"});
  if (run({"convert", "-version"}).out.find("ImageMagick") == std::string::npos) return;
  command({"convert", "in.tif", "-interlace", "PNG", "-quality", "10", "scans.png"});
  expect_within({"resize", "--size", "10%", "scans.png"});
}

TEST_F(ScratchInputs, ThatAreTurned) {
  convert("in.tif", "in.jpg");
  for (const std::string orientation : {"3", "6"}) {
    command(
        {"exiftool", "-q", "-overwrite_original", "-n", "-Orientation=" + orientation, "in.jpg"});
    expect_within({"flip", "in.jpg"});
  }
  for (const std::string file : {"in.bmp", "in.tga"}) {
    convert("in.tif", file);
    expect_within({"resize", "--size", "10%", file});
  }
}

TEST_F(ScratchInputs, OfAPipe) {
  expect_within({"resize", "--size", "10%", "-"}, "in.tif");
  convert("in.tif", "in.png");
  expect_within({"flop", "-"}, "in.png");
}

TEST_F(ScratchInputs, ThatBecomeOneImage) {
  convert("in.tif", "in.png");
  expect_within({"append", "in.tif", "in.png"});
  expect_within({"contact", "--size", "300x200", "in.tif", "in.png", "in.tif"});
}

TEST_F(ScratchInputs, NextToASmallOne) {
  const Outcome made = cuimg({"resize", "--size", "10%", "in.tif", "small.tif"});
  ASSERT_EQ(made.exit, 0) << made.err;
  expect_within({"over", "--at", "5,7", "--with", "in.tif", "small.tif"});
}

// If the folder has no space for a pipe's bytes, they stay in memory.
TEST_F(ScratchInputs, OfAPipeWithoutAFolder) {
  Words words = {"resize", "--size", "10%", "--scratch", "/proc", "-", "-o", "out.tif"};
  const Outcome outcome = cuimg(words, "in.tif");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
}

// 5575x4400 pixels, written here in pieces, since the test's memory would count as the program's.
// @param frames the frames after the first have one pixel.
void write_gif(const std::string& path, int frames) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](const std::vector<int>& bytes) {
    for (const int byte : bytes) file.put(static_cast<char>(byte));
  };
  file << "GIF89a";
  put({0xc7, 0x15, 0x30, 0x11, 0xf7, 0, 0});  // the canvas, with a table of 256 colours
  for (int i = 0; i < 256; ++i) put({i, 255 - i / 2, i / 3});
  put({',', 0, 0, 0, 0, 0xc7, 0x15, 0x30, 0x11, 0, 8});
  // Each block is the code that clears the table and 223 pixels, of 9 bits each.
  constexpr int codes = 224, clear = 256, blocks = 5575 * 4400 / (codes - 1);
  std::string block(1 + codes * 9 / 8, '\0');
  block[0] = static_cast<char>(codes * 9 / 8);
  for (int i = 0; i < codes; ++i) {
    const int code = i == 0 ? clear : i * i % 256;
    for (int bit = 0; bit < 9; ++bit) {
      char& byte = block[static_cast<std::size_t>(1 + (9 * i + bit) / 8)];
      byte = static_cast<char>(byte | (code >> bit & 1) << (9 * i + bit) % 8);
    }
  }
  for (int i = 0; i < blocks; ++i) file << block;
  put({2, 1, 1, 0});  // the end of the codes
  for (int i = 1; i < frames; ++i) put({',', 7, 0, 9, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 0x01, 0});
  file << ';';
}

// Neither the canvas of an animation nor a second image is in memory.
TEST_F(ScratchInputs, OfAGif) {
  for (const int frames : {1, 2}) {
    write_gif(folder_ / "in.gif", frames);
    expect_within({"resize", "--size", "10%", "--part", "0", "in.gif"});
    expect_within({"flip", "--part", std::to_string(frames - 1), "in.gif"});
  }
}

}  // namespace
}  // namespace cuimg::test
