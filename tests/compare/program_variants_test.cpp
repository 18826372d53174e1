// SPDX-License-Identifier: Apache-2.0
// `cuimg compare` with goldens that have variants, such as home@@dark.png: rules for one of them,
// names, and variants that cannot be read.
#include "compare_program.h"

namespace cuimg::test {
namespace {

class CompareVariants : public CompareProgramTest {
 protected:
  // The result is near the variant, and far from the golden without one.
  CompareVariants() {
    save("golden/h.png", pattern(40, 30, 2, false));
    save("golden/h@@dark.png", golden_);
    save("result/h.png", result_);
  }
  void expect_rule(const std::string& rules, int exit, const std::string& text) const {
    folder_.write("golden/.cuimg-compare", rules);
    const Outcome outcome = compare({"--explain", "golden", "result"});
    EXPECT_EQ(outcome.exit, exit) << rules << outcome.out;
    expect_contains(outcome.out, text);
    EXPECT_EQ(outcome.err, "") << rules;
  }
};

TEST_F(CompareVariants, HaveSectionsOfTheirOwn) {
  for (const std::string pattern : {"h@@dark.png", "h@@*.png", "*dark*"})
    expect_rule("[" + pattern + "]\nfail = 0.05\n", 0, "rule: [" + pattern + "] of golden/");
}

TEST_F(CompareVariants, HaveSectionsThatComeAfterThoseOfThePicture) {
  expect_rule("[h@@dark.png]\nfail = 0.05\n[h.png]\nfail = 0\n", 0, "fail = 0.05");
  expect_rule("[h@@dark.png]\nfail = 0\n[h.png]\nfail = 0.05\n", 1, "fail = 0\n");
}

TEST_F(CompareVariants, AreNotLoosenedByTheSectionOfAnother) {
  save("golden/h@@other.png", pattern(40, 30, 1, false));
  expect_rule("[h@@other.png]\nfail = 0.001\n", 1, "(variant dark)");
  expect_rule("[h@@other.png]\nfail = 1\n", 0, "(variant other)");
}

TEST_F(CompareVariants, HaveMasksAndMistakesOfTheirOwn) {
  folder_.write("golden/.cuimg-compare", "[h@@dark.png]\nmask = none.png\n");
  const Outcome masked = compare({"golden", "result"});
  expect_contains(masked.out,
                  "warning: result/h.png: --mask: golden/none.png: no such file (mask "
                  "of [h@@dark.png] of golden/.cuimg-compare:1)");
  folder_.write("golden/.cuimg-compare", "[h@@dark.png]\nnan = fails\nallow-non-finite\n");
  const Outcome mistaken = compare({"golden", "result"});
  EXPECT_EQ(mistaken.exit, 2);
  expect_contains(mistaken.err, "cuimg: h@@dark.png: --nan fails and --allow-non-finite");
}

TEST_F(CompareVariants, WithoutThePictureHaveItsNameInJUnit) {
  std::filesystem::remove(folder_.path() / "golden/h.png");
  for (const bool is_missing : {false, true}) {
    save("golden/h@@light.png", pattern(40, 30, 2, false));
    if (is_missing) std::filesystem::remove(folder_.path() / "result/h.png");
    compare({"--junit", "junit.xml", "golden", "result"});
    expect_contains(text("junit.xml"), "name=\"golden/h.png\"");
    std::filesystem::remove(folder_.path() / "golden/h@@light.png");
    compare({"--junit", "junit.xml", "golden", "result"});
    expect_contains(text("junit.xml"), "name=\"golden/h.png\"");
  }
}

TEST_F(CompareVariants, ThatCannotBeReadAreWarnings) {
  folder_.write("golden/h@@broken.png", "");
  save("golden/h@@zero.png", golden_);
  for (const bool is_equal : {false, true}) {
    if (is_equal) save("result/h.png", golden_);
    const Outcome outcome = compare({"--fail", "0.05", "golden", "result"});
    EXPECT_EQ(outcome.exit, 0);
    expect_contains(outcome.out, "  warning: golden/h@@broken.png: ");
  }
  folder_.write("golden/h@@zero.png", "version https://git-lfs.github.com/spec/v1\n");
  expect_contains(compare({"golden", "result"}).out, "golden/h@@zero.png: the golden is a Git LFS");
  for (const char* name : {"h.png", "h@@dark.png"})
    folder_.write("golden/" + std::string(name), "");
  const Outcome all = compare({"golden", "result"});
  EXPECT_EQ(all.exit, 2);
  EXPECT_EQ(all.out.find("warning"), std::string::npos) << all.out;
}

TEST_F(CompareVariants, AreGoldensAndNeverResults) {
  save("result/new@@2x.png", golden_);
  for (const bool updates : {false, true}) {
    std::vector<std::string> words = {"golden", "result"};
    if (updates) words.insert(words.begin(), {"--update", "--yes"});
    const Outcome outcome = compare(words);
    EXPECT_EQ(outcome.exit, 2);
    expect_contains(outcome.err,
                    "cuimg: compare: result/new@@2x.png: @@ in a name marks a variant");
  }
  EXPECT_FALSE(exists("golden/new@@2x.png"));
  EXPECT_EQ(compare({"--exclude", "*@@*", "--fail", "0.05", "golden", "result"}).exit, 0);
  EXPECT_EQ(compare({"--exclude", "new*", "--update", "--yes", "golden", "result"}).exit, 0);
}

TEST_F(CompareVariants, HaveAPictureAndAName) {
  for (const char* name : {"x@@.png", "@@v.png"}) save("result/" + std::string(name), golden_);
  EXPECT_EQ(compare({"--update", "--yes", "golden", "result"}).exit, 0);
  const Outcome outcome = compare({"golden", "result"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  expect_contains(outcome.out, "3 same, 0 differ, 0 missing, 0 extra");
}

}  // namespace
}  // namespace cuimg::test
