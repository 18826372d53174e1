// SPDX-License-Identifier: Apache-2.0
// Small pictures made from rows while they are written to a file: their content, which depends
// neither on the order of rows nor on threads.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "codec_helpers.h"
#include "io/tags/exif_thumbnail.h"
#include "io/tags/thumbnail.h"

namespace cuimg::test {
namespace {

std::vector<int> shown(const Image& image, ThumbnailSize size) {
  Thumbnail thumbnail(image.spec(), size);
  thumbnail.add(image, 0, image.spec().data_window.height);
  std::vector<int> values;
  for (const std::byte value : thumbnail.rgba()) values.push_back(std::to_integer<int>(value));
  return values;
}

Image bytes_image(int width, int height, int channels, const std::vector<std::uint8_t>& values) {
  Image image(flat_spec(width, height, channels, PixelType::u8, srgb_straight()));
  std::ranges::copy(values, pixels<std::uint8_t>(image));
  return image;
}

TEST(Thumbnail, KeepsTheAspectAndIsNoLargerThanThePicture) {
  const auto size = [](int width, int height, float aspect = 1) {
    Spec spec = flat_spec(width, height, 3, PixelType::u8, srgb_straight());
    spec.pixel_aspect = aspect;
    const ThumbnailSize found = thumbnail_size(spec, {160, 120});
    return std::pair(found.width, found.height);
  };
  EXPECT_EQ(size(640, 480), std::pair(160, 120));
  EXPECT_EQ(size(6000, 4000), std::pair(160, 107));
  EXPECT_EQ(size(4000, 6000), std::pair(80, 120));
  EXPECT_EQ(size(33, 44), std::pair(33, 44));
  EXPECT_EQ(size(65000, 1), std::pair(160, 1));
  EXPECT_EQ(size(1, 65000), std::pair(1, 120));
  EXPECT_EQ(size(640, 480, 2), std::pair(160, 60));
}

TEST(Thumbnail, AveragesLightOverWholeAreas) {
  // Black and white in equal parts are sRGB's 188.
  EXPECT_EQ(shown(bytes_image(2, 1, 3, {0, 0, 0, 255, 255, 255}), {1, 1}),
            (std::vector<int>{188, 188, 188, 255}));
  // Three columns reduced to two: half of the middle one goes to each.
  EXPECT_EQ(shown(bytes_image(3, 1, 1, {0, 255, 255}), {2, 1}),
            (std::vector<int>{156, 156, 156, 255, 255, 255, 255, 255}));
  EXPECT_EQ(shown(bytes_image(1, 3, 1, {0, 255, 255}), {1, 2}),
            (std::vector<int>{156, 156, 156, 255, 255, 255, 255, 255}));
  // If the thumbnail is larger than the picture, pixels are repeated.
  EXPECT_EQ(shown(bytes_image(1, 1, 3, {10, 20, 30}), {2, 1}),
            (std::vector<int>{10, 20, 30, 255, 10, 20, 30, 255}));
}

TEST(Thumbnail, GivesEveryCodeBack) {
  std::vector<std::uint8_t> codes(256);
  std::vector<int> expected;
  for (int i = 0; i < 256; ++i) {
    codes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
    expected.insert(expected.end(), {i, i, i, 255});
  }
  EXPECT_EQ(shown(bytes_image(256, 1, 1, codes), {256, 1}), expected);
  Image raw = bytes_image(256, 1, 1, codes);
  raw.editable_spec().color.curve = Curve::raw;
  EXPECT_EQ(shown(raw, {256, 1}), expected);
}

TEST(Thumbnail, WeighsColorsByAlpha) {
  EXPECT_EQ(shown(bytes_image(2, 1, 4, {255, 0, 0, 0, 0, 0, 255, 255}), {1, 1}),
            (std::vector<int>{0, 0, 188, 128}));
}

TEST(Thumbnail, OfLightIsClampedAndNotANumberIsBlack) {
  Image image(flat_spec(6, 1, 1, PixelType::f32, linear_premultiplied()));
  const float infinity = std::numeric_limits<float>::infinity();
  std::ranges::copy(std::vector<float>{0.5f, 7, -3, infinity, -infinity, NAN},
                    pixels<float>(image));
  const std::vector<int> values = shown(image, {6, 1});
  const std::vector<int> expected = {188, 255, 0, 255, 0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(values[4 * i], expected[i]) << i;
}

TEST(Thumbnail, IsTheSameInWhateverOrderAndThreadRowsCome) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    for (int channels = 1; channels <= 4; ++channels) {
      const Image image = noise(97, 61, channels, type);
      Thumbnail ordered(image.spec(), {23, 14}), parallel(image.spec(), {23, 14});
      ordered.add(image, 0, 61);
      std::vector<std::thread> threads;
      for (const auto& [first, last] : std::vector<std::pair<int, int>>{{40, 61}, {0, 1}, {1, 40}})
        threads.emplace_back([&, first = first, last = last] { parallel.add(image, first, last); });
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(ordered.rgba(), parallel.rgba());
    }
}

TEST(ThumbnailJpeg, IsTheBestThatFits) {
  const Image image = noise(160, 120, 3, PixelType::u8);
  Thumbnail thumbnail(image.spec(), {160, 120});
  thumbnail.add(image, 0, 120);
  std::size_t before = SIZE_MAX;
  for (const std::size_t most : {40000u, 20000u, 10000u, 5000u, 3000u}) {
    const Blob jpeg = thumbnail_jpeg(thumbnail, most);
    ASSERT_FALSE(jpeg.empty()) << most;
    EXPECT_LE(jpeg.size(), most);
    EXPECT_LE(jpeg.size(), before);
    before = jpeg.size();
    // EXIF does not allow other application markers, so the tables come directly after the start.
    EXPECT_EQ(jpeg[3], std::byte{0xdb});
    EXPECT_EQ(decode(jpeg_codec(), jpeg).spec().data_window, (Rect{0, 0, 160, 120}));
  }
  EXPECT_TRUE(thumbnail_jpeg(thumbnail, 500).empty());
}

}  // namespace
}  // namespace cuimg::test
