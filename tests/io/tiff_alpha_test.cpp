// SPDX-License-Identifier: Apache-2.0
// TIFF's associated alpha: integers store encoded colour times alpha, floats premultiplied light.
#include <algorithm>
#include <cstring>

#include "io/made_tiff.h"

namespace cuimg {
namespace {

using namespace test;

TEST(TiffAlpha, DividesEncodedColoursByAssociatedAlpha) {
  for (const int photometric : {PHOTOMETRIC_RGB, PHOTOMETRIC_MINISBLACK})
    for (const int bits : {8, 16})
      for (const bool apart : {false, true})
        for (const bool tiled : {false, true}) {
          const int samples = photometric == PHOTOMETRIC_RGB ? 4 : 2, half = 1 << (bits - 1);
          const int full = (1 << bits) - 1;
          const Bytes bytes = made([&](TIFF* t) {
            describe(t, 1, 1, 8, 1, PHOTOMETRIC_MINISBLACK);  // a page before it
            write_rows(t, {{77}});
            TIFFWriteDirectory(t);
            describe(t, 4, 1, bits, samples, photometric);
            TIFFSetField(t, TIFFTAG_PLANARCONFIG,
                         apart ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
            std::uint16_t extra[] = {EXTRASAMPLE_ASSOCALPHA};
            TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, extra);
            if (tiled) {
              TIFFSetField(t, TIFFTAG_TILEWIDTH, 16);
              TIFFSetField(t, TIFFTAG_TILELENGTH, 16);
            }
            // White at a half, more than white, at alpha 0, opaque.
            const int rows[4][2] = {{half, half}, {half + 1, half}, {9, 0}, {9, full}};
            const int planes = apart ? samples : 1, n = apart ? 1 : samples;
            for (int plane = 0; plane < planes; ++plane) {
              std::vector<unsigned char> block(16 * 16 * 8);
              for (int x = 0; x < 4; ++x)
                for (int c = 0; c < n; ++c) {
                  const int value = rows[x][(apart ? plane : c) == samples - 1 ? 1 : 0];
                  const auto i = static_cast<std::size_t>(x * n + c);
                  if (bits == 8) {
                    block[i] = static_cast<unsigned char>(value);
                  } else {
                    const auto wide = static_cast<std::uint16_t>(value);
                    std::memcpy(&block[2 * i], &wide, 2);
                  }
                }
              const auto p = static_cast<std::uint16_t>(plane);
              if (tiled)
                TIFFWriteTile(t, block.data(), 0, 0, 0, p);
              else
                TIFFWriteScanline(t, block.data(), 0, p);
            }
          });
          DecodeOptions options;
          options.part = 1;
          std::string warned;
          options.warn = [&](const std::string& text) { warned += text; };
          const Image image = decode(tiff_codec(), bytes, options);
          EXPECT_NE(warned.find("above their alpha"), std::string::npos) << warned;
          EXPECT_FALSE(image.spec().color.premultiplied);
          std::vector<int> wanted;
          for (const auto& [color, alpha] :
               {std::pair{full, half}, {full, half}, {9, 0}, {9, full}}) {
            wanted.insert(wanted.end(), static_cast<std::size_t>(samples - 1), color);
            wanted.push_back(alpha);
          }
          EXPECT_EQ(values(image), wanted) << samples << " of " << bits << " bits";
          // With --raw the values are unchanged.
          options.raw = true;
          const Image raw = decode(tiff_codec(), bytes, options);
          EXPECT_TRUE(raw.spec().color.premultiplied);
          EXPECT_EQ(values(raw)[0], half);
        }
}

TEST(TiffAlpha, DividedColoursTimesAlphaAreWhatWasStored) {
  const Bytes bytes = made([](TIFF* t) {
    describe(t, 256, 256, 8, 2, PHOTOMETRIC_MINISBLACK);
    std::uint16_t extra[] = {EXTRASAMPLE_ASSOCALPHA};
    TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, extra);
    std::vector<std::vector<unsigned char>> rows(256);
    for (int alpha = 0; alpha < 256; ++alpha)
      for (int v = 0; v < 256; ++v)
        rows[static_cast<std::size_t>(alpha)].insert(
            rows[static_cast<std::size_t>(alpha)].end(),
            {static_cast<unsigned char>(std::min(v, alpha)), static_cast<unsigned char>(alpha)});
    write_rows(t, rows);
  });
  DecodeOptions options;
  options.warn = [](const std::string& text) { ADD_FAILURE() << text; };
  const std::vector<int> straight = values(decode(tiff_codec(), bytes, options));
  for (int alpha = 0; alpha < 256; ++alpha)
    for (int v = 0; v < 256; ++v)
      ASSERT_EQ((straight[static_cast<std::size_t>(2 * (256 * alpha + v))] * alpha + 127) / 255,
                std::min(v, alpha));
}

TEST(TiffAlpha, FloatsStayPremultipliedLight) {
  const Image image = decode(tiff_codec(), made([](TIFF* t) {
                               describe(t, 1, 1, 32, 2, PHOTOMETRIC_MINISBLACK);
                               TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
                               std::uint16_t extra[] = {EXTRASAMPLE_ASSOCALPHA};
                               TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, extra);
                               float row[] = {0.25f, 0.5f};
                               TIFFWriteScanline(t, row, 0, 0);
                             }));
  EXPECT_TRUE(image.spec().color.premultiplied);
  EXPECT_EQ(pixels<float>(image)[0], 0.25f);
}

