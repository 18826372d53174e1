// SPDX-License-Identifier: Apache-2.0
// Netpbm's extensions: each means one kind of file, and other pictures are converted or refused.
#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

class Netpbm : public BadInput {
 protected:
  // Converts one pixel from `text` to `output`. @returns the output's content.
  std::string converted(const std::string& text, const std::string& output,
                        const Words& options = {}) const {
    folder.write("in.pam", text);
    Words words = {"convert", "in.pam", output};
    words.insert(words.begin() + 1, options.begin(), options.end());
    expect_done(words);
    return read_file(folder / output);
  }

  static std::string pam(const std::string& values) {
    return "P7\nWIDTH 1\nHEIGHT 1\nDEPTH " + std::to_string(values.size()) +
           "\nMAXVAL 255\nTUPLTYPE " + tuple(values.size()) + "\nENDHDR\n" + values;
  }
  static std::string tuple(std::size_t channels) {
    return std::string(channels < 3 ? "GRAYSCALE" : "RGB") + (channels % 2 == 0 ? "_ALPHA" : "");
  }
};

TEST_F(Netpbm, PpmIsColorWithoutAlpha) {
  EXPECT_EQ(converted(pam("abc"), "o.ppm"), "P6\n1 1\n255\nabc");
  EXPECT_EQ(converted(pam("a"), "o.ppm"), "P6\n1 1\n255\naaa");
  EXPECT_EQ(converted(pam(std::string("abc\0", 4)), "o.ppm", {"--background", "0,1,0"}),
            std::string("P6\n1 1\n255\n\0\xff\0", 14));
}

TEST_F(Netpbm, PgmIsGreyAndRefusesColor) {
  EXPECT_EQ(converted(pam("a"), "o.pgm"), "P5\n1 1\n255\na");
  EXPECT_EQ(converted(pam(std::string("a\0", 2)), "o.pgm", {"--background", "1"}),
            "P5\n1 1\n255\n\xff");
  folder.write("color.pam", pam("abc"));
  EXPECT_EQ(expect_refused({"convert", "color.pam", "x.pgm"}, {}).err,
            "cuimg: color.pam: pgm: PGM cannot hold colour: put grayscale before it, or write "
            ".ppm\n");
  expect_done({"grayscale", "color.pam", "x.pgm"});
}

TEST_F(Netpbm, PamIsP7AndPnmGoesByTheChannels) {
  for (const std::string values : {"a", "ab", "abc", "abcd"})
    EXPECT_EQ(converted(pam(values), "o.pam"), pam(values));
  EXPECT_EQ(converted(pam("a"), "o.pnm"), "P5\n1 1\n255\na");
  EXPECT_EQ(converted(pam("abc"), "o.pnm"), "P6\n1 1\n255\nabc");
  EXPECT_EQ(converted(pam("abcd"), "o.pnm"), pam("abcd"));
}

TEST_F(Netpbm, PbmIsOnlyRead) {
  make_picture("in.ppm", 2, 2);
  expect_refused({"convert", "in.ppm", "o.pbm"},
                 {"o.pbm: PBM can be read but not written: use pgm"});
  expect_refused({"convert", "--format", "pbm", "in.ppm", "-"},
                 {"--format pbm: PBM can be read but not written"});
}

TEST_F(Netpbm, FormatNamesMeanTheSameOnStandardOutputAndInFolders) {
  folder.write("in.pam", pam("abcd"));
  EXPECT_TRUE(expect_done({"convert", "--format", "ppm", "in.pam", "-"}).out.starts_with("P6"));
  EXPECT_TRUE(expect_done({"convert", "--format", "pnm", "in.pam", "-"}).out.starts_with("P7"));
  expect_done({"convert", "--format", "pnm", "in.pam", "-o", "out/"});
  EXPECT_EQ(read_file(folder / "out/in.pnm"), pam("abcd"));
}

}  // namespace
}  // namespace cuimg::test
