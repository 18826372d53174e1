// SPDX-License-Identifier: Apache-2.0
// A fixture for tests that run the program in a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/process.h"

namespace cuimg::test {

class ProgramFolder : public testing::Test {
 protected:
  Outcome cuimg(std::vector<std::string> words) const {
    words.insert(words.begin(), CUIMG_PROGRAM);
    return run(words, {.folder = folder_.path()});
  }
  void expect_made(const std::vector<std::string>& words) const {
    const Outcome outcome = cuimg(words);
    ASSERT_EQ(outcome.exit, 0) << outcome.err;
  }
  const TempDir folder_;
};

}  // namespace cuimg::test
