// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/rule_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuimg::test {
namespace {

Limits limits_of(const std::vector<CompareRule>& rules, const std::string& path,
                 Limits limits = {}) {
  PictureLimits(rules, path).apply(limits);
  return limits;
}

TEST(RuleFile, EveryOptionIsOfTheLastSectionThatMatchesAndNamesIt) {
  const auto rules = parse_rules(
      "[*]\nfail = 0.5\nfail-percent = 1\n[a*]\nfail = 0.25\nallow-shift\n[/b.png]\nnan = fails\n",
      "", "rules");
  Limits given;
  given.fail = 0.75f;
  given.fail_percent = 2.0f;
  given.max_ulp = 3u;
  const Limits a = limits_of(rules, "sub/a.png", given);
  EXPECT_EQ(a.fail, 0.25f);
  EXPECT_EQ(a.fail_percent, 1.0f);
  EXPECT_TRUE(a.allow_shift);
  EXPECT_EQ(a.max_ulp, 3u);
  EXPECT_EQ(limits_of(rules, "b.png").nan, NanRule::fails);
  EXPECT_EQ(limits_of(rules, "b.png").fail, 0.5f);
  EXPECT_EQ(limits_of(rules, "sub/b.png").nan, NanRule::same);
}

TEST(RuleFile, TheOrderOfSectionsDecidesAndNotHowNarrowTheyAre) {
  const auto rules =
      parse_rules("\xef\xbb\xbf[a.png]\nfail = 0.25\n[*]\nfail = 0.5\n", "", "rules");
  EXPECT_EQ(limits_of(rules, "a.png").fail, 0.5f);
}

TEST(RuleFile, UnsetIsAsIfNoSectionHadNamedTheOption) {
  const auto rules = parse_rules(
      "[*]\nfail = 0.5\nignore = 1,2,3,4\nallow-shift\n"
      "[a.png]\nfail = unset\nignore = unset\nallow-shift = unset\n",
      "", "rules");
  Limits given;
  given.fail = 0.75f;
  const Limits a = limits_of(rules, "a.png", given);
  EXPECT_EQ(a.fail, 0.75f);
  EXPECT_TRUE(a.ignore.all.empty());
  EXPECT_FALSE(a.allow_shift);
  EXPECT_FALSE(limits_of(rules, "a.png").fail);
}

TEST(RuleFile, RegionsOfOneSectionAddUpAndTakeThePlaceOfAnothers) {
  const auto rules = parse_rules(
      "[*]\nignore = 1,2,3,4\n[a.png]\nignore = 5,6,7,8\nignore = 9,10,11,12\n", "", "rules");
  Limits given;
  given.ignore.all = {{0, 0, 1, 1}};
  EXPECT_EQ(limits_of(rules, "a.png", given).ignore.all,
            (std::vector<Rect>{{0, 0, 1, 1}, {5, 6, 7, 8}, {9, 10, 11, 12}}));
  EXPECT_EQ(limits_of(rules, "b.png", given).ignore.all,
            (std::vector<Rect>{{0, 0, 1, 1}, {1, 2, 3, 4}}));
}

TEST(RuleFile, TheTextNamesTheSectionOfEachValue) {
  const auto rules = parse_rules(
      "[*]\nfail = 0.5\nmax-ulp = 3\n[a*]\nallow-shift\nfail = 0.25\n[c.png]\nmax-ulp = unset\n",
      "", "rules");
  EXPECT_EQ(PictureLimits(rules, "a.png").text(),
            "[*] of rules:1, max-ulp = 3; [a*] of rules:4, allow-shift = true, fail = 0.25");
  EXPECT_EQ(PictureLimits(rules, "c.png").text(),
            "[*] of rules:1, fail = 0.5; [c.png] of rules:7, max-ulp = unset");
  EXPECT_EQ(PictureLimits({}, "a.png").text(), "");
}

TEST(RuleFile, AreRelativeToTheirFolder) {
  const auto rules = parse_rules("[x/*.png]\nfail = 1\n", "deep/", "rules");
  EXPECT_EQ(limits_of(rules, "deep/x/a.png").fail, 1.0f);
  EXPECT_FALSE(limits_of(rules, "x/a.png").fail);
}

TEST(RuleFile, AMaskLiesNextToTheFileThatNamesIt) {
  auto rules = parse_rules("[*]\nmask = m.png\n", "", "goldens/.cuimg-compare");
  for (const CompareRule& rule :
       parse_rules("[*]\nfail = 1\n", "sub/", "goldens/sub/.cuimg-compare"))
    rules.push_back(rule);
  EXPECT_EQ(limits_of(rules, "sub/a.png").mask, "goldens/m.png");
}

TEST(RuleFile, MistakesAreErrorsWithTheirLine) {
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      parse_rules(text, "", "rules");
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(error_of("fail = 1"),
            "rules:1: fail = 1 comes before the first section: begin with "
            "[pattern]");
  EXPECT_EQ(error_of("[*]\n\nfial = 1"),
            "rules:3: no option of a rule file is called fial: did you mean fail?");
  EXPECT_EQ(error_of("[*]\nrange = 2"),
            "rules:2: no option of a rule file is called range: it may set limits and what is "
            "compared; the other options of cuimg compare belong on the command line");
  EXPECT_NE(error_of("[*]\nfail = x").find("rules:2: --fail x"), std::string::npos);
  EXPECT_NE(error_of("[*]\nfail").find("fail has no value"), std::string::npos);
  EXPECT_NE(error_of("[").find("is not a section"), std::string::npos);
  EXPECT_NE(error_of("[*]\nallow-shift = maybe").find("rules:2"), std::string::npos);
  EXPECT_EQ(error_of("# nothing\n\n[*]\nignore = 1,2,3,4\nnan = fails\nfail = unset\n"), "");
}

}  // namespace
}  // namespace cuimg::test
