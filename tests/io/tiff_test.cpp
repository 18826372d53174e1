// SPDX-License-Identifier: Apache-2.0
// TIFF: files that cuimg writes, and files of other programs, made here by libtiff itself.
#include <tiffio.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "io/codec_helpers.h"
#include "io/made_tiff.h"

namespace cuimg {
namespace {

using namespace test;

TEST(Tiff, RoundTripsEveryTypeChannelCountAndCompression) {
  for (PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
    for (int channels = 1; channels <= 4; ++channels)
      for (std::string_view compression : tiff_codec().compressions)
        expect_round_trip(tiff_codec(), noise(37, 11, channels, type),
                          {std::string(compression), {}});
}

TEST(Tiff, RoundTripsManyStrips) {
  expect_round_trip(tiff_codec(), noise(1000, 300, 4, PixelType::u16));
  expect_round_trip(tiff_codec(), noise(1, 3000, 1, PixelType::u8));
}

TEST(Tiff, CarriesAlphaKindPrimariesDensityAndText) {
  for (const PixelType type : {PixelType::u8, PixelType::half}) {
    Image image = noise(5, 4, 4, type);
    Spec& spec = image.editable_spec();
    spec.color.primaries = Chromaticities{0.7f, 0.3f, 0.2f, 0.7f, 0.125f, 0.05f, 0.31f, 0.33f};
    spec.metadata["comments"] = std::string("a picture");
    spec.metadata["owner"] = std::string("somebody");
    spec.metadata["xDensity"] = 150.0;
    spec.pixel_aspect = 2.0f;
    Image back = decode(tiff_codec(), encode(tiff_codec(), image));
    EXPECT_TRUE(back.spec().color.profile);  // written for programs that do not know the tags
    back.editable_spec().color.profile.reset();
    EXPECT_EQ(back.spec(), image.spec());
  }
}

TEST(Tiff, ReadsPlanesTilesAndBigEndianAlike) {
  const int width = 37, height = 21;
  const Image image = noise(width, height, 4, PixelType::u16);
  const auto* from = pixels<std::uint16_t>(image);
  for (const char* mode : {"wl", "wb", "wb8"})
    for (bool tiled : {false, true})
      for (bool apart : {false, true}) {
        const Bytes bytes = made(
            [&](TIFF* t) {
              describe(t, width, height, 16, 4, PHOTOMETRIC_RGB);
              std::uint16_t extra[] = {EXTRASAMPLE_UNASSALPHA};
              TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, extra);
              TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
              if (apart) TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE);
              const int tw = tiled ? 16 : width, th = tiled ? 16 : 5;
              if (tiled) {
                TIFFSetField(t, TIFFTAG_TILEWIDTH, tw);
                TIFFSetField(t, TIFFTAG_TILELENGTH, th);
              } else {
                TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, th);
              }
              const int n = apart ? 1 : 4;
              for (int plane = 0; plane < (apart ? 4 : 1); ++plane)
                for (int y = 0; y < height; y += th)
                  for (int x = 0; x < width; x += tw) {
                    std::vector<std::uint16_t> block(static_cast<std::size_t>(tw * th * n));
                    int rows = 0;
                    for (int j = 0; j < th && y + j < height; ++j, ++rows)
                      for (int i = 0; i < tw && x + i < width; ++i)
                        for (int c = 0; c < n; ++c)
                          block[static_cast<std::size_t>((j * tw + i) * n + c)] =
                              from[((y + j) * width + x + i) * 4 + (apart ? plane : c)];
                    const auto p = static_cast<std::uint16_t>(plane);
                    if (tiled)
                      TIFFWriteTile(t, block.data(), std::uint32_t(x), std::uint32_t(y), 0, p);
                    else
                      TIFFWriteEncodedStrip(t, TIFFComputeStrip(t, std::uint32_t(y), p),
                                            block.data(), tmsize_t{2} * tw * rows * n);
                  }
            },
            mode);
        SCOPED_TRACE(std::string(mode) + (tiled ? " tiles" : " strips") +
                     (apart ? " apart" : " together"));
        const Image back = decode(tiff_codec(), bytes);
        expect_same_pixels(image, back);
        EXPECT_FALSE(back.spec().color.premultiplied);
        expect_no_crash_on_changed_bytes(tiff_codec(), bytes, 100);
      }
}

TEST(Tiff, AppliesEveryOrientation) {
  const std::vector<int> upright[8] = {{1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1},
                                       {4, 5, 6, 1, 2, 3}, {1, 4, 2, 5, 3, 6}, {4, 1, 5, 2, 6, 3},
                                       {6, 3, 5, 2, 4, 1}, {3, 6, 2, 5, 1, 4}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Image image = decode(tiff_codec(), made([&](TIFF* t) {
                                 describe(t, 3, 2, 8, 1, PHOTOMETRIC_MINISBLACK);
                                 TIFFSetField(t, TIFFTAG_ORIENTATION, orientation);
                                 write_rows(t, {{1, 2, 3}, {4, 5, 6}});
                               }));
    EXPECT_EQ(image.spec().data_window.width, orientation >= 5 ? 2 : 3);
    EXPECT_EQ(values(image), upright[orientation - 1]) << orientation;
  }
}

