// SPDX-License-Identifier: Apache-2.0
// Public test images, compared with the results of other programs: averages from oiiotool
// 2.4 --printstats (EXR, opaque PNG) and vips 8.14 avg (PNG with alpha), and for luminance-chroma
// from OpenEXR's own RgbaInputFile.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "memory_images.h"

namespace cuimg::test {
namespace {

float float_of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const float magnitude = exponent == 31 ? (mantissa != 0 ? NAN : INFINITY)
                          : exponent == 0
                              ? std::ldexp(static_cast<float>(mantissa), -24)
                              : std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::vector<double> averages(const Image& image, int layer) {
  const LayerSpec& spec = image.spec().layer(layer);
  const Rect window = image.spec().data_window;
  std::vector<double> sums(spec.channels.size());
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x)
      for (int c = 0; c < spec.channel_count(); ++c) {
        double value = 0;
        if (spec.type == PixelType::u8) value = value_at<std::uint8_t>(image, layer, x, y, c);
        if (spec.type == PixelType::u16) value = value_at<std::uint16_t>(image, layer, x, y, c);
        if (spec.type == PixelType::f32) value = value_at<float>(image, layer, x, y, c);
        if (spec.type == PixelType::half)
          value = float_of_half(value_at<std::uint16_t>(image, layer, x, y, c));
        sums[static_cast<std::size_t>(c)] += value;
      }
  for (double& sum : sums) sum /= static_cast<double>(window.pixels());
  return sums;
}

std::string shared_image(const std::string& name) {
  return std::string(CUIMG_SHARED) + "/images/" + name;
}

struct Fact {
  std::string file;
  DecodeOptions options;
  Rect data, display;
  PixelType type;
  std::vector<double> averages;
  double tolerance;
};

class RealImages : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(shared_image("Bonita.exr"))) GTEST_SKIP() << "no shared images";
  }
};

TEST_F(RealImages, ReadAsOtherProgramsReadThem) {
  const std::vector<Fact> facts = {
      {"GoldenGate.exr",
       {},
       {0, 0, 1262, 860},
       {0, 0, 1262, 860},
       PixelType::half,
       {0.091795, 0.097724, 0.280126},
       1e-5},
      {"Bonita.exr",
       {},
       {0, 0, 550, 832},
       {0, 0, 550, 832},
       PixelType::half,
       {0.522202, 0.559464, 0.638232},
       1e-5},
      {"Bonita.exr",
       {.mip_level = 2},
       {0, 0, 137, 208},
       {0, 0, 137, 208},
       PixelType::half,
       {0.522253, 0.559521, 0.638297},
       1e-5},
      {"Desk.exr",
       {},
       {0, 0, 644, 874},
       {0, 0, 644, 874},
       PixelType::half,
       {6.064032, 6.048354, 2.850174, 1.0},
       1e-4},
      {"GammaChart.exr",
       {},
       {0, 0, 800, 800},
       {0, 0, 800, 800},
       PixelType::half,
       {0.175781, 0.175781, 0.175781},
       1e-5},
      {"XYZ.exr",
       {},
       {0, 0, 610, 406},
       {0, 0, 610, 406},
       PixelType::half,
       {0.270780, 0.284661, 0.149810},
       1e-5},
      {"t08.exr",
       {},
       {30, 40, 400, 300},
       {0, 0, 501, 401},
       PixelType::half,
       {0.007500, 0.009183, 0.740058},
       1e-5},
      {"multipart.0001.exr",
       {.part = 3},
       {1106, 245, 385, 769},
       {0, 0, 2048, 1556},
       PixelType::half,
       {0.597733},
       1e-5},
      {"Flowers.exr",
       {},
       {0, 0, 784, 734},
       {0, 0, 784, 734},
       PixelType::half,
       {0.704505315, 0.721351082, 1.74420915},
       1e-7},
      {"oiio-logo-with-alpha.png",
       {},
       {0, 0, 135, 135},
       {0, 0, 135, 135},
       PixelType::u8,
       {215.823045, 215.823045, 215.823045, 32.134431},
       0.01},
      {"pngsuite_basi6a08.png",
       {},
       {0, 0, 32, 32},
       {0, 0, 32, 32},
       PixelType::u8,
       {100.65625, 191.25, 94.71875, 127.03125},
       0.01},
      {"pngsuite_basn0g01.png", {}, {0, 0, 32, 32}, {0, 0, 32, 32}, PixelType::u8, {124.51}, 0.01},
      {"pngsuite_basn2c16.png",
       {},
       {0, 0, 32, 32},
       {0, 0, 32, 32},
       PixelType::u16,
       {32767.50, 32767.50, 11263.79},
       0.01},
      {"pngsuite_basn3p08.png",
       {},
       {0, 0, 32, 32},
       {0, 0, 32, 32},
       PixelType::u8,
       {135.31, 135.31, 111.44},
       0.01},
      {"pngsuite_basn6a16.png",
       {},
       {0, 0, 32, 32},
       {0, 0, 32, 32},
       PixelType::u16,
       {32767.238281, 32767.238281, 16383.488281, 20480.253906},
       0.01},
      {"pngsuite_tbbn2c16.png",
       {},
       {0, 0, 32, 32},
       {0, 0, 32, 32},
       PixelType::u16,
       {42974.989258, 44830.459961, 43521.609375, 36543.442383},
       0.01},
  };
  for (const Fact& fact : facts) {
    SCOPED_TRACE(fact.file);
    const Image image = read_image(shared_image(fact.file), fact.options);
    EXPECT_EQ(image.spec().data_window, fact.data);
    EXPECT_EQ(image.spec().display_window, fact.display);
    EXPECT_EQ(image.spec().layers[0].type, fact.type);
    const std::vector<double> found = averages(image, 0);
    ASSERT_EQ(found.size(), fact.averages.size());
    for (std::size_t c = 0; c < found.size(); ++c)
      EXPECT_NEAR(found[c], fact.averages[c], fact.tolerance) << c;
  }
}

