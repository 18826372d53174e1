// SPDX-License-Identifier: Apache-2.0
// Photoshop documents: the merged picture of every kind, and refusals.
#include <gtest/gtest.h>

#include <algorithm>

#include "io/tags/exif_block.h"
#include "io/tags/exif_listing.h"
#include "io/tags/iptc.h"
#include "io/tags/xmp.h"
#include "made_profiles.h"
#include "made_psd.h"
#include "memory_images.h"

namespace cuimg::test {
namespace {

std::uint32_t sample_at(const Image& image, int x, int y, int channel) {
  return image.spec().layers[0].type == PixelType::u8
             ? value_at<std::uint8_t>(image, 0, x, y, channel)
             : value_at<std::uint16_t>(image, 0, x, y, channel);
}

void expect_samples(const Image& image, const MadePsd& psd) {
  const int channels = image.spec().layers[0].channel_count();
  ASSERT_EQ(image.spec().data_window, (Rect{0, 0, psd.width, psd.height}));
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < psd.height; ++y)
      for (int x = 0; x < psd.width; ++x)
        ASSERT_EQ(sample_at(image, x, y, c),
                  psd.samples[static_cast<std::size_t>((c * psd.height + y) * psd.width + x)])
            << x << ',' << y << ',' << c;
}

TEST(Psd, GreyAndRgbOfBothDepthsAreReadExactlyPackedOrNot) {
  for (const unsigned mode : {1u, 3u})
    for (const int bits : {8, 16})
      for (const bool packed : {false, true})
        for (const bool large : {false, true}) {
          // Three strips of rows, a row longer than the longest run, and single pixels.
          for (const auto& [width, height] : {std::pair{301, 700}, {5, 3}, {1, 1}, {700, 1}}) {
            MadePsd psd{width, height, static_cast<int>(mode), bits, mode, large, packed};
            psd.samples = psd_samples(psd);
            SCOPED_TRACE(testing::Message() << mode << ' ' << bits << ' ' << packed << large);
            const Image image = decoded(psd.bytes());
            EXPECT_EQ(image.spec().layers[0].channel_count(), psd.channels);
            EXPECT_EQ(image.spec().color.curve, Curve::srgb);
            expect_samples(image, psd);
          }
        }
}

TEST(Psd, TransparencyIsAlphaAndOtherChannelsAreLeftOutWithANote) {
  for (const int bits : {8, 16}) {
    MadePsd psd{5, 3, 5, bits};
    psd.layer_count = -2;
    psd.in_own_block = bits == 16;
    psd.samples = psd_samples(psd);
    // Opaque, so that colours contain no white.
    const std::size_t plane = 15;
    std::fill_n(psd.samples.begin() + 3 * plane, plane, (1u << bits) - 1);
    std::string notes;
    DecodeOptions options;
    options.notify = [&](const std::string& note) { notes += note + '\n'; };
    const Image image = decoded(psd.bytes(), options);
    EXPECT_EQ(image.spec().layers[0].channels, (std::vector<std::string>{"R", "G", "B", "A"}));
    EXPECT_FALSE(image.spec().color.premultiplied);
    expect_samples(image, psd);
    EXPECT_EQ(notes,
              "memory: only the merged picture is read, not its 2 layers\n"
              "memory: a channel that is neither colour nor transparency is left out\n");
    // A saved selection.
    psd.layer_count = 1;
    EXPECT_EQ(decoded(psd.bytes()).spec().layers[0].channel_count(), 3);
    psd.layer_count = 0;
    EXPECT_EQ(decoded(psd.bytes()).spec().layers[0].channel_count(), 3);
  }
}

TEST(Psd, WhiteIsTakenOutOfTransparentColours) {
  // c = 1 - (1 - stored) / alpha.
  const std::uint32_t stored[][4] = {{218, 247, 209, 46},   // (218 - 209) * 255 / 46 = 49.9
                                     {255, 200, 128, 255},  // opaque
                                     {255, 255, 254, 0},    // nothing is known
                                     {128, 127, 200, 128},  // 1.99, 0 and 145.4
                                     {209, 208, 255, 46}};  // rounded below black
  const int expected[][4] = {{50, 211, 0, 46},
                             {255, 200, 128, 255},
                             {255, 255, 254, 0},
                             {2, 0, 145, 128},
                             {0, 0, 255, 46}};
  MadePsd psd{5, 1, 4, 8};
  psd.layer_count = -1;
  for (int c = 0; c < 4; ++c)
    for (const auto& pixel : stored) psd.samples.push_back(pixel[c]);
  const Image image = decoded(psd.bytes());
  for (int x = 0; x < 5; ++x)
    for (int c = 0; c < 4; ++c)
      EXPECT_EQ(value_at<std::uint8_t>(image, 0, x, 0, c), expected[x][c]) << x << ',' << c;

  DecodeOptions raw;
  raw.raw = true;
  expect_samples(decoded(psd.bytes(), raw), psd);
  // Grey is stored unchanged.
  psd.mode = 1;
  psd.channels = 2;
  const Image grey = decoded(psd.bytes());
  EXPECT_EQ(grey.spec().layers[0].channels, (std::vector<std::string>{"Y", "A"}));
  expect_samples(grey, psd);
  // 65535 - (65535 - 60000) * 65535 / 20000 = 47398.2
  psd = {1, 1, 4, 16};
  psd.layer_count = -1;
  psd.samples = {60000, 65535, 45535, 20000};
  const Image wide = decoded(psd.bytes());
  EXPECT_EQ(value_at<std::uint16_t>(wide, 0, 0, 0, 0), 47398);
  EXPECT_EQ(value_at<std::uint16_t>(wide, 0, 0, 0, 1), 65534);  // as with ImageMagick's doubles
  EXPECT_EQ(value_at<std::uint16_t>(wide, 0, 0, 0, 2), 0);
}

// GIMP, Krita and ImageMagick do not blend colours with white. At least one pixel of such files has
// a colour that is too dark for having been blended.
TEST(Psd, ColoursThatNoWhiteLiesBehindAreLeft) {
  for (const int bits : {8, 16})
    for (const bool packed : {false, true}) {
      MadePsd psd{301, 700, 4, bits, 3, false, packed};
      psd.layer_count = -1;
      const std::uint32_t full = (1u << bits) - 1;
      const std::size_t plane = 301 * 700;
      psd.samples.assign(4 * plane, full - full / 4);
      std::fill_n(psd.samples.begin() + 3 * plane, plane, full / 2);
      std::string notes;
      DecodeOptions options;
      options.notify = [&](const std::string& note) { notes += note + '\n'; };
      EXPECT_NEAR(sample_at(decoded(psd.bytes(), options), 0, 0, 1), full / 2, full / 255 + 1);
      EXPECT_EQ(notes, "");
      psd.samples[2 * plane - 1] = full - full / 2 - full / 255 - 1;
      expect_samples(decoded(psd.bytes(), options), psd);
      EXPECT_EQ(notes, "memory: colours are stored as they are, not as they look on white\n");
    }
}

std::string problem_of_psd(const MadePsd& psd, const DecodeOptions& options = {}) {
  return error_of([&] { decoded(psd.bytes(), options); });
}

TEST(Psd, OtherModesAreRefusedByName) {
  const std::pair<unsigned, std::string> modes[] = {
      {0, "bitmap"},  {2, "indexed"},      {4, "CMYK"}, {6, "mode 6"},
      {8, "duotone"}, {7, "multichannel"}, {9, "Lab"},  {300, "mode 300"}};
  MadePsd psd;
  psd.samples = psd_samples(psd);
  for (const auto& [mode, name] : modes) {
    psd.mode = mode;
    EXPECT_EQ(problem_of_psd(psd).substr(0, 31 + name.size()),
              "memory: PSD: " + name + " is not supported:");
  }
  psd.mode = 3;
  psd.bits = 32;
  psd.samples.assign(45, 0);
  EXPECT_NE(problem_of_psd(psd).find("PSD: 32 bits a channel"), std::string::npos);
  psd.bits = 8;
  psd.channels = 2;
  EXPECT_NE(problem_of_psd(psd).find("PSD: RGB of 2 channels"), std::string::npos);
}

TEST(Psd, DensityIsKeptAndAFileWithoutAPictureIsRefused) {
  MadePsd psd;
  psd.samples = psd_samples(psd);
  MadeBytes resolution, version;
  put_be(resolution, 300 << 16, 4), put_be(resolution, 1, 2), put_be(resolution, 0, 8),
      put_be(resolution, 0, 2);
  put_psd_resource(psd.resources, 1005, resolution);
  put_be(version, 1, 4), put_be(version, 1, 1);
  put_psd_resource(psd.resources, 1057, version);
  EXPECT_EQ(decoded(psd.bytes()).spec().metadata.at("xDensity"), MetadataValue(300.0));
  MadePsd without = psd;
  without.resources[12] = without.resources[13] = std::byte{0};
  without.resources[15] = std::byte{1};
  EXPECT_FALSE(decoded(without.bytes()).spec().metadata.contains("xDensity"));
  version[4] = std::byte{0};
  put_psd_resource(psd.resources, 1057, version);
  EXPECT_NE(problem_of_psd(psd).find("holds layers but no merged picture"), std::string::npos);
}

// A document with every resource that describes a picture.
MadePsd described_psd() {
  MadePsd psd;
  psd.samples = psd_samples(psd);
  ExifBlock exif;
  set_exif(exif, "FNumber", "2.8");
  exif.set_numbers(ExifDirectory::primary, 0x0112, TiffType::u16, {6});
  const Blob records = iptc_of({{2, 105, "Waves"}});
  put_psd_resource(psd.resources, 1028, records);
  put_psd_resource(psd.resources, 1035, bytes_of_text("http://a.b"));
  put_psd_resource(psd.resources, 1039, rgb_profile(p3_colors, srgb_curve()));
  put_psd_resource(psd.resources, 1058, exif.bytes());
  put_psd_resource(psd.resources, 1060, bytes_of_text("<x:xmpmeta/>"));
  return psd;
}

TEST(Psd, ExifXmpIptcAndProfileAreKept) {
  const Spec spec = decoded(described_psd().bytes()).spec();
  EXPECT_EQ(exif_listing(ExifBlock(std::get<Blob>(spec.metadata.at("exif")))).at("FNumber"),
            MetadataValue(2.8));
  EXPECT_EQ(spec.metadata.at("xmp"), MetadataValue(bytes_of_text("<x:xmpmeta/>")));
  EXPECT_EQ(iptc_listing(std::get<Blob>(spec.metadata.at("iptc"))).at("Headline"),
            MetadataValue(std::string("Waves")));
  EXPECT_TRUE(spec.metadata.contains("photoshop"));
  EXPECT_EQ(spec.color.primaries, primaries::p3_d65);
  EXPECT_TRUE(spec.color.profile);
  // Photoshop's pixels are upright, whatever EXIF's orientation is.
  EXPECT_EQ(spec.data_window, (Rect{0, 0, 5, 3}));
}

TEST(Psd, ResourcesThatAreCutShortOrLieAboutLengthsDoNoHarm) {
  const MadePsd whole = described_psd();
  for (std::size_t length = 0; length < whole.resources.size(); ++length) {
    MadePsd cut = whole;
    cut.resources.resize(length);
    problem_of_psd(cut);
  }
  for (std::size_t i = 0; i < whole.resources.size(); ++i)
    for (const int value : {0, 0x7f, 0xff}) {
      MadePsd changed = whole;
      changed.resources[i] = static_cast<std::byte>(value);
      problem_of_psd(changed);
    }
}

TEST(Psd, SizesAreCheckedAgainstTheLimits) {
  MadePsd psd;
  psd.samples = psd_samples(psd);
  DecodeOptions options;
  options.limit_pixels = 14;
  EXPECT_NE(problem_of_psd(psd, options).find("5x3"), std::string::npos);
  MadeBytes bytes = psd.bytes();
  for (int i = 14; i < 22; ++i) bytes[static_cast<std::size_t>(i)] = std::byte{0};
  bytes[16] = bytes[20] = std::byte{0x70};  // 28672 x 28672 and some bytes
  EXPECT_NE(error_of([&] { decoded(bytes); }).find("truncated"), std::string::npos);
}

TEST(Psd, FilesCutShortAreRefused) {
  for (const bool packed : {false, true})
    for (const int bits : {8, 16}) {
      MadePsd psd{31, 9, 4, bits};
      psd.packed = packed;
      psd.layer_count = -1;
      psd.samples = psd_samples(psd);
      const MadeBytes whole = psd.bytes();
      for (std::size_t i = 0; i < 60; ++i) {
        const std::size_t length = i < 30 ? whole.size() * i / 30 : whole.size() - (i - 29);
        const MadeBytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_NE(error_of([&] { decoded(cut); }), "") << length << " of " << whole.size();
      }
    }
}

TEST(Psd, RowsThatEndTooSoonAreRefused) {
  MadePsd psd;
  psd.packed = true;
  psd.samples = psd_samples(psd);
  MadeBytes bytes = psd.bytes();
  // The code of the last row declares a run instead of single bytes.
  bytes[bytes.size() - 3] = std::byte{130};
  EXPECT_NE(error_of([&] { decoded(bytes); }).find("PSD: channel 2, rows from 0"),
            std::string::npos);
}

}  // namespace
}  // namespace cuimg::test
