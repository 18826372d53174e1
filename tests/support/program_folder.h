// SPDX-License-Identifier: Apache-2.0
// A fixture for tests that run the program in a separate folder for each test.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/process.h"

namespace cuimg::test {

class ProgramFolder : public testing::Test {
 protected:
  Outcome cuimg(std::vector<std::string> words, RunOptions options = {}) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    if (options.folder.empty()) options.folder = folder_.path();
    return run(words, options);
  }
  void expect_made(const std::vector<std::string>& words) const {
    const Outcome outcome = cuimg(words);
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  const TempDir folder_;
};

}  // namespace cuimg::test
