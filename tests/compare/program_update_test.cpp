// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --update`: files that cannot be read do not become goldens, and do not pass as
// goldens.
#include "compare_program.h"

namespace cuimg::test {
namespace {

class CompareUpdate : public CompareProgramTest {
 protected:
  // A differing result, a result without a golden, and broken files next to them.
  CompareUpdate() {
    save("golden/a.png", golden_);
    save("result/a.png", result_);
    save("result/z.png", result_);
    save("whole.png", pattern(200, 150, 0, true));
    save("whole.ppm", result_);
    folder_.write("result/cut.png", half_of("whole.png"));
    folder_.write("result/cut.ppm", half_of("whole.ppm"));
    folder_.write("result/text.png", "no picture\n");
  }
  std::string half_of(const std::string& name) const {
    return text(name).substr(0, text(name).size() / 2);
  }
};

TEST_F(CompareUpdate, ResultsThatCannotBeReadAreNamedAndTheOthersAccepted) {
  const Outcome outcome = compare({"--update", "--yes", "golden", "result"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(text("golden/a.png"), text("result/a.png"));
  EXPECT_EQ(text("golden/z.png"), text("result/z.png"));
  for (const char* name : {"cut.png", "cut.ppm", "text.png"}) {
    EXPECT_FALSE(exists(std::string("golden/") + name)) << name;
    expect_contains(outcome.err, std::string("cuimg: result/") + name + ": ");
  }
  expect_contains(outcome.out,
                  "0 same, 0 differ, 0 missing, 0 extra, 3 errors, 1 updated, 1 added\n");
}

TEST_F(CompareUpdate, WithoutYesTheListHasNothingThatCannotBeRead) {
  const Outcome outcome = compare({"--update", "golden", "result"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "would add: golden/z.png");
  expect_contains(outcome.err, "cuimg: result/cut.ppm: ");
  EXPECT_EQ(outcome.err.find("would add: golden/cut"), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("golden/z.png"));
}

TEST_F(CompareUpdate, AFileThatCannotBeReadIsNoGoldenOfAPairEither) {
  const Outcome outcome = compare({"--update", "--yes", "new.png", "result/cut.png"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "cuimg: result/cut.png: ");
  EXPECT_FALSE(exists("new.png"));
}

TEST_F(CompareUpdate, EveryPartIsReadBeforeAFileIsAccepted) {
  std::vector<Image> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(pattern(64, 64, 0, i == 1));
  write_parts(folder_ / "parts.tif", parts, *codec_named("tif"));
  folder_.write("parts.tif", half_of("parts.tif"));
  EXPECT_EQ(compare({"--update", "--yes", "new.tif", "parts.tif"}).exit, 2);
  EXPECT_FALSE(exists("new.tif"));
}

TEST_F(CompareUpdate, EqualBytesThatAreNoPictureAreAnError) {
  folder_.write("golden/text.png", text("result/text.png"));
  const Outcome outcome = compare({"golden/text.png", "result/text.png"});
  EXPECT_EQ(outcome.exit, 2);
  expect_contains(outcome.err, "golden/text.png: ");
  EXPECT_EQ(report({"golden/text.png", "result/text.png"})["verdict"], "error");
}

// Two goldens that are links to one file, as a store without duplicates makes them.
class CompareLinkedGoldens : public CompareProgramTest {
 protected:
  CompareLinkedGoldens() {
    save("store/one.png", golden_);
    std::filesystem::create_directory(folder_.path() / "golden");
    for (const char* name : {"golden/a.png", "golden/b.png"})
      std::filesystem::create_symlink("../store/one.png", folder_.path() / name);
    save("result/a.png", result_);
  }
  void expect_refusal() const {
    const std::string before = text("store/one.png");
    for (const bool copies : {false, true}) {
      std::vector<std::string> words = {"--update", "golden", "result"};
      if (copies) words.insert(words.begin(), "--yes");
      const Outcome outcome = compare(words);
      EXPECT_EQ(outcome.exit, 2);
      expect_contains(outcome.err, "golden/a.png and golden/b.png are links to one file");
      EXPECT_EQ(text("store/one.png"), before);
    }
  }
};

TEST_F(CompareLinkedGoldens, AreNotReplacedByTwoResults) {
  save("result/b.png", pattern(40, 30, 1, true));
  save("result/z.png", result_);
  expect_refusal();
  EXPECT_FALSE(exists("golden/z.png"));
}

TEST_F(CompareLinkedGoldens, AreNotReplacedWhileTheOtherOnePasses) {
  save("result/b.png", golden_);
  expect_refusal();
}

TEST_F(CompareLinkedGoldens, AreNotReplacedWhileTheOtherOneIsLeftOut) {
  save("result/b.png", golden_);
  EXPECT_EQ(compare({"--update", "--yes", "--include", "a.png", "golden", "result"}).exit, 2);
  EXPECT_EQ(text("store/one.png"), text("result/b.png"));
}

TEST_F(CompareLinkedGoldens, MayPassAndNewGoldensBeAdded) {
  save("result/a.png", golden_);
  save("result/b.png", golden_);
  save("result/z.png", result_);
  const Outcome outcome = compare({"--update", "--yes", "golden", "result"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  expect_contains(outcome.out, "2 same, 0 differ, 0 missing, 0 extra, 0 errors, 1 added");
}

TEST_F(CompareLinkedGoldens, WithHardLinksKeepTheOtherName) {
  for (const char* name : {"golden/a.png", "golden/b.png"}) {
    std::filesystem::remove(folder_.path() / name);
    std::filesystem::create_hard_link(folder_.path() / "store/one.png", folder_.path() / name);
  }
  save("result/b.png", golden_);
  EXPECT_EQ(compare({"--update", "--yes", "golden", "result"}).exit, 0);
  EXPECT_EQ(compare({"golden", "result"}).exit, 0);
}

TEST_F(CompareUpdate, JUnitReportsWhatBecameAGoldenAsPassed) {
  const std::vector<std::string> words = {"--junit", "junit.xml", "--update", "golden", "result"};
  compare(words);
  expect_contains(text("junit.xml"), "tests=\"5\" failures=\"5\" errors=\"0\"");
  std::vector<std::string> with_yes = words;
  with_yes.insert(with_yes.begin(), "--yes");
  EXPECT_EQ(compare(with_yes).exit, 2);
  // Three files cannot be read.
  expect_contains(text("junit.xml"), "tests=\"5\" failures=\"3\" errors=\"0\"");
  expect_contains(text("junit.xml"), "<system-out>accepted: there is no golden\n</system-out>");
}

}  // namespace
}  // namespace cuimg::test