TEST(Tiff, ReadsDoubleAsFloatAndPartsByNumber) {
  const Bytes bytes = made([](TIFF* t) {
    describe(t, 2, 1, 64, 1, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    double row[] = {0.1, 1e300};
    TIFFWriteScanline(t, row, 0, 0);
    TIFFWriteDirectory(t);
    describe(t, 1, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
    write_rows(t, {{77}});
  });
  const Image first = decode(tiff_codec(), bytes);
  EXPECT_EQ(pixels<float>(first)[0], 0.1f);
  EXPECT_EQ(pixels<float>(first)[1], HUGE_VALF);
  EXPECT_EQ(first.spec().color.curve, Curve::linear);
  DecodeOptions options;
  options.part = 1;
  EXPECT_EQ(values(decode(tiff_codec(), bytes, options)), std::vector<int>{77});
  options.part = 2;
  EXPECT_THROW(decode(tiff_codec(), bytes, options), Error);
}

TEST(Tiff, LeavesOutSamplesThatAreNoAlpha) {
  const Bytes file = made([](TIFF* t) {
    describe(t, 1, 1, 8, 5, PHOTOMETRIC_RGB);
    std::uint16_t extra[] = {EXTRASAMPLE_UNSPECIFIED, EXTRASAMPLE_ASSOCALPHA};
    TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 2, extra);
    write_rows(t, {{1, 2, 3, 4, 5}});
  });
  EXPECT_EQ(values(decode(tiff_codec(), file)), (std::vector<int>{51, 102, 153, 5}));
  const auto decoder = open_image(ByteSource::from_memory(file, "test"), {});
  EXPECT_EQ(decoder->left_out(),
            "samples that are neither colour nor alpha are left out: 1 a pixel");
}

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Tiff, RefusesLabAndLogColourByName) {
  const std::pair<int, std::string> colours[] = {{PHOTOMETRIC_CIELAB, "CIELab"},
                                                 {PHOTOMETRIC_ICCLAB, "ICCLab"},
                                                 {PHOTOMETRIC_ITULAB, "ITULab"},
                                                 {PHOTOMETRIC_LOGL, "LogL"},
                                                 {PHOTOMETRIC_LOGLUV, "LogLuv"}};
  for (const auto& [photometric, name] : colours) {
    const Bytes bytes = made([&](TIFF* t) {
      describe(t, 1, 1, 8, 3, photometric);
      write_rows(t, {{255, 0, 0}});
    });
    EXPECT_EQ(refusal([&] { decode(tiff_codec(), bytes); }),
              "test: TIFF: " + name +
                  " is not supported: convert it to RGB first, with ImageMagick or vips");
  }
}

// Blue of AP0 has a negative y, which an unsigned rational cannot hold.
TEST(Tiff, SaysPrimariesThatItsTagCannotHoldByTheProfileAlone) {
  Image image = noise(4, 3, 3, PixelType::half);
  const Chromaticities ap0{0.7347f, 0.2653f, 0.0f, 1.0f, 0.0001f, -0.077f, 0.32168f, 0.33767f};
  image.editable_spec().color.primaries = ap0;
  testing::internal::CaptureStderr();
  const Image again = decode(tiff_codec(), encode(tiff_codec(), image));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_TRUE(again.spec().color.primaries);
  EXPECT_TRUE(near(*again.spec().color.primaries, ap0, 0.001f));
}

