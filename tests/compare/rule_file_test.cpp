// SPDX-License-Identifier: Apache-2.0
#include "compare/trees/rule_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuimg::test {
namespace {

TEST(RuleFile, GlobsStopAtFolders) {
  EXPECT_TRUE(matches_glob("*.png", "a.png"));
  EXPECT_FALSE(matches_glob("*.png", "sub/a.png"));
  EXPECT_TRUE(matches_glob("**.png", "sub/a.png"));
  EXPECT_TRUE(matches_glob("sub/**/a.png", "sub/a.png"));
  EXPECT_TRUE(matches_glob("sub/**/a.png", "sub/x/y/a.png"));
  EXPECT_TRUE(matches_glob("a?.png", "ab.png"));
  EXPECT_FALSE(matches_glob("a?b", "a/b"));
  EXPECT_FALSE(matches_glob("a", "ab"));
  EXPECT_TRUE(matches_glob("*", ""));
}

TEST(RuleFile, TheLastSectionThatMatchesCounts) {
  const auto rules =
      parse_rules("[*]\nfail = 0.5\n[a*]\nmax-ulp = 3\nallow-shift\n[/b.png]\n", "", "rules");
  EXPECT_EQ(rule_for(rules, "c.png")->pattern, "*");
  EXPECT_EQ(rule_for(rules, "sub/a.png")->pattern, "a*");
  EXPECT_EQ(rule_for(rules, "b.png")->pattern, "/b.png");
  EXPECT_EQ(rule_for(rules, "sub/b.png")->pattern, "*");
  Limits limits;
  limits.fail_percent = 2.0f;
  rule_for(rules, "a.png")->apply(limits);
  EXPECT_EQ(limits.max_ulp, 3);
  EXPECT_TRUE(limits.allow_shift);
  EXPECT_FALSE(limits.fail);
  EXPECT_EQ(limits.fail_percent, 2.0f);
}

TEST(RuleFile, AreRelativeToTheirFolder) {
  const auto rules = parse_rules("[x/*.png]\nfail = 1\n", "deep/", "rules");
  EXPECT_NE(rule_for(rules, "deep/x/a.png"), nullptr);
  EXPECT_EQ(rule_for(rules, "x/a.png"), nullptr);
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
            "rules:1: fail = 1 lies before the first section: begin with "
            "[pattern]");
  EXPECT_NE(error_of("[*]\n\nfial = 1").find("rules:3: no option is called fial"),
            std::string::npos);
  EXPECT_NE(error_of("[*]\nfail = x").find("rules:2: --fail x"), std::string::npos);
  EXPECT_NE(error_of("[*]\nfail").find("fail has no value"), std::string::npos);
  EXPECT_NE(error_of("[").find("is no section"), std::string::npos);
  EXPECT_NE(error_of("[*]\nallow-shift = maybe").find("rules:2"), std::string::npos);
  EXPECT_EQ(error_of("# nothing\n\n[*]\nignore = 1,2,3,4\nnan = fails\n"), "");
}

}  // namespace
}  // namespace cuimg::test