TEST_F(RealImages, KeepEveryHalfBitPattern) {
  const Image image = read_image(shared_image("AllHalfValues.exr"));
  std::vector<bool> seen(65536);
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) seen[value_at<std::uint16_t>(image, 0, x, y, 0)] = true;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 65536);
}

TEST_F(RealImages, GroupManyChannelsIntoLayers) {
  const Image image = read_image(shared_image("singlepart.0001.exr"));
  int channels = 0;
  bool left = false;
  for (int l = 0; l < image.spec().layer_count(); ++l) {
    const LayerSpec& layer = image.spec().layer(l);
    channels += layer.channel_count();
    if (layer.name == "left" && layer.channel_count() == 4) left = true;
    if (layer.channels == std::vector<std::string>{"Z"}) {
      EXPECT_NEAR(averages(image, l)[0], layer.name == "left" ? 7.021987 : 7.020691, 1e-5);
    }
  }
  EXPECT_EQ(channels, 20);
  EXPECT_TRUE(left);
  EXPECT_TRUE(same_pixels(decoded(encoded(image, "exr")), image));
}

TEST_F(RealImages, ReadLuminanceChromaAsItIsWhenRaw) {
  const Image image = read_image(shared_image("Flowers.exr"), {.raw = true});
  int channels = 0;
  for (const LayerSpec& layer : image.spec().layers) channels += layer.channel_count();
  EXPECT_EQ(channels, 3);
  EXPECT_EQ(image.spec().color.curve, Curve::raw);
}

TEST_F(RealImages, CarryTheirPrimaries) {
  const Image image = read_image(shared_image("XYZ.exr"));
  ASSERT_TRUE(image.spec().color.primaries);
  EXPECT_EQ(image.spec().color.primaries->rx, 1.0f);
  EXPECT_EQ(image.spec().color.primaries->by, 0.0f);
  EXPECT_FALSE(read_image(shared_image("XYZ.exr"), {.raw = true}).spec().color.primaries);
}

TEST_F(RealImages, ReadTheSameWithOneThreadAndMany) {
  for (const char* name : {"GoldenGate.exr", "Desk.exr", "Bonita.exr", "Flowers.exr"})
    EXPECT_TRUE(same_pixels(read_image(shared_image(name), {.threads = 1}),
                            read_image(shared_image(name), {.threads = 5})))
        << name;
}

TEST_F(RealImages, AreRefusedWhenCutShort) {
  // Tiled with levels, tiled piz, multi-part, luminance-chroma.
  for (const char* name : {"Bonita.exr", "GoldenGate.exr", "multipart.0001.exr", "Flowers.exr"}) {
    const auto source = ByteSource::open(shared_image(name));
    const auto bytes = source->bytes();
    for (std::size_t i = 1; i < 30; ++i) {
      const auto cut = bytes.first(bytes.size() * i / 40);
      EXPECT_NE(error_of([&] { decoded(cut, {.part = name[0] == 'm' ? 9 : 0}); }), "")
          << name << ' ' << i;
    }
  }
}

TEST_F(RealImages, CorruptPngFilesAreRefused) {
  for (const char* name :
       {"pngsuite_xcrn0g04.png", "pngsuite_xcsn0g01.png", "pngsuite_xdtn0g01.png"})
    EXPECT_NE(error_of([&] { read_image(shared_image(name)); }), "") << name;
}

}  // namespace
}  // namespace cuimg::test
