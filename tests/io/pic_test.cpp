// SPDX-License-Identifier: Apache-2.0
// Softimage PIC: every compression, with and without alpha.
#include <gtest/gtest.h>

#include "made_pic.h"
#include "memory_images.h"

namespace cuimg::test {
namespace {

TEST(Pic, EveryPackingIsReadExactly) {
  for (const auto& [width, height] : {std::pair{33, 7}, {1, 1}, {500, 3}})
    for (const bool alpha : {false, true})
      for (const PicCode code : {PicCode::none, PicCode::pure, PicCode::mixed}) {
        const MadeBytes rgba = pic_pixels(width, height);
        const Image image = decoded(made_pic(width, height, alpha, code, rgba));
        ASSERT_EQ(image.spec().layers[0].channel_count(), alpha ? 4 : 3);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x)
            for (int c = 0; c < (alpha ? 4 : 3); ++c)
              ASSERT_EQ(value_at<std::uint8_t>(image, 0, x, y, c),
                        std::to_integer<std::uint8_t>(
                            rgba[static_cast<std::size_t>(4 * (y * width + x) + c)]));
        EXPECT_EQ(image.spec().pixel_aspect, 2.0f);
        EXPECT_EQ(image.spec().metadata.at("comments"),
                  MetadataValue(std::string("made by a test")));
      }
}

TEST(Pic, FilesCutShortAreRefused) {
  for (const PicCode code : {PicCode::none, PicCode::pure, PicCode::mixed}) {
    const MadeBytes whole = made_pic(33, 9, true, code, pic_pixels(33, 9));
    for (std::size_t i = 0; i < 60; ++i) {
      const std::size_t length = i < 30 ? whole.size() * i / 30 : whole.size() - (i - 29);
      const MadeBytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_NE(error_of([&] { decoded(cut); }), "") << length << " of " << whole.size();
    }
  }
}

TEST(Pic, WhatIsMalformedIsRefused) {
  const MadeBytes whole = made_pic(5, 4, false, PicCode::mixed, pic_pixels(5, 4));
  const auto changed = [&](std::size_t at, unsigned value) {
    MadeBytes bytes = whole;
    bytes[at] = static_cast<std::byte>(value);
    return error_of([&] { decoded(bytes); });
  };
  constexpr std::size_t width_at = 92, bits_at = 105, type_at = 106, channels_at = 107;
  EXPECT_NE(changed(bits_at, 16).find("PIC: 16 bits a channel"), std::string::npos);
  EXPECT_NE(changed(type_at, 3).find("PIC: packets of type 3"), std::string::npos);
  EXPECT_NE(changed(channels_at, 0).find("PIC: a packet of no channel"), std::string::npos);
  EXPECT_NE(changed(channels_at, 0x10).find("PIC: no colour"), std::string::npos);
  EXPECT_NE(changed(width_at, 0xff), "");
  EXPECT_NE(changed(width_at + 2, 0xff).find("truncated"), std::string::npos);
  EXPECT_NE(changed(108, 200).find("PIC: scanline overrun"), std::string::npos);
}

}  // namespace
}  // namespace cuimg::test
