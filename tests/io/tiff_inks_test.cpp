// SPDX-License-Identifier: Apache-2.0
// The meaning of a TIFF's samples: inks, white as 0, transparency masks.
#include <tiffio.h>

#include "io/codec_helpers.h"
#include "io/made_tiff.h"
#include "io/memory_images.h"

namespace cuimg {
namespace {

using namespace test;

TEST(Tiff, ReadsJpegAndCmykThroughLibtiff) {
  const Bytes jpeg = made([](TIFF* t) {
    describe(t, 16, 16, 8, 3, PHOTOMETRIC_YCBCR);
    TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 16);
    TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
    TIFFSetField(t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    std::vector<unsigned char> row;
    for (int x = 0; x < 16; ++x) row.insert(row.end(), {200, 100, 50});
    write_rows(t, std::vector<std::vector<unsigned char>>(16, row));
  });
  const Image image = decode(tiff_codec(), jpeg);
  EXPECT_NEAR(pixels<std::uint8_t>(image)[0], 200, 4);
  EXPECT_NEAR(pixels<std::uint8_t>(image)[2], 50, 4);
  expect_no_crash_on_changed_bytes(tiff_codec(), jpeg, 500);
  const Image cmyk = decode(tiff_codec(), made([](TIFF* t) {
                              describe(t, 2, 1, 8, 4, PHOTOMETRIC_SEPARATED);
                              write_rows(t, {{0, 255, 0, 0, 0, 0, 0, 255}});
                            }));
  EXPECT_EQ(values(cmyk), (std::vector<int>{255, 0, 255, 0, 0, 0}));
}

TEST(Tiff, ReadsCmykOfSixteenBitsAndItsAlpha) {
  const Image wide = decode(tiff_codec(), made([](TIFF* t) {
                              describe(t, 2, 1, 16, 4, PHOTOMETRIC_SEPARATED);
                              const std::uint16_t inks[] = {0, 65535, 32768, 0, 0, 0, 0, 32768};
                              const auto* bytes = reinterpret_cast<const unsigned char*>(inks);
                              write_rows(t, {{bytes, bytes + sizeof inks}});
                            }));
  EXPECT_EQ(values(wide), (std::vector<int>{65535, 0, 32767, 32767, 32767, 32767}));
  std::vector<std::string> notes;
  DecodeOptions options;
  options.notify = [&](const std::string& note) { notes.push_back(note); };
  const Bytes five = made([](TIFF* t) {
    describe(t, 2, 1, 8, 5, PHOTOMETRIC_SEPARATED);
    std::uint16_t extra[] = {EXTRASAMPLE_UNASSALPHA};
    TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, extra);
    write_rows(t, {{0, 255, 0, 0, 40, 0, 0, 0, 255, 50}});
  });
  EXPECT_EQ(values(decode(tiff_codec(), five, options)),
            (std::vector<int>{255, 0, 255, 40, 0, 0, 0, 50}));
  EXPECT_EQ(notes,
            (std::vector<std::string>{
                "test: CMYK without a profile: R, G and B are the white that the inks leave"}));
}

// 49.6, 139.8 and 184.9 of 255, in both depths, and as from a JPEG.
TEST(Tiff, RoundsWhatInksLeaveToTheNearest) {
  const unsigned char inks[] = {200, 100, 50, 25};
  EXPECT_EQ(values(decode(tiff_codec(), made([&](TIFF* t) {
                            describe(t, 1, 1, 8, 4, PHOTOMETRIC_SEPARATED);
                            write_rows(t, {{std::begin(inks), std::end(inks)}});
                          }))),
            (std::vector<int>{50, 140, 185}));
  EXPECT_EQ(values(decode(tiff_codec(), made([&](TIFF* t) {
                            describe(t, 1, 1, 16, 4, PHOTOMETRIC_SEPARATED);
                            std::vector<unsigned char> twice;  // v becomes 257 v
                            for (const unsigned char ink : inks) twice.insert(twice.end(), 2, ink);
                            write_rows(t, {twice});
                          }))),
            (std::vector<int>{12749, 35930, 47520}));
}

TEST(Tiff, RefusesFloatsOfWhichZeroIsWhite) {
  const Bytes bytes = made([&](TIFF* t) {
    describe(t, 1, 1, 32, 1, PHOTOMETRIC_MINISWHITE);
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    write_rows(t, {{0, 0, 0, 0}});
  });
  EXPECT_EQ(error_of([&] { decode(tiff_codec(), bytes); }),
            "test: TIFF: floats with 0 as white are not supported, since no value is defined as "
            "black: write them with 0 as black (BlackIsZero)");
}

TEST(Tiff, NamesTheIntegersOfWhichZeroIsWhite) {
  const auto problem_of = [](int bits, int format, int photometric) {
    const Bytes bytes = made([&](TIFF* t) {
      describe(t, 1, 1, bits, photometric == PHOTOMETRIC_SEPARATED ? 4 : 1, photometric);
      TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, format);
      write_rows(t, {std::vector<unsigned char>(16)});
    });
    return error_of([&] { decode(tiff_codec(), bytes); });
  };
  const std::string end =
      " with 0 as white are not supported, since no value is defined as black: write them with 0 "
      "as black (BlackIsZero)";
  EXPECT_EQ(problem_of(32, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISWHITE),
            "test: TIFF: 32-bit integers" + end);
  for (const int bits : {8, 16, 32})
    EXPECT_EQ(problem_of(bits, SAMPLEFORMAT_INT, PHOTOMETRIC_MINISWHITE),
              "test: TIFF: signed integers" + end);
  EXPECT_EQ(problem_of(16, SAMPLEFORMAT_INT, PHOTOMETRIC_SEPARATED),
            "test: TIFF: CMYK of signed integers is not supported: CMYK of 1 to 16 bits is read");
}

TEST(Tiff, LeavesOutTransparencyMasks) {
  const Bytes bytes = made([](TIFF* t) {
    for (int page = 0; page < 3; ++page) {
      const bool mask = page == 1;
      describe(t, 8, 1, mask ? 1 : 8, 1, mask ? PHOTOMETRIC_MASK : PHOTOMETRIC_MINISBLACK);
      if (mask) TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_MASK);
      const auto value = static_cast<unsigned char>(10 + page);
      write_rows(t, {std::vector<unsigned char>(8, value)});
      TIFFWriteDirectory(t);
    }
  });
  const auto file = open_file(ByteSource::from_memory(bytes, "test"), {});
  ASSERT_EQ(file->part_count(), 2);
  EXPECT_EQ(file->open(0)->left_out(), "transparency masks are left out: 1 page");
  EXPECT_EQ(file->open(1)->left_out(), "");
  EXPECT_EQ(values(decode(tiff_codec(), bytes, {.part = 1})).front(), 12);
}

}  // namespace
}  // namespace cuimg