// As OpenCV's imwrite stores alpha.
TEST(TiffAlpha, TakesASampleThatNoTagNamesAsStraightAlpha) {
  for (const int photometric : {PHOTOMETRIC_RGB, PHOTOMETRIC_MINISBLACK})
    for (const bool apart : {false, true}) {
      const int samples = photometric == PHOTOMETRIC_RGB ? 4 : 2;
      const std::vector<unsigned char> pixel = {200, 100, 10, 128};
      const Bytes bytes = made([&](TIFF* t) {
        describe(t, 1, 1, 8, samples, photometric);
        TIFFSetField(t, TIFFTAG_PLANARCONFIG, apart ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
        std::vector<unsigned char> row = pixel;
        for (int c = 0; c < samples; ++c)
          if (apart)
            TIFFWriteScanline(t, &row[static_cast<std::size_t>(c)], 0,
                              static_cast<std::uint16_t>(c));
        if (!apart) TIFFWriteScanline(t, row.data(), 0, 0);
      });
      DecodeOptions options;
      std::string noted;
      options.notify = [&](const std::string& text) { noted += text; };
      const auto decoder = open_image(ByteSource::from_memory(bytes, "test"), options);
      EXPECT_NE(noted.find("no ExtraSamples tag: the last sample is read as straight alpha"),
                std::string::npos)
          << noted;
      EXPECT_EQ(decoder->left_out(), "");
      EXPECT_TRUE(decoder->file_facts().contains("alpha"));
      EXPECT_FALSE(decoder->spec().color.premultiplied);
      const Image image = decode(tiff_codec(), bytes);
      ASSERT_EQ(image.spec().layers[0].channel_count(), samples);
      EXPECT_EQ(image.spec().layers[0].alpha_index(), samples - 1);
      EXPECT_EQ(values(image), std::vector<int>(pixel.begin(), pixel.begin() + samples));
    }
}

TEST(TiffAlpha, LeavesOutWhatATagCallsUnspecifiedOrIsTwoSamplesMore) {
  for (const int samples : {4, 5}) {
    const Bytes bytes = made([&](TIFF* t) {
      describe(t, 1, 1, 8, samples, PHOTOMETRIC_RGB);
      std::uint16_t extra[] = {EXTRASAMPLE_UNSPECIFIED};
      if (samples == 4) TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, extra);
      write_rows(t, {{1, 2, 3, 4, 5}});
    });
    EXPECT_EQ(decode(tiff_codec(), bytes).spec().layers[0].channel_count(), 3);
    const auto decoder = open_image(ByteSource::from_memory(bytes, "test"), {});
    EXPECT_TRUE(decoder->left_out().starts_with("samples that are neither colour nor alpha"));
    EXPECT_FALSE(decoder->file_facts().contains("alpha"));
  }
}

}  // namespace
}  // namespace cuimg
