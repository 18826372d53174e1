// SPDX-License-Identifier: Apache-2.0
// The progress line: on a terminal it is overwritten, elsewhere it is only printed if requested.
#include <regex>

#include "cli/failing/bad_input.h"
#include "support/terminal.h"

namespace cuimg::test {
namespace {

class ProgressLine : public BadInput {
 protected:
  void SetUp() override {
    make_picture("a.ppm", 5, 4);
    make_picture("c.ppm", 5, 4);
    folder.write("b.ppm", "no picture");
  }
  // Removes the rates, which only runs of more than a second print.
  static std::string without_rates(const std::string& text) {
    const std::string calm =
        std::regex_replace(text, std::regex(" [0-9]+ MP/s, [0-9:]+ left(, [0-9]+ failed)?:"), "");
    return std::regex_replace(calm, std::regex(" in [0-9.]+ s, [0-9]+ MP/s"), " in S");
  }
  // Between the first and the last line, lines are limited to a rate that people can read.
  std::string shown(const Words& words) const {
    const Terminal terminal;
    cuimg(words, {.err_file = terminal.name()});
    return std::regex_replace(without_rates(terminal.shown()),
                              std::regex("\r\x1b\\[K\\[2/3\\] b.ppm"), "");
  }
};

TEST_F(ProgressLine, OnATerminalItIsWrittenOverAndErrorsStay) {
  EXPECT_EQ(shown({"convert", "a.ppm", "b.ppm", "c.ppm", "-o", "out/"}),
            "\r\x1b[K[1/3] a.ppm"
            "\r\x1b[Kcuimg: b.ppm: is not an image of a known format: exr, png, jpeg, tiff, gif, "
            "psd, softimage, hdr, pfm, pnm, bmp, tga are read\r\n"
            "\r\x1b[K[3/3] c.ppm"
            "\r\x1b[Kcuimg: 1 of 3 images failed\r\n"
            "cuimg: 2 images in S\r\n");
}

TEST_F(ProgressLine, OnATerminalASummaryTakesThePlaceOfTheLastOne) {
  EXPECT_EQ(shown({"convert", "a.ppm", "c.ppm", "-o", "out/"}),
            "\r\x1b[K[1/2] a.ppm\r\x1b[K[2/2] c.ppm\r\x1b[Kcuimg: 2 images in S\r\n");
}

TEST_F(ProgressLine, OnATerminalThatIsNarrowItIsNoLongerThanARow) {
  const Terminal terminal;
  terminal.resize(12, 5);
  const std::string name = "a-long-name.ppm";
  make_picture(name, 5, 4);
  cuimg({"convert", "a.ppm", name, "-o", "out/"}, {.err_file = terminal.name()});
  EXPECT_TRUE(terminal.shown().starts_with("\r\x1b[K[1/2] ...ppm\r\x1b[K"));
}

TEST_F(ProgressLine, OnATerminalThatCannotWriteOverItStaysAway) {
  const Terminal terminal;
  cuimg({"convert", "a.ppm", "c.ppm", "-o", "out/"},
        {.environment = {"TERM=dumb"}, .err_file = terminal.name()});
  EXPECT_EQ(terminal.shown(), "");
}

TEST_F(ProgressLine, OfManyImagesItIsNotWrittenForEach) {
  Words words = {"convert", "-o", "out/"};
  for (int i = 0; i < 200; ++i) {
    words.push_back("p" + std::to_string(i) + ".ppm");
    make_picture(words.back(), 5, 4);
  }
  const std::string text = shown(words);
  EXPECT_LT(std::ranges::count(text, '['), 2 * 150) << text;
  EXPECT_NE(text.find("[200/200]"), std::string::npos);
}

TEST_F(ProgressLine, OneImageOrAWishForQuietShowsNone) {
  EXPECT_EQ(shown({"convert", "a.ppm", "o.png"}), "");
  EXPECT_EQ(shown({"convert", "-q", "a.ppm", "c.ppm", "-o", "out/"}), "");
  EXPECT_EQ(shown({"convert", "--progress", "never", "a.ppm", "c.ppm", "-o", "out/"}), "");
  EXPECT_EQ(shown({"convert", "--progress", "always", "a.ppm", "o.png"}),
            "\r\x1b[K[1/1] a.ppm\r\n");
}

TEST_F(ProgressLine, ElsewhereItIsPlainLinesAndOnlyOnRequest) {
  expect_done({"convert", "a.ppm", "c.ppm", "-o", "out/"});
  const Outcome asked = cuimg({"convert", "--progress", "always", "a.ppm", "c.ppm", "-o", "out/"});
  EXPECT_EQ(without_rates(asked.err), "[1/2] a.ppm\n[2/2] c.ppm\n");
}

TEST_F(ProgressLine, TheSummaryCountsOneAndMore) {
  const auto summary = [&](const Words& inputs) {
    Words words = {"convert", "-v", "--skip-existing", "-o", "out/{stem}.png"};
    words.insert(words.end(), inputs.begin(), inputs.end());
    return cuimg(words).err;
  };
  EXPECT_NE(summary({"a.ppm", "b.ppm"}).find("cuimg: 1 image in "), std::string::npos);
  const std::string second = summary({"a.ppm", "b.ppm", "c.ppm"});
  if (second.find("made already") == std::string::npos)
    GTEST_SKIP() << "this file system keeps no attributes";
  EXPECT_NE(second.find("cuimg: 1 image in "), std::string::npos) << second;
  EXPECT_NE(second.find("; 1 was made already\n"), std::string::npos) << second;
  EXPECT_NE(summary({"a.ppm", "c.ppm"}).find("; 2 were made already\n"), std::string::npos);
}

}  // namespace
}  // namespace cuimg::test
