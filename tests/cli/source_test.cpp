// SPDX-License-Identifier: Apache-2.0
// Stages without INPUT, as commands.
#include <gtest/gtest.h>

#include "support/process.h"

namespace cuimg::test {
namespace {

using Words = std::vector<std::string>;

struct Folder {
  TempDir dir;
  Outcome cuimg(Words words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    return run(words, {.folder = dir.path().string()});
  }
  // Expects exit code 2, one line of error, and no output file.
  void expect_error(const Words& words, const std::string& line) const {
    const Outcome outcome = cuimg(words);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.err, line + "\n");
    EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
  }
};

TEST(Source, IsACommandOfItsOutputAlone) {
  const Folder folder;
  for (const Words& words : {Words{"checker", "--size", "64x64", "out.png"},
                             Words{"checker", "--size", "64x64", "-o", "out.exr"},
                             Words{"checker", "+", "gain", "--value", "0.5", "half.exr"}}) {
    const Outcome outcome = folder.cuimg(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }
  const Outcome info = folder.cuimg({"info", "out.png", "half.exr"});
  EXPECT_NE(info.out.find("out.png: 64x64 PNG"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("half.exr: 640x480 OpenEXR"), std::string::npos) << info.out;
}

TEST(Source, GoesThroughAPipe) {
  const Folder folder;
  const Outcome piped = folder.cuimg({"ramp", "--size", "16x1", "-"});
  EXPECT_EQ(piped.exit, 0) << piped.err;
  EXPECT_TRUE(piped.out.starts_with("\x76\x2f\x31\x01"));  // an EXR
}

TEST(Source, TakesNoInput) {
  const Folder folder;
  folder.expect_error({"checker", "in.png", "out.png"},
                      "cuimg: checker: in.png is left over: this chain takes no INPUT");
  folder.expect_error({"checker", "-o", "out.png", "in.png"},
                      "cuimg: checker: in.png is left over: this chain takes no INPUT");
  folder.expect_error({"checker"}, "cuimg: checker: no OUTPUT: name it last, or with -o");
  folder.expect_error(
      {"checker", "-o", "{stem}.png"},
      "cuimg: -o {stem}.png: there is no INPUT to fill it in: name the file to write");
  folder.expect_error({"checker", "-o", "folder/"},
                      "cuimg: folder/: it is a folder: name the file to write");
  folder.expect_error({"gain", "+", "checker", "out.png"},
                      "cuimg: checker: it takes no image from the stage before it: make it the "
                      "first stage");
}

TEST(Source, HelpAsksForNoInput) {
  const Folder folder;
  const Outcome help = folder.cuimg({"help", "checker"});
  EXPECT_NE(help.out.find("Usage: cuimg checker [options] OUTPUT\n"), std::string::npos);
}

TEST(Source, IsRefusedWhatIsPastTheLimit) {
  const Folder folder;
  folder.expect_error(
      {"constant", "--size", "100000x100000", "out.exr"},
      "cuimg: out.exr: constant: its 100000x100000 are 10000000000 pixels, more than the limit of "
      "1073741824: raise it with --limit-pixels");
}

}  // namespace
}  // namespace cuimg::test
