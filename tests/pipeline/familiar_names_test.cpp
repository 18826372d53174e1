// SPDX-License-Identifier: Apache-2.0
// Names from other programs lead to existing stages and commands.
#include "pipeline/familiar_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "stages/registry.h"

namespace cuimg {
namespace {

TEST(FamiliarNames, AreInOrderAndNoStages) {
  const auto names = familiar_names();
  EXPECT_TRUE(std::ranges::is_sorted(names, {}, &FamiliarName::word));
  for (const FamiliarName& name : names)
    EXPECT_EQ(find_stage(std::string(name.word)), nullptr) << name.word;
}

TEST(FamiliarNames, LeadToWhatThereIs) {
  const std::set<std::string> commands = {"checksum", "compare", "info", "show"};
  for (const FamiliarName& name : familiar_names()) {
    const std::string advice(name.advice);
    std::smatch first;
    ASSERT_TRUE(std::regex_search(advice, first, std::regex("^use ([a-z]+)"))) << advice;
    const std::string target = first[1];
    EXPECT_TRUE(find_stage(target) != nullptr || commands.contains(target)) << advice;
  }
}

TEST(FamiliarNames, ComeBeforeNamesThatAreNear) {
  const std::vector<std::string> candidates = {"tee", "blur", "resize"};
  EXPECT_EQ(advice_on_name("smooth", candidates, "none"), "use blur or bilateral");
  EXPECT_EQ(advice_on_name("fliplr", std::vector<std::string>{"flip", "flop"}, "none"), "use flop");
  EXPECT_EQ(advice_on_name("resizes", candidates, "none"), "did you mean resize?");
  EXPECT_EQ(advice_on_name("xyz", candidates, "none"), "none");
}

}  // namespace
}  // namespace cuimg
