// SPDX-License-Identifier: Apache-2.0
// The promise for chains: two to six random stages over a random small image give the same bytes on
// the CPU and on the card, or the same error.
#include "parity_cases.h"

namespace cuimg::test {
namespace {

// The chains are in groups, so that several processes can share them.
constexpr unsigned groups = 8;

class Chains : public Card, public testing::WithParamInterface<unsigned> {};

TEST_P(Chains, GiveTheSameBytesOnBothDevicesOrTheSameError) {
  const ChainLimits limits = {4096, 2e5};
  const ChainFolders folders(longest_chain);
  const auto run = [&](unsigned number) {
    const std::optional<ChainCase> c = random_chain(number, folders, limits);
    if (!c) return false;
    EXPECT_TRUE(same_on_both(queue(), c->plan, c->source, c->options, c->command));
    return true;
  };
  if (const char* const only = std::getenv("CUIMG_CHAIN_ONLY")) {
    const auto number = static_cast<unsigned>(std::stoul(only));
    if (number % groups != GetParam()) GTEST_SKIP() << "chain " << number << " is another group's";
    ASSERT_TRUE(run(number)) << "too few stages fit each other";
    return;
  }
  const unsigned cases = number_in("CUIMG_CHAIN_CASES", 20000);
  unsigned tried = 0, done = 0;
  for (unsigned number = GetParam(); number < cases && !HasFailure(); number += groups) {
    ++tried;
    if (run(number)) ++done;
  }
  EXPECT_GE(done, tried * 3 / 4) << "too many draws gave no chain";
}

INSTANTIATE_TEST_SUITE_P(Groups, Chains, testing::Range(0u, groups));

}  // namespace
}  // namespace cuimg::test
