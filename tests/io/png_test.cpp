// SPDX-License-Identifier: Apache-2.0
// PNG: every bit depth and colour type, tags, and files that break the rules.
#include "memory_images.h"

namespace cuimg::test {
namespace {

TEST(Png, KeepsEveryTypeChannelCountAndLevel) {
  for (PixelType type : {PixelType::u8, PixelType::u16})
    for (const auto& channels : std::vector<std::vector<std::string>>{
             {"Y"}, {"Y", "A"}, {"R", "G", "B"}, {"R", "G", "B", "A"}})
      for (const char* level : {"", "0", "1", "2", "5", "9"})
        for (const auto& [width, height] : {std::pair{1, 1}, {37, 19}, {3, 1}, {1, 5}}) {
          const Image image = textured(simple_spec(width, height, channels, type));
          const Image back = decoded(encoded(image, "png", {.compression = level}));
          EXPECT_TRUE(same_pixels(back, image)) << name_of(type) << channels.size() << level;
          EXPECT_EQ(back.spec().color, image.spec().color);
        }
}

TEST(Png, WritesTheSameBytesWithAnyNumberOfThreads) {
  for (PixelType type : {PixelType::u8, PixelType::u16}) {
    const Image image = textured(simple_spec(701, 1303, {"R", "G", "B"}, type));
    const auto one = encoded(image, "png", {.threads = 1});
    EXPECT_EQ(encoded(image, "png", {.threads = 2}), one);
    EXPECT_EQ(encoded(image, "png", {.threads = 5}), one);
    EXPECT_TRUE(same_pixels(decoded(one), image));
  }
}

TEST(Png, KeepsColorTextAndDensity) {
  Spec spec = simple_spec(5, 4, {"R", "G", "B"}, PixelType::u8);
  spec.color = {Curve::gamma, 1.8f, false,
                Chromaticities{0.7f, 0.3f, 0.2f, 0.7f, 0.1f, 0.05f, 0.31f, 0.33f}};
  spec.pixel_aspect = 2.0f;
  spec.metadata = {{"Title", std::string("plain")}, {"Author", std::string("J\xc3\xb6rg")}};
  const Image back = decoded(encoded(textured(spec), "png"));
  EXPECT_EQ(back.spec().metadata, spec.metadata);
  EXPECT_EQ(back.spec().pixel_aspect, 2.0f);
  EXPECT_EQ(back.spec().color.curve, Curve::gamma);
  EXPECT_NEAR(back.spec().color.gamma, 1.8f, 1e-4f);
  ASSERT_TRUE(back.spec().color.primaries);
  EXPECT_NEAR(back.spec().color.primaries->rx, 0.7f, 1e-5f);
  EXPECT_NEAR(back.spec().color.primaries->by, 0.05f, 1e-5f);

  spec.color.curve = Curve::linear;
  EXPECT_EQ(decoded(encoded(textured(spec), "png")).spec().color.curve, Curve::linear);
  EXPECT_EQ(decoded(encoded(textured(spec), "png"), {.raw = true}).spec().color.curve, Curve::raw);
  spec.color = {Curve::raw, 1.0f, false, {}};
  EXPECT_EQ(decoded(encoded(textured(spec), "png")).spec().color.curve, Curve::srgb);
}

TEST(Png, RefusesFilesCutShortAnywhere) {
  const auto whole = encoded(textured(simple_spec(61, 47, {"R", "G", "B"}, PixelType::u8)), "png");
  for (std::size_t size = 8; size < whole.size(); size += whole.size() / 30)
    EXPECT_NE(error_of([&] { decoded(std::span(whole).first(size)); }), "") << size;
  for (std::size_t missing : {1u, 4u, 8u, 12u, 13u})
    EXPECT_NE(error_of([&] { decoded(std::span(whole).first(whole.size() - missing)); }), "");
}

TEST(Png, RefusesAnyDamagedByteOfItsCriticalChunks) {
  Spec spec = simple_spec(20, 20, {"Y"}, PixelType::u8);
  spec.color.curve = Curve::raw;  // no ancillary chunks
  const auto whole = encoded(textured(spec), "png");
  for (std::size_t i = 8; i < whole.size(); ++i) {
    auto damaged = whole;
    damaged[i] ^= std::byte{0x40};
    EXPECT_NE(error_of([&] { decoded(damaged); }), "") << i;
  }
}

TEST(Png, RefusesAnImpossiblyLargeHeaderAtOnce) {
  auto bytes = encoded(textured(simple_spec(4, 4, {"Y"}, PixelType::u8)), "png");
  const unsigned char side[4] = {0, 0, 0x75, 0x30};  // 30000
  std::memcpy(&bytes[16], side, 4);
  std::memcpy(&bytes[20], side, 4);
  EXPECT_NE(error_of([&] { decoded(bytes); }).find("30000x30000"), std::string::npos);
}

TEST(Png, NamesTheLimitThatAFilePasses) {
  const auto bytes = encoded(textured(simple_spec(100, 50, {"Y"}, PixelType::u8)), "png");
  EXPECT_EQ(error_of([&] { decoded(bytes, {.limit_pixels = 4999}); }),
            "memory: 100x50 is 5000 pixels, past the limit of 4999: raise it with --limit-pixels "
            "if the file is trusted");
  EXPECT_EQ(error_of([&] { decoded(bytes, {.limit_pixels = 5000}); }), "");
}

TEST(Png, RefusesWhatItCannotStore) {
  EXPECT_NE(error_of([] {
              encoded(textured(simple_spec(4, 4, {"R", "G", "B"}, PixelType::half)), "png");
            }),
            "");
  EXPECT_NE(error_of([] {
              encoded(textured(simple_spec(4, 4, {"Y"}, PixelType::u8)), "png",
                      {.compression = "10"});
            }),
            "");
}

}  // namespace
}  // namespace cuimg::test
