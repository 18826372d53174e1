// SPDX-License-Identifier: Apache-2.0
// multiView after channels: the views of the written channels, or nothing.
#include "support/images.h"

namespace cuimg::test {
namespace {

using Views = std::vector<std::string>;

// The rest of the entry; empty if it is removed.
Views views_after(const std::string& pick) {
  Spec spec = spec_of({0, 0, 4, 3}, PixelType::half, 3);
  const LayerSpec colors = spec.layer(0);
  for (const std::string name : {"left", "centre", "diffuse.left", "other"}) {
    spec.layers.push_back(colors);
    spec.layers.back().name = name;
  }
  spec.metadata["multiView"] = Views{"right", "left", "centre"};
  const Plan plan = plan_of(parse_chain("channels --pick " + pick), spec);
  const Views* const views = find_entry<Views>(plan.output().metadata, "multiView");
  return views == nullptr ? Views{} : *views;
}

TEST(ChannelViews, NamesThatStayKeepTheirViews) {
  EXPECT_EQ(views_after("R,G,B,left,centre,diffuse.left"), (Views{"right", "left", "centre"}));
  EXPECT_EQ(views_after("left,diffuse.left,A=1"), (Views{"right", "left"}));
  EXPECT_EQ(views_after("B=R,G,R=B,other"), (Views{"right"}));
  EXPECT_EQ(views_after("light.left=diffuse.left,RGB"), (Views{"right", "left"}));
}

TEST(ChannelViews, ALayerWithoutItsNameIsTheFirstView) {
  EXPECT_EQ(views_after("=left"), (Views{"left"}));
  EXPECT_EQ(views_after("R=left.R,G=left.G,B=left.B,Z=1"), (Views{"left"}));
  EXPECT_EQ(views_after("=left,right=RGB,centre"), (Views{"left", "right", "centre"}));
}

TEST(ChannelViews, WhatNamesCannotSayIsRemoved) {
  EXPECT_EQ(views_after("=other"), Views{});
  EXPECT_EQ(views_after("left=RGB"), Views{});
  EXPECT_EQ(views_after("R=left.R,G,B"), Views{});
  EXPECT_EQ(views_after("=left,old=RGB"), Views{});
}

}  // namespace
}  // namespace cuimg::test
