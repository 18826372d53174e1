// SPDX-License-Identifier: Apache-2.0
// The effect of ICC options in every format that stores profiles.
#include <gtest/gtest.h>

#include "io/codec_helpers.h"
#include "io/icc_cases.h"
#include "io/made_gif.h"
#include "io/made_psd.h"
#include "io/made_tiff.h"

namespace cuimg {
namespace {

using namespace test;

// The stored codes, converted by the profile.
std::vector<int> converted(const Image& raw, const IccInterpretation& icc) {
  const std::size_t channels = static_cast<std::size_t>(raw.spec().layers[0].channel_count());
  const bool spread = channels < 3 && icc.conversion->colors_grey();
  const std::size_t made = channels + (spread ? 2 : 0);
  const bool widen = icc.conversion->type() != raw.spec().layers[0].type;
  std::vector<std::uint16_t> values16;
  std::vector<std::uint8_t> values8;
  const std::vector<int> stored = values(raw);
  for (std::size_t p = 0; p < stored.size() / channels; ++p)
    for (std::size_t c = 0; c < made; ++c) {
      const int v = stored[p * channels + (!spread ? c : c < 3 ? 0 : 1)];
      values8.push_back(static_cast<std::uint8_t>(v));
      values16.push_back(static_cast<std::uint16_t>(widen ? 257 * v : v));
    }
  const bool wide = icc.conversion->type() == PixelType::u16;
  icc.conversion->convert(wide ? reinterpret_cast<std::byte*>(values16.data())
                               : reinterpret_cast<std::byte*>(values8.data()),
                          values8.size() / made, static_cast<int>(made));
  if (wide) return {values16.begin(), values16.end()};
  return {values8.begin(), values8.end()};
}

Image tagged(const ProfileBytes& profile, int channels, PixelType type) {
  const Image codes = noise(16, 16, channels, type);
  Spec spec = codes.spec();
  spec.color = {Curve::raw, 1.0f, false, {}};
  spec.color.profile = SharedProfile({profile, channels < 3});
  Image image(spec);
  std::memcpy(image.row(0, 0), codes.row(0, 0), spec.pixel_bytes());
  return image;
}

// Expects the pixels of a file with codes and a profile, when it is read with a rendering.
void expect_rendered(const Codec& codec, const Bytes& file, const ProfileBytes& profile,
                     IccPixels pixels, const IccRendering& rendering) {
  const Image raw = decode(codec, file, {.raw = true});
  const Image read = decode(codec, file, {.icc = rendering});
  const PixelType stored = raw.spec().layers[0].type;
  const auto icc = interpret_icc(profile, pixels, rendering, stored);
  ASSERT_TRUE(icc.conversion);
  EXPECT_EQ(read.spec().color, icc.encoding);
  EXPECT_EQ(read.spec().layers[0].type,
            rendering.method == IccMethod::tables ? stored : PixelType::u16);
  EXPECT_EQ(values(read), converted(raw, icc));
}

TEST(IccFormats, KeepTheTypeByTables) {
  for (const ProfileCase& c : profile_cases()) {
    if (c.pixels == IccPixels::cmyk) continue;
    const bool grey = c.pixels == IccPixels::grey;
    for (const Codec& codec : {png_codec(), tiff_codec(), jpeg_codec()})
      for (const PixelType type : {PixelType::u8, PixelType::u16})
        for (const bool alpha : {false, true}) {
          if (std::string(codec.name) == "jpeg" && (alpha || type == PixelType::u16)) continue;
          SCOPED_TRACE(std::string(codec.name) + " " + c.name + (alpha ? " with alpha" : ""));
          const Image image = tagged(c.profile, (grey ? 1 : 3) + (alpha ? 1 : 0), type);
          const Bytes file = encode(codec, image);
          expect_rendered(codec, file, c.profile, c.pixels, by_tables);
        }
  }
}

TEST(IccFormats, MakeColoursOfGreyOnTintedPaper) {
  const ProfileBytes profile = grey_profile(power_curve(1.8));
  for (const IccMethod method : {IccMethod::exact, IccMethod::tables})
    for (const Codec& codec : {png_codec(), tiff_codec(), jpeg_codec()})
      for (const PixelType type : {PixelType::u8, PixelType::u16})
        for (const bool alpha : {false, true}) {
          if (std::string(codec.name) == "jpeg" && (alpha || type == PixelType::u16)) continue;
          SCOPED_TRACE(std::string(codec.name) + (alpha ? " with alpha" : ""));
          const Bytes file = encode(codec, tagged(profile, alpha ? 2 : 1, type));
          const IccRendering rendering{method, IccIntent::absolute, false};
          expect_rendered(codec, file, profile, IccPixels::grey, rendering);
          EXPECT_EQ(decode(codec, file, {.icc = rendering}).spec().layers[0].channel_count(),
                    alpha ? 4 : 3);
        }
}

TEST(IccFormats, HoldForPhotoshopsDocuments) {
  for (const bool grey : {false, true})
    for (const int bits : {8, 16})
      for (const IccRendering& rendering :
           {by_tables, IccRendering{IccMethod::exact, IccIntent::absolute, false},
            IccRendering{IccMethod::tables, IccIntent::absolute, false}}) {
        const ProfileBytes profile =
            grey ? grey_profile(power_curve(1.8)) : renderings_profile(false);
        MadePsd psd;
        psd.mode = grey ? 1 : 3;
        psd.channels = grey ? 1 : 3;
        psd.bits = bits;
        const auto samples = any_values<std::uint16_t>(static_cast<std::size_t>(15 * psd.channels));
        for (const std::uint16_t v : samples) psd.samples.push_back(bits == 8 ? v >> 8 : v);
        put_psd_resource(psd.resources, 1039, profile);
        const MadeBytes bytes = psd.bytes();
        expect_rendered(psd_codec(), bytes, profile, grey ? IccPixels::grey : IccPixels::rgb,
                        rendering);
      }
}

TEST(IccFormats, HoldForInksWithAndWithoutAlpha) {
  const ProfileCase c{"press", renderings_profile(true), IccPixels::cmyk};
  for (const int bits : {8, 16})
    for (const bool alpha : {false, true})
      for (const IccRendering& rendering : renderings(IccMethod::tables)) {
        const std::size_t samples = alpha ? 5 : 4, pixels = 6;
        const auto inks = any_values<std::uint16_t>(4 * pixels);
        const Bytes file = made([&](TIFF* t) {
          describe(t, static_cast<int>(pixels), 1, bits, static_cast<int>(samples),
                   PHOTOMETRIC_SEPARATED);
          const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
          if (alpha) TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &kind);
          TIFFSetField(t, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(c.profile.size()),
                       c.profile.data());
          std::vector<std::uint16_t> wide;
          for (std::size_t p = 0; p < pixels; ++p) {
            for (std::size_t i = 0; i < 4; ++i) wide.push_back(inks[4 * p + i]);
            if (alpha) wide.push_back(0x4545);
          }
          std::vector<unsigned char> row(wide.size() * static_cast<std::size_t>(bits / 8));
          for (std::size_t i = 0; i < wide.size(); ++i) {
            if (bits == 8)
              row[i] = static_cast<unsigned char>(wide[i] >> 8);
            else
              std::memcpy(&row[2 * i], &wide[i], 2);
          }
          write_rows(t, {row});
        });
        std::vector<int> expected;
        const auto add = [&](const auto& rgb, int opacity) {
          for (std::size_t i = 0; i < rgb.size(); ++i) {
            expected.push_back(rgb[i]);
            if (alpha && i % 3 == 2) expected.push_back(opacity);
          }
        };
        std::vector<std::uint8_t> narrow;
        for (const std::uint16_t v : inks) narrow.push_back(static_cast<std::uint8_t>(v >> 8));
        if (bits == 16)
          add(by_lcms2(c, rendering, inks), 0x4545);
        else
          add(by_lcms2(c, rendering, narrow), 0x45);
        EXPECT_EQ(values(decode(tiff_codec(), file, {.icc = rendering})), expected);
      }
}

TEST(IccFormats, HoldForGifsColours) {
  const ProfileBytes profile = renderings_profile(false);
  MadeGif gif{2, 1, {{10, 20, 30}, {200, 100, 50}, {3, 250, 7}, {0, 0, 0}}};
  gif.icc_profile = profile;
  gif.frames = {MadeGifFrame{.width = 2, .height = 1, .indices = {1, 2}}};
  for (const IccRendering& rendering : renderings(IccMethod::tables))
    expect_rendered(gif_codec(), gif.bytes(), profile, IccPixels::rgb, rendering);
  expect_rendered(gif_codec(), gif.bytes(), profile, IccPixels::rgb,
                  {IccMethod::exact, IccIntent::saturation, true});
}

// A TIFF of 8 bits whose samples must be interpreted before the profile is applied.
Bytes made_with_profile(const ProfileBytes& profile, int samples, int photometric) {
  return made([&](TIFF* t) {
    describe(t, 8, 1, 8, samples, photometric);
    TIFFSetField(t, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(profile.size()), profile.data());
    if (photometric == PHOTOMETRIC_PALETTE) {
      std::vector<std::uint16_t> maps[3];
      for (int c = 0; c < 3; ++c)
        for (int v = 0; v < 256; ++v)
          maps[c].push_back(static_cast<std::uint16_t>((v * (c + 3)) % 256 * 257));
      TIFFSetField(t, TIFFTAG_COLORMAP, maps[0].data(), maps[1].data(), maps[2].data());
    }
    if (photometric == PHOTOMETRIC_YCBCR) TIFFSetField(t, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
    write_rows(t, {any_values<unsigned char>(static_cast<std::size_t>(8 * samples))});
  });
}

TEST(IccFormats, HoldForWhatSamplesOfATiffMean) {
  const ProfileBytes profile = renderings_profile(false), grey = grey_profile(power_curve(1.8));
  expect_rendered(tiff_codec(), made_with_profile(profile, 1, PHOTOMETRIC_PALETTE), profile,
                  IccPixels::rgb, by_tables);
  expect_rendered(tiff_codec(), made_with_profile(profile, 1, PHOTOMETRIC_PALETTE), profile,
                  IccPixels::rgb, {IccMethod::exact, IccIntent::saturation, false});
  expect_rendered(tiff_codec(), made_with_profile(profile, 3, PHOTOMETRIC_YCBCR), profile,
                  IccPixels::rgb, by_tables);
  for (const IccMethod method : {IccMethod::exact, IccMethod::tables})
    expect_rendered(tiff_codec(), made_with_profile(grey, 1, PHOTOMETRIC_MINISWHITE), grey,
                    IccPixels::grey, {method, IccIntent::absolute, false});
}

TEST(IccFormats, TakeGreyWithAProfileForColoursAsEqualColours) {
  const ProfileBytes profile = rgb_profile(adobe_colors, power_curve(2.2));
  const Bytes file = made_with_profile(profile, 1, PHOTOMETRIC_MINISBLACK);
  const Image read = decode(tiff_codec(), file, {.icc = by_tables});
  ASSERT_EQ(read.spec().layers[0].channel_count(), 1);
  std::vector<std::uint8_t> equal;
  for (const int v : values(decode(tiff_codec(), file)))
    equal.insert(equal.end(), 3, static_cast<std::uint8_t>(v));
  const auto expected = by_lcms2({"adobe", profile, IccPixels::rgb}, by_tables, equal);
  const std::vector<int> own = values(read);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(own[i / 3], expected[i], 1);
}

TEST(IccFormats, LeaveFloatsAsTheyAre) {
  Spec spec = noise(8, 8, 3, PixelType::f32).spec();
  spec.color.premultiplied = false;
  spec.color.primaries = primaries::p3_d65;
  const Bytes file = encode(tiff_codec(), Image(spec));
  const Image exact = decode(tiff_codec(), file);
  const Image read = decode(tiff_codec(), file, {.icc = by_tables});
  EXPECT_EQ(exact.spec().color.primaries, primaries::p3_d65);
  EXPECT_EQ(read.spec().color, exact.spec().color);
}

TEST(IccFormats, TakeAJpegsPixelsByTablesNotItsBlocks) {
  const Bytes file =
      encode(jpeg_codec(), tagged(rgb_profile(p3_colors, srgb_curve()), 3, PixelType::u8));
  for (const IccRendering& rendering : {IccRendering{}, by_tables}) {
    const auto decoder =
        jpeg_codec().open(ByteSource::from_memory(file, "test"), {.icc = rendering});
    const bool keeps = rendering == IccRendering{};
    EXPECT_EQ(decoder->block_bytes() != 0, keeps);
    EXPECT_EQ(decoder->read_blocks().has_value(), keeps);
  }
}

}  // namespace
}  // namespace cuimg
