// SPDX-License-Identifier: Apache-2.0
// Detection of Cryptomatte's layers.
#include "image/cryptomatte.h"

#include <gtest/gtest.h>

namespace cuimg::test {
namespace {

TEST(CryptomatteNames, LayersAreKnownByTheMetadata) {
  const auto marked = [](const std::string& name, const std::string& layer,
                         PixelType type = PixelType::f32, const std::string& part = "") {
    std::vector<LayerSpec> layers = {{layer, {"R", "G", "B", "A"}, type}};
    mark_mattes({{"cryptomatte/f834d0a/name", name}}, layers, part);
    return layers.front().is_matte;
  };
  EXPECT_TRUE(marked("crypto_object", "crypto_object00"));
  EXPECT_TRUE(marked("crypto_object", "crypto_object12"));
  EXPECT_TRUE(marked("ViewLayer.CryptoObject", "ViewLayer.CryptoObject00"));
  EXPECT_TRUE(marked("crypto_object", "left.crypto_object00"));
  EXPECT_TRUE(marked("crypto_object", "", PixelType::f32, "crypto_object01"));
  EXPECT_TRUE(marked("crypto_object", "", PixelType::f32, "crypto_object01.left"));
  EXPECT_TRUE(marked("CryptoObject", "CryptoObject00.left"));
  EXPECT_TRUE(marked("ViewLayer.CryptoObject", "ViewLayer.CryptoObject00.left"));
  EXPECT_TRUE(marked("ViewLayer.CryptoObject", "left.ViewLayer.CryptoObject00"));
  EXPECT_TRUE(marked("crypto_id1", "crypto_id100"));
  EXPECT_TRUE(marked("CryptoMat2024", "CryptoMat202400"));
  EXPECT_TRUE(marked("CryptoMat2024", "CryptoMat202401.right"));
  EXPECT_TRUE(marked("11", "1111"));
  EXPECT_FALSE(marked("crypto_object", "crypto_object"));  // a preview, in colour
  EXPECT_FALSE(marked("crypto_object", "my_crypto_object00"));
  EXPECT_FALSE(marked("crypto_object", "crypto_object00x"));
  EXPECT_FALSE(marked("crypto_object", "crypto_material00"));
  EXPECT_FALSE(marked("crypto_object", "crypto_object00x.left"));
  EXPECT_FALSE(marked("crypto_object", "crypto_object.left"));
  EXPECT_FALSE(marked("crypto_object", "crypto_object.00"));
  EXPECT_FALSE(marked("crypto_object", "my_crypto_object00.left"));
  EXPECT_FALSE(marked("CryptoMat2024", "CryptoMat2024"));
  EXPECT_FALSE(marked("CryptoMat2024", "CryptoMat2024.left"));
  EXPECT_FALSE(marked("crypto_object", "crypto_object00", PixelType::half));
  EXPECT_FALSE(marked("", "00"));
}

}  // namespace
}  // namespace cuimg::test