TEST(Tiff, NamesTheFormatOnceAndTheCompression) {
  Bytes bytes = made([](TIFF* t) {
    describe(t, 1, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    write_rows(t, {{255}});
  });
  const unsigned char no_compression[] = {3, 1, 3, 0, 1, 0, 0, 0, 1, 0};
  const auto entry = std::ranges::search(bytes, std::as_bytes(std::span(no_compression)));
  ASSERT_FALSE(entry.empty());
  entry[8] = std::byte{0x98}, entry[9] = std::byte{0x87};  // JPEG 2000
  const std::string problem = refusal([&] { decode(tiff_codec(), bytes); });
  EXPECT_TRUE(problem.starts_with("test: TIFF: JPEG 2000 is not supported")) << problem;
}

TEST(Tiff, OpensPagesAsParts) {
  const Bytes bytes = made([](TIFF* t) {
    for (int page = 0; page < 3; ++page) {
      describe(t, page + 1, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
      write_rows(t, {{1, 2, 3}});
      TIFFWriteDirectory(t);
    }
  });
  const auto open = [&](int part, int level = 0) {
    DecodeOptions options;
    options.part = part;
    options.mip_level = level;
    return open_image(ByteSource::from_memory(bytes, "test"), options);
  };
  for (int page = 0; page < 3; ++page) EXPECT_EQ(open(page)->spec().data_window.width, page + 1);
  EXPECT_EQ(refusal([&] { open(3); }), "test: part 3 does not exist: the file has parts 0, 1, 2");
  EXPECT_EQ(refusal([&] { open(0, 1); }),
            "test: mip level 1 does not exist: the file has level 0 only");
}

TEST(Tiff, RefusesTruncatedFiles) {
  for (std::string_view compression : tiff_codec().compressions)
    expect_truncation_is_refused(tiff_codec(), encode(tiff_codec(), noise(60, 40, 3, PixelType::u8),
                                                      {std::string(compression), {}}));
}

// A palette, a profile and the directory's tables, in libtiff's order.
Bytes with_values_at_the_end(const char* mode, bool tiled, bool two_pages) {
  return made(
      [=](TIFF* t) {
        for (int page = 0; page < (two_pages ? 2 : 1); ++page) {
          describe(t, 20, 20, 8, 1, PHOTOMETRIC_PALETTE);
          std::vector<std::uint16_t> map(256, 4660);
          TIFFSetField(t, TIFFTAG_COLORMAP, map.data(), map.data(), map.data());
          const std::vector<unsigned char> profile(401, 7);
          TIFFSetField(t, TIFFTAG_ICCPROFILE, 401, profile.data());
          TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
          if (tiled) {
            TIFFSetField(t, TIFFTAG_TILEWIDTH, 16);
            TIFFSetField(t, TIFFTAG_TILELENGTH, 16);
            std::vector<unsigned char> tile(256, 3);
            for (std::uint32_t i = 0; i < 4; ++i)
              TIFFWriteTile(t, tile.data(), i % 2 * 16, i / 2 * 16, 0, 0);
          } else {
            write_rows(t, std::vector<std::vector<unsigned char>>(
                              20, {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2}));
          }
          TIFFWriteDirectory(t);
        }
      },
      mode);
}

TEST(Tiff, RefusesFilesCutInTheirTags) {
  for (const char* mode : {"wl", "wb", "wl8", "wb8"})
    for (bool tiled : {false, true})
      for (bool two_pages : {false, true}) {
        SCOPED_TRACE(std::string(mode) + (tiled ? " tiles" : "") + (two_pages ? " twice" : ""));
        const Bytes whole = with_values_at_the_end(mode, tiled, two_pages);
        ASSERT_NO_THROW(decode(tiff_codec(), whole));
        for (std::size_t length = 8; length < whole.size();
             length += length + 40 < whole.size() ? 13 : 1) {
          const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
          try {
            decode(tiff_codec(), cut);
            ADD_FAILURE() << length << " of " << whole.size() << " bytes";
          } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("truncated"), std::string::npos)
                << error.what();
          }
        }
      }
}

TEST(Tiff, ReadsFilesWithUnknownTags) {
  Bytes bytes = made([](TIFF* t) {
    describe(t, 2, 1, 8, 1, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, "a long description");
    write_rows(t, {{7, 9}});
  });
  // Changes the description (tag 0x10e, type 2) to a tag with an undefined type.
  const Bytes entry = bytes_of_text(std::string("\x0e\x01\x02\x00", 4));
  const auto at = std::search(bytes.begin(), bytes.end(), entry.begin(), entry.end());
  ASSERT_NE(at, bytes.end());
  const Bytes other = bytes_of_text("\xe8\xfd\x63\x63\xff\xff\xff\xff\xff\xff\xff\xff");
  std::copy(other.begin(), other.end(), at);
  EXPECT_EQ(values(decode(tiff_codec(), bytes)), (std::vector<int>{7, 9}));
}

TEST(Tiff, RefusesBombsAndSurvivesChangedBytes) {
  const Bytes bytes = encode(tiff_codec(), noise(60, 40, 3, PixelType::u8), {"none", {}});
  // Changes the directory's width and height (tags 0x100, 0x101) to 30,000.
  Bytes huge = bytes;
  int changed = 0;
  for (std::size_t i = huge.size() - 12; i > 0; --i)
    if ((huge[i] == std::byte{0} || huge[i] == std::byte{1}) && huge[i + 1] == std::byte{1} &&
        huge[i + 2] == std::byte{3} && huge[i + 3] == std::byte{0} && huge[i + 4] == std::byte{1}) {
      huge[i + 8] = std::byte{0x30};
      huge[i + 9] = std::byte{0x75};
      ++changed;
    }
  ASSERT_EQ(changed, 2);
  EXPECT_THROW(decode(tiff_codec(), huge), Error);
  for (std::string_view compression : tiff_codec().compressions)
    expect_no_crash_on_changed_bytes(
        tiff_codec(),
        encode(tiff_codec(), noise(60, 40, 3, PixelType::u8), {std::string(compression), {}}), 300);
}

TEST(Tiff, PassesOnWhatASinkThrows) {
  struct FullDisk final : ByteSink {
    void write(std::span<const std::byte>) override { throw Error("sink", "disk full"); }
    void seek(std::uint64_t) override {}
    std::uint64_t position() const override { return 0; }
  } sink;
  RowProgress ready;
  ready.finish();
  const Image image = noise(8, 8, 3, PixelType::u8);
  try {
    tiff_codec().encode(image, {}, ready, sink);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sink: disk full");
  }
}

}  // namespace
}  // namespace cuimg
