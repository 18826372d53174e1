// SPDX-License-Identifier: Apache-2.0
// Text in pictures that names their files, frames and parts.
#include "cli/failing/bad_input.h"

namespace cuimg::test {
namespace {

class TextInFiles : public BadInput {
 protected:
  void SetUp() override {
    expect_done({"constant", "--size", "200x30", "--color", "0.1", "--type", "half", "a.0007.exr"});
    std::filesystem::copy_file(folder / "a.0007.exr", folder / "a.0009.exr");
  }
  std::string pixels(const std::string& name) const {
    return expect_done({"checksum", name}).out.substr(0, 64);
  }
  // The result of a text without keys.
  std::string plain(const std::string& text) const {
    expect_done({"text", "--text", text, "a.0007.exr", "plain.exr"});
    return pixels("plain.exr");
  }
};

TEST_F(TextInFiles, NamesEachOfSeveralImages) {
  expect_done(
      {"text", "--text", "{name} {stem} {part:02}", "a.0007.exr", "a.0009.exr", "-o", "o/"});
  EXPECT_EQ(pixels("o/a.0007.exr"), plain("a.0007.exr a.0007 00"));
  EXPECT_EQ(pixels("o/a.0009.exr"), plain("a.0009.exr a.0009 00"));
}

TEST_F(TextInFiles, CountsFramesAlsoThoseThatAreHeld) {
  expect_done(
      {"text", "--text", "{frame} {frame:03}", "a.####.exr", "o.##.exr", "--missing", "hold"});
  EXPECT_EQ(pixels("o.07.exr"), plain("7 007"));
  EXPECT_EQ(pixels("o.08.exr"), plain("8 008"));
  EXPECT_EQ(pixels("o.09.exr"), plain("9 009"));
  expect_refused({"text", "--text", "{frame}", "a.0007.exr", "o.exr"},
                 {"a.0007.exr is not a frame of a sequence", "in.####.exr"});
}

TEST_F(TextInFiles, IsTheSameInATeeAndMissingWithoutAText) {
  expect_done(
      {"text", "--text", "{stem}", "+", "tee", "t.exr", "+", "flip", "a.0007.exr", "o.exr"});
  EXPECT_EQ(pixels("t.exr"), plain("a.0007"));
  expect_refused({"text", "a.0007.exr", "o.exr"}, {"text: --text is missing"});
}

TEST_F(TextInFiles, APipeIsStdin) {
  const Outcome made = cuimg({"text", "--text", "{name}", "-", "o.exr"},
                             {.input = read_file(folder / "a.0007.exr")});
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_EQ(pixels("o.exr"), plain("stdin"));
}

// Two names of one file, of which only the first exists.
class NamesInPictures : public TextInFiles {
 protected:
  void SetUp() override {
    TextInFiles::SetUp();
    std::filesystem::create_symlink("a.0007.exr", folder / "x.exr");
  }
  // Makes "o.exr" of the link, renames the link, and runs the command again.
  // @returns whether the output was made again.
  bool is_made_anew(Words words) const {
    words.insert(words.end(), {"--skip-existing", "x.exr", "-o", "o.exr"});
    std::filesystem::remove(folder / "o.exr");
    expect_done(words);
    const auto made = std::filesystem::last_write_time(folder / "o.exr");
    std::filesystem::rename(folder / "x.exr", folder / "y.exr");
    std::ranges::replace(words, "x.exr", "y.exr");
    const Outcome again = cuimg(words);
    std::filesystem::rename(folder / "y.exr", folder / "x.exr");
    EXPECT_EQ(again.exit, 0) << again.err;
    return std::filesystem::last_write_time(folder / "o.exr") != made;
  }
};

TEST_F(NamesInPictures, AreMadeAnewWhenTheyChange) {
  EXPECT_TRUE(is_made_anew({"text", "--text", "{stem}"}));
  EXPECT_EQ(pixels("o.exr"), plain("y"));
  EXPECT_TRUE(is_made_anew({"flip", "+", "text", "--text", "in {name}"}));
  EXPECT_TRUE(is_made_anew({"contact"}));
}

TEST_F(NamesInPictures, DoNotMatterWhereNoneIsShown) {
  for (const Words& words :
       {Words{"text", "--text", "{{stem}} {part}"}, {"flip"}, {"contact", "--no-label"}})
    EXPECT_FALSE(is_made_anew(words)) << words.back();
}

TEST_F(TextInFiles, OfAnotherFrameOfTheSameFileIsMadeAnew) {
  const auto make = [&](const std::string& output) {
    return cuimg({"text", "--text", "{frame}", "--missing", "hold", "--skip-existing", "a.####.exr",
                  "-o", output});
  };
  EXPECT_EQ(make("o/{frame:02}.exr").exit, 0);
  EXPECT_EQ(pixels("o/07.exr"), plain("7"));
  EXPECT_EQ(make("o/{frame-1:02}.exr").exit, 0);
  EXPECT_EQ(pixels("o/07.exr"), plain("8"));  // a.0007.exr, held for frame 8
}

}  // namespace
}  // namespace cuimg::test
