// SPDX-License-Identifier: Apache-2.0
// MD5 against the examples of RFC 1321.
#include "base/digest/md5.h"

#include <gtest/gtest.h>

namespace cuimg::test {
namespace {

std::string md5(const std::string& text) { return md5_of(std::as_bytes(std::span(text))); }

TEST(Md5, MatchesTheExamplesOfItsDefinition) {
  EXPECT_EQ(md5(""), "D41D8CD98F00B204E9800998ECF8427E");
  EXPECT_EQ(md5("abc"), "900150983CD24FB0D6963F7D28E17F72");
  EXPECT_EQ(md5("abcdefghijklmnopqrstuvwxyz"), "C3FCD3D76192E4007DFB496CCA67E13B");
  EXPECT_EQ(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57EDF4A22BE3C955AC49DA2E2107B67A");
}

}  // namespace
}  // namespace cuimg::test
