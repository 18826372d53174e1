// SPDX-License-Identifier: Apache-2.0
#include "options/layer_names.h"

#include <gtest/gtest.h>

namespace cuimg::test {
namespace {

TEST(LayerNames, AreLabelsOrPatternsOfThem) {
  EXPECT_TRUE(names_layer("diffuse", "diffuse"));
  EXPECT_FALSE(names_layer("diffuse", "diffuse_sss"));
  EXPECT_TRUE(names_layer("diffuse*", "diffuse"));
  EXPECT_TRUE(names_layer("*.Diff???", "ViewLayer.DiffDir"));
  EXPECT_TRUE(names_layer("crypto_[am]*", "crypto_asset00"));
  EXPECT_FALSE(names_layer("crypto_[am]*", "crypto_object00"));
  EXPECT_FALSE(names_layer("", "RGBA"));
}

TEST(LayerNames, MayHaveSlashesAndBrackets) {
  EXPECT_TRUE(names_layer("light*", "light/key"));
  EXPECT_TRUE(names_layer("light/?ey", "light/key"));
  EXPECT_TRUE(names_layer("light[0]", "light[0]"));
}

}  // namespace
}  // namespace cuimg::test
