// SPDX-License-Identifier: Apache-2.0
// The grouping of a file's channels into layers.
#include <gtest/gtest.h>

#include "image/spec.h"

namespace cuimg {
namespace {

// "RGBA Z" for a layer of four channels and a layer of one; "V.UV:UVA" for layers with a prefix.
std::string layers_of(const std::vector<std::string>& names) {
  std::string text;
  for (const LayerSpec& layer :
       group_channels(names, std::vector<PixelType>(names.size(), PixelType::f32))) {
    if (!text.empty()) text += ' ';
    if (!layer.name.empty()) text += layer.name + ':';
    for (const std::string& channel : layer.channels) text += channel;
  }
  return text;
}

TEST(GroupChannels, ColoursAndTheirAlphaLieTogether) {
  EXPECT_EQ(layers_of({"A", "B", "G", "R", "Z"}), "RGBA Z");
  EXPECT_EQ(layers_of({"A", "Y", "Z"}), "YA Z");
  EXPECT_EQ(layers_of({"A", "R", "d.A", "d.B", "d.G", "d.R"}), "RA d:RGBA");
}

TEST(GroupChannels, AnAlphaWithoutColoursGoesWithWhatThereIs) {
  EXPECT_EQ(layers_of({"V.UV.A", "V.UV.U", "V.UV.V"}), "V.UV:UVA");
  EXPECT_EQ(layers_of({"A", "X", "Y", "Z"}), "XYZA");
  EXPECT_EQ(layers_of({"A", "X", "Y"}), "XYA");
  EXPECT_EQ(layers_of({"A", "Z"}), "ZA");
  EXPECT_EQ(layers_of({"A"}), "A");
}

// A layer holds at most four channels; those that belong together stay together.
TEST(GroupChannels, AnAlphaForWhichThereIsNoRoomIsALayer) {
  EXPECT_EQ(layers_of({"A", "W", "X", "Y", "Z"}), "XYZW A");
}

// Renderers write such names for one number per pixel; --layers can select each.
TEST(GroupChannels, AWordWithoutAPrefixIsALayerByItself) {
  EXPECT_EQ(layers_of({"A", "AO", "B", "G", "R", "Z", "ZBack", "mask"}), "RGBA AO Z ZBack mask");
  EXPECT_EQ(layers_of({"A", "AO"}), "AO A");
  EXPECT_EQ(layers_of({"u", "v"}), "uv");
  EXPECT_EQ(layers_of({"uv.s", "uv.second"}), "uv:ssecond");
}

// A renderer's or a compositor's luminance of the same picture.
TEST(GroupChannels, AYNextToColoursIsALayerByItself) {
  EXPECT_EQ(layers_of({"B", "G", "R", "Y"}), "RGB Y");
  EXPECT_EQ(layers_of({"A", "B", "G", "R", "Y"}), "RGBA Y");
  EXPECT_EQ(layers_of({"A", "R", "Y", "Z"}), "RA Y Z");
  EXPECT_EQ(layers_of({"B", "Y", "d.B", "d.Y"}), "B Y d:B d:Y");
  const std::vector<LayerSpec> mixed =
      group_channels({"B", "R", "Y"}, {PixelType::half, PixelType::half, PixelType::f32});
  ASSERT_EQ(mixed.size(), 2u);
  EXPECT_EQ(mixed[0].type, PixelType::half);
}

TEST(GroupChannels, AnAlphaGoesWithItsOwnPrefix) {
  EXPECT_EQ(layers_of({"P.A", "P.X", "P.Y", "P.Z", "R", "G", "B"}), "P:XYZA RGB");
  EXPECT_EQ(layers_of({"A", "N.X", "N.Y", "N.Z", "R", "G", "B"}), "RGBA N:XYZ");
}

}  // namespace
}  // namespace cuimg
