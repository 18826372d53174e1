// SPDX-License-Identifier: Apache-2.0
// Conversion of TIFF's samples: few bits, palettes, 32 bits, signed integers.
#include <tiffio.h>

#include <algorithm>
#include <array>

#include "io/codec_helpers.h"
#include "io/made_tiff.h"
#include "io/memory_images.h"

namespace cuimg {
namespace {

using namespace test;

// Such as heights below sea level, or Hounsfield units.
TEST(TiffSamples, IntegersWithASignAreFloatsOfTheSameValues) {
  const auto file = [](int bits, const std::int16_t* row, const char* mode) {
    return made(
        [&](TIFF* t) {
          describe(t, 3, 1, bits, 1, PHOTOMETRIC_MINISBLACK);
          TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_INT);
          // Libtiff changes them to the file's byte order.
          std::int16_t turned[6] = {row[0], row[1], row[2]};
          ASSERT_EQ(1, TIFFWriteScanline(t, turned, 0, 0));
        },
        mode);
  };
  const std::int16_t row[] = {-32768, -1, 32767};
  for (const char* mode : {"wl", "wb"}) {
    const Image image = decode(tiff_codec(), file(16, row, mode));
    EXPECT_EQ(image.spec().layer(0).type, PixelType::f32);
    EXPECT_EQ(image.spec().color.curve, Curve::linear);
    EXPECT_TRUE(std::equal(row, row + 3, pixels<float>(image))) << mode;
  }
  EXPECT_EQ(pixels<float>(decode(tiff_codec(), file(8, row, "wl")))[1], -128);
}

TEST(TiffSamples, CompressionsThatLibtiffDoesNotReadAreNamed) {
  Bytes file = made([](TIFF* t) {
    describe(t, 1, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
    write_rows(t, {{7}});
  });
  // The tag's number, its type and how many values it has.
  const Bytes field = bytes_of_text(std::string("\x03\x01\x03\0\x01\0\0\0", 8));
  const auto at = std::ranges::search(file, field).end();
  ASSERT_NE(at, file.end());
  for (const auto& [number, name] : {std::pair(50002, "JPEG XL"), std::pair(34712, "JPEG 2000"),
                                     std::pair(4711, "scheme 4711")}) {
    at[0] = static_cast<std::byte>(number & 255);
    at[1] = static_cast<std::byte>(number >> 8);
    EXPECT_EQ(
        error_of([&] { decode(tiff_codec(), file); }),
        std::string("test: TIFF: ") + name +
            " is not supported as a compression: convert it with another program, to LZW or ZIP");
  }
}

// Such as labels of regions, or sums of exposures. Beyond 2^24 a float holds the nearest value.
TEST(TiffSamples, IntegersOf32BitsAreFloatsOfTheNearestValues) {
  const std::uint32_t stored[] = {0x80000000u, 0xffffffffu, 16777217u, 7u};
  const auto image = [&](int format, const char* mode) {
    return decode(tiff_codec(), made(
                                    [&](TIFF* t) {
                                      describe(t, 4, 1, 32, 1, PHOTOMETRIC_MINISBLACK);
                                      TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, format);
                                      auto row = std::to_array(stored);
                                      ASSERT_EQ(1, TIFFWriteScanline(t, row.data(), 0, 0));
                                    },
                                    mode));
  };
  for (const char* mode : {"wl", "wb"}) {
    const Image natural = image(SAMPLEFORMAT_UINT, mode), whole = image(SAMPLEFORMAT_INT, mode);
    EXPECT_EQ(natural.spec().layer(0).type, PixelType::f32);
    const float expected[] = {2147483648.0f, 4294967296.0f, 16777216.0f, 7.0f};
    EXPECT_TRUE(std::equal(expected, expected + 4, pixels<float>(natural))) << mode;
    const float signs[] = {-2147483648.0f, -1.0f, 16777216.0f, 7.0f};
    EXPECT_TRUE(std::equal(signs, signs + 4, pixels<float>(whole))) << mode;
  }
}

TEST(TiffSamples, ReadsFewBitsInvertedGreyAndPalettes) {
  EXPECT_EQ(values(decode(tiff_codec(), made([](TIFF* t) {
                            describe(t, 10, 1, 1, 1, PHOTOMETRIC_MINISBLACK);
                            write_rows(t, {{0xa0, 0x40}});
                          }))),
            (std::vector<int>{255, 0, 255, 0, 0, 0, 0, 0, 0, 255}));
  EXPECT_EQ(values(decode(tiff_codec(), made([](TIFF* t) {
                            describe(t, 3, 1, 4, 1, PHOTOMETRIC_MINISWHITE);
                            write_rows(t, {{0x0f, 0x10}});
                          }))),
            (std::vector<int>{255, 0, 238}));
  EXPECT_EQ(values(decode(tiff_codec(), made([](TIFF* t) {
                            describe(t, 2, 1, 12, 1, PHOTOMETRIC_MINISBLACK);
                            write_rows(t, {{0xff, 0xf8, 0x00}});
                          }))),
            (std::vector<int>{65535, 32776}));
  const auto palette = [](int low) {
    return made([=](TIFF* t) {
      describe(t, 3, 1, 2, 1, PHOTOMETRIC_PALETTE);
      std::uint16_t r[4] = {0, 257 * 255, 257, 0}, g[4] = {0, 0, 514, 0};
      std::uint16_t b[4] = {0, 0, static_cast<std::uint16_t>(771 + low), 0};
      TIFFSetField(t, TIFFTAG_COLORMAP, r, g, b);
      write_rows(t, {{0x18}});
    });
  };
  EXPECT_EQ(values(decode(tiff_codec(), palette(0))),
            (std::vector<int>{0, 0, 0, 255, 0, 0, 1, 2, 3}));
  // Colours that do not fit into 8 bits give a 16-bit image.
  EXPECT_EQ(values(decode(tiff_codec(), palette(1))),
            (std::vector<int>{0, 0, 0, 65535, 0, 0, 257, 514, 772}));
}

TEST(TiffSamples, PalettesOfEightBitsAreThoseHoweverTheyWereWidened) {
  for (const int factor : {1, 256, 257}) {
    const Bytes bytes = made([=](TIFF* t) {
      describe(t, 2, 1, 1, 1, PHOTOMETRIC_PALETTE);
      std::uint16_t maps[3][2];
      const int colors[3][2] = {{255, 129}, {200, 0}, {150, 127}};
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 2; ++i) maps[c][i] = static_cast<std::uint16_t>(colors[c][i] * factor);
      TIFFSetField(t, TIFFTAG_COLORMAP, maps[0], maps[1], maps[2]);
      write_rows(t, {{0x40}});
    });
    const Image image = decode(tiff_codec(), bytes);
    EXPECT_EQ(image.spec().layers[0].type, PixelType::u8) << factor;
    EXPECT_EQ(values(image), (std::vector<int>{255, 200, 150, 129, 0, 127})) << factor;
  }
}

}  // namespace
}  // namespace cuimg
