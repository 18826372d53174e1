// SPDX-License-Identifier: Apache-2.0
#include "base/message_text.h"

#include <gtest/gtest.h>

namespace cuimg {
namespace {

TEST(MessageText, WritesSizes) { EXPECT_EQ(size_text(640, 1), "640x1"); }

TEST(MessageText, CountsInTheSingularAndThePlural) {
  EXPECT_EQ(counted(0, "image"), "0 images");
  EXPECT_EQ(counted(1, "image"), "1 image");
  EXPECT_EQ(counted(2, "image"), "2 images");
}

TEST(MessageText, SeparatesTheItemsOfLists) {
  std::string list;
  add_item(list, "R");
  EXPECT_EQ(list, "R");
  add_item(list, "G");
  add_item(list, "B", "; ");
  EXPECT_EQ(list, "R, G; B");
}

}  // namespace
}  // namespace cuimg
