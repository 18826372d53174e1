// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/progress_line.h"

#include <gtest/gtest.h>

namespace cuimg {
namespace {

TEST(FittedLine, IsWholeWhereThereIsRoomOrNobodyKnows) {
  EXPECT_EQ(fitted_line("[1/2] ", "shot/in.exr", 17), "[1/2] shot/in.exr");
  EXPECT_EQ(fitted_line("[1/2] ", "shot/in.exr", 0), "[1/2] shot/in.exr");
}

TEST(FittedLine, KeepsTheEndOfALongName) {
  EXPECT_EQ(fitted_line("[1/2] ", "shot/in.exr", 16), "[1/2] .../in.exr");
  EXPECT_EQ(fitted_line("[1/2] ", "shot/in.exr", 10), "[1/2] ...r");
}

TEST(FittedLine, OnATinyTerminalIsItsBeginning) {
  EXPECT_EQ(fitted_line("[1/2] ", "shot/in.exr", 9), "[1/2] ");
  EXPECT_EQ(fitted_line("[1/2] ", "shot/in.exr", 1), "[");
}

TEST(FittedLine, CutsNoCharacterInTwo) {
  EXPECT_EQ(fitted_line("", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4), "...\xc3\xa9");
  // These characters are two columns wide.
  EXPECT_EQ(fitted_line("", "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 6),
            "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2");
  EXPECT_EQ(fitted_line("", "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 5), "...\xe6\xbc\xa2");
}

}  // namespace
}  // namespace cuimg
