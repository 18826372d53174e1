// SPDX-License-Identifier: Apache-2.0
// ICC profiles, made here by lcms2.
#include "io/tags/icc.h"

#include <gtest/gtest.h>

#include "io/codec_helpers.h"
#include "io/made_profiles.h"

namespace cuimg {
namespace {

using namespace test;

double srgb_shape(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

IccInterpretation of_rgb(const Bytes& profile) { return interpret_icc(profile, IccPixels::rgb); }

TEST(Icc, KnowsSrgbByItsCurveAndPrimaries) {
  for (const Bytes& profile :
       {saved(cmsCreate_sRGBProfile()), rgb_profile(rec709_colors, sampled_curve(srgb_shape))}) {
    const auto icc = of_rgb(profile);
    EXPECT_TRUE(icc.exact);
    EXPECT_EQ(icc.encoding.curve, Curve::srgb);
    EXPECT_EQ(icc.encoding.primaries, Chromaticities{});
    EXPECT_EQ(icc.encoding.profile->bytes, profile);
    EXPECT_EQ(icc.note, "");
  }
}

TEST(Icc, FindsGammaAndPrimariesOfMatrixProfiles) {
  const cmsCIExyY odd_white = {0.314, 0.351, 1.0};  // the white of P3 in theatres
  for (double version : {2.1, 4.3})
    for (const cmsCIExyY& white : {d65_white, odd_white}) {
      const auto icc = of_rgb(rgb_profile(adobe_colors, power_curve(2.19921875), version, white));
      EXPECT_TRUE(icc.exact);
      EXPECT_EQ(icc.encoding.curve, Curve::gamma);
      EXPECT_EQ(icc.encoding.gamma, 2.19921875f);
      ASSERT_TRUE(icc.encoding.primaries);
      const Chromaticities expected{0.64f, 0.33f, 0.21f,          0.71f,
                                    0.15f, 0.06f, float(white.x), float(white.y)};
      EXPECT_TRUE(near(*icc.encoding.primaries, expected, 0.0002f));
    }
}

TEST(Icc, NamesPrimariesThatOnlyRoundingKeepsFromASet) {
  EXPECT_EQ(of_rgb(rgb_profile(p3_colors, srgb_curve())).encoding.primaries, primaries::p3_d65);
  EXPECT_EQ(of_rgb(rgb_profile(rec2020_colors, power_curve(2.4))).encoding.primaries,
            primaries::rec2020);
}

TEST(Icc, KnowsLinearCurvesAndGrey) {
  EXPECT_EQ(of_rgb(rgb_profile(p3_colors, power_curve(1.0))).encoding.curve, Curve::linear);
  const Bytes grey = grey_profile(power_curve(1.8));
  const auto icc = interpret_icc(grey, IccPixels::grey);
  EXPECT_EQ(icc.encoding.curve, Curve::gamma);
  EXPECT_NEAR(icc.encoding.gamma, 1.8f, 0.001f);
  EXPECT_FALSE(icc.encoding.primaries);
  EXPECT_TRUE(icc.encoding.profile->grey);
  // A grey profile does not apply to RGB; from an RGB profile, grey takes the curve.
  EXPECT_FALSE(of_rgb(grey).exact);
  const auto rgb = interpret_icc(rgb_profile(p3_colors, power_curve(1.8)), IccPixels::grey);
  EXPECT_EQ(rgb.encoding.curve, Curve::gamma);
  EXPECT_FALSE(rgb.encoding.profile->grey);
}

TEST(Icc, SamplesOtherCurvesBothWays) {
  const auto icc = of_rgb(rgb_profile(p3_colors, sampled_curve(odd_shape)));
  ASSERT_EQ(icc.encoding.curve, Curve::profile);
  EXPECT_EQ(icc.encoding.primaries, primaries::p3_d65);
  constexpr std::size_t count = ColorProfile::samples;
  const std::vector<float>& light = *icc.encoding.profile->light;
  const std::vector<float>& codes = *icc.encoding.profile->codes;
  ASSERT_EQ(light.size(), 3 * count);
  ASSERT_EQ(codes.size(), 3 * count);
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t code = 0; code < count; code += 257) {
      const double value = static_cast<double>(code) / (count - 1);
      const double found = static_cast<double>(light[channel * count + code]);
      EXPECT_NEAR(found, odd_shape(value), 2e-5) << code;
      const auto root = static_cast<std::size_t>(std::lround(std::cbrt(found) * (count - 1)));
      EXPECT_NEAR(codes[channel * count + root], static_cast<float>(value), 2e-4f) << code;
    }
}

TEST(Icc, TakesLcms2sTablesForInksUnlessExactIsAskedFor) {
  const Bytes profile = table_profile(true);
  const IccRendering tables{IccMethod::tables, IccIntent::relative, false};
  const auto unasked = interpret_icc(profile, IccPixels::cmyk),
             asked = interpret_icc(profile, IccPixels::cmyk, tables);
  ASSERT_TRUE(unasked.conversion && asked.conversion);
  EXPECT_EQ(unasked.encoding, (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
  EXPECT_EQ(unasked.conversion->type(), PixelType::u8);
  std::vector<std::byte> inks(4 * 256), by_itself(3 * 256), by_tables(3 * 256);
  for (std::size_t i = 0; i < inks.size(); ++i) inks[i] = static_cast<std::byte>(i * 97 % 251);
  unasked.conversion->convert_cmyk(inks.data(), 256, by_itself.data());
  asked.conversion->convert_cmyk(inks.data(), 256, by_tables.data());
  EXPECT_EQ(by_itself, by_tables);
  // RGB with tables keeps colours that sRGB would clip.
  EXPECT_TRUE(interpret_icc(table_profile(false), IccPixels::rgb).encoding.primaries);
}

TEST(Icc, ConvertsTablesAsLcms2Does) {
  for (const bool cmyk : {false, true}) {
    const Bytes profile = table_profile(cmyk);
    const auto icc = interpret_icc(profile, cmyk ? IccPixels::cmyk : IccPixels::rgb,
                                   {IccMethod::exact, IccIntent::relative, false});
    ASSERT_TRUE(icc.conversion);
    EXPECT_EQ(icc.encoding, (ColorEncoding{Curve::srgb, 1.0f, false, primaries::rec2020}));
    EXPECT_NE(icc.note, "");
    const Bytes target_bytes = rgb_profile(rec2020_colors, srgb_curve());
    cmsHPROFILE source = cmsOpenProfileFromMem(profile.data(), cmsUInt32Number(profile.size()));
    cmsHPROFILE target =
        cmsOpenProfileFromMem(target_bytes.data(), cmsUInt32Number(target_bytes.size()));
    cmsHTRANSFORM reference =
        cmsCreateTransform(source, cmyk ? TYPE_CMYK_16 : TYPE_RGB_16, target, TYPE_RGB_16,
                           INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE);
    const std::size_t channels = cmyk ? 4 : 3, pixels = 5000;
    std::vector<std::uint16_t> in(channels * pixels), expected(3 * pixels);
    std::uint32_t state = 7;
    for (std::uint16_t& v : in)
      v = static_cast<std::uint16_t>((state = state * 1664525u + 1) >> 16);
    cmsDoTransform(reference, in.data(), expected.data(), pixels);
    auto* const row = reinterpret_cast<std::byte*>(in.data());
    if (cmyk)
      icc.conversion->convert_cmyk(row, pixels, row);
    else
      icc.conversion->convert(row, pixels, 3);
    for (std::size_t i = 0; i < 3 * pixels; ++i) ASSERT_NEAR(in[i], expected[i], 128) << i;
    cmsDeleteTransform(reference);
    cmsCloseProfile(source);
    cmsCloseProfile(target);
  }
}

TEST(Icc, TakesOtherPixelsProfilesAndGarbageAsSrgbAndSaysSo) {
  const Bytes lab = saved(cmsCreateLab4Profile(nullptr));
  Bytes srgb = saved(cmsCreate_sRGBProfile());
  // A class and colour spaces that are not letters.
  std::vector<Bytes> all;
  for (const std::size_t at : {12u, 16u, 20u}) {
    all.push_back(srgb);
    all.back()[at] = std::byte{0xd2};
  }
  srgb.resize(200);
  all.insert(all.end(), {lab, table_profile(true), srgb, bytes_of_text("garbage"), Bytes()});
  for (const Bytes& profile : all) {
    const auto icc = of_rgb(profile);
    EXPECT_FALSE(icc.exact);
    EXPECT_EQ(icc.encoding.curve, Curve::srgb);
    EXPECT_FALSE(icc.encoding.profile);
    EXPECT_NE(icc.note.find("sRGB is assumed"), std::string::npos);
  }
}

TEST(Icc, SurvivesChangedBytes) {
  std::uint32_t state = 5;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  std::vector<std::byte> row(4096, std::byte{77});
  for (const Bytes& whole :
       {rgb_profile(p3_colors, sampled_curve(odd_shape), 2.1), table_profile(false),
        table_profile(true), grey_profile(sampled_curve(odd_shape))})
    for (int round = 0; round < 40; ++round) {
      Bytes changed = whole;
      for (int i = 0; i < 3; ++i)
        changed[next() % std::min<std::size_t>(600, whole.size())] = static_cast<std::byte>(next());
      for (const IccPixels pixels : {IccPixels::grey, IccPixels::rgb, IccPixels::cmyk}) {
        const auto icc = interpret_icc(changed, pixels);
        if (icc.conversion && pixels == IccPixels::rgb) icc.conversion->convert(row.data(), 300, 3);
        if (icc.conversion && pixels == IccPixels::cmyk)
          icc.conversion->convert_cmyk(row.data(), 300, row.data());
        raw_profile(changed, pixels);
      }
    }
}

TEST(Icc, MakesTheSameProfileEveryTimeAndReadsItBack) {
  for (const ColorEncoding& color :
       {ColorEncoding{Curve::srgb, 1.0f, false, primaries::p3_d65},
        ColorEncoding{Curve::linear, 1.0f, false, primaries::aces_ap0},
        ColorEncoding{Curve::gamma, 2.19921875f, false, primaries::rec2020},
        ColorEncoding{Curve::srgb, 1.0f, false, primaries::xyz}}) {
    const Bytes made = icc_for(color, false);
    EXPECT_EQ(made, icc_for(color, false));
    const auto icc = of_rgb(made);
    EXPECT_EQ(icc.encoding.curve, color.curve);
    EXPECT_NEAR(icc.encoding.gamma, color.gamma, 1e-4f);
    ASSERT_TRUE(icc.encoding.primaries);
    EXPECT_TRUE(near(*icc.encoding.primaries, *color.primaries, 0.0002f));
  }
  EXPECT_TRUE(icc_for({Curve::srgb, 1.0f, false, {}}, false).empty());
  EXPECT_TRUE(icc_for({Curve::pq, 1.0f, false, primaries::rec2020}, false).empty());
  EXPECT_FALSE(icc_describes({Curve::pq, 1.0f, false, primaries::rec2020}, false));
  const Chromaticities line{0.1f, 0.1f, 0.2f, 0.2f, 0.3f, 0.3f, 0.3f, 0.3f};
  EXPECT_FALSE(icc_describes({Curve::srgb, 1.0f, false, line}, false));
}

// A picture in the profile's colours, after it was written and read.
ColorEncoding in_profile(const Bytes& profile, IccPixels pixels) {
  return interpret_icc(profile, pixels).encoding;
}

TEST(Icc, IsKeptByEveryFormatThatHoldsIt) {
  for (const Codec& codec : {png_codec(), jpeg_codec(), tiff_codec()})
    for (const bool grey : {false, true})
      for (const bool odd : {false, true}) {
        SCOPED_TRACE(std::string(codec.name) + (grey ? " grey" : "") + (odd ? " odd" : ""));
        cmsToneCurve* curve = odd ? sampled_curve(odd_shape) : power_curve(2.2);
        const Bytes profile = grey ? grey_profile(curve) : rgb_profile(adobe_colors, curve);
        Image image = noise(16, 16, grey ? 1 : 3, PixelType::u8);
        Spec spec = image.spec();
        spec.color = in_profile(profile, grey ? IccPixels::grey : IccPixels::rgb);
        Image colored(spec);
        std::memcpy(colored.row(0, 0), image.row(0, 0), spec.pixel_bytes());
        ASSERT_TRUE(codec.capabilities.describes(spec.color, grey));
        const Bytes file = encode(codec, colored);
        const Image read = decode(codec, file);
        EXPECT_EQ(read.spec().layers[0].type, PixelType::u8);
        EXPECT_EQ(read.spec().color.curve, odd ? Curve::profile : Curve::gamma);
        ASSERT_TRUE(read.spec().color.profile);
        EXPECT_EQ(read.spec().color.profile->bytes, profile);
        DecodeOptions raw;
        raw.raw = true;
        const Image codes = decode(codec, file, raw);
        EXPECT_EQ(codes.spec().color.curve, Curve::raw);
        EXPECT_EQ(codes.spec().color.profile->bytes, profile);
        expect_same_pixels(read, codes);
        EXPECT_EQ(decode(codec, encode(codec, codes), raw).spec().color, codes.spec().color);
      }
}

TEST(Icc, InSeveralJpegSegments) {
  Image image = noise(16, 16, 3, PixelType::u8);
  Spec spec = image.spec();
  Bytes profile = rgb_profile(p3_colors, srgb_curve());
  profile.resize(200000);  // a profile may be followed by any bytes
  const auto size = static_cast<std::uint32_t>(profile.size());
  for (std::size_t i = 0; i < 4; ++i)
    profile[i] = static_cast<std::byte>(size >> (24 - 8 * static_cast<int>(i)));
  spec.color = in_profile(profile, IccPixels::rgb);
  ASSERT_TRUE(spec.color.profile);
  const Image read = decode(jpeg_codec(), encode(jpeg_codec(), Image(spec)));
  ASSERT_TRUE(read.spec().color.profile);
  EXPECT_EQ(read.spec().color.profile->bytes, profile);
}

TEST(Icc, WithTablesComesOutOfPngAndTiffIn16Bits) {
  Spec spec = noise(8, 8, 4, PixelType::u8).spec();
  spec.color = {Curve::raw, 1.0f, false, {}};
  spec.color.profile = SharedProfile({table_profile(false), false});
  Image image(spec);
  std::memset(image.row(0, 0), 100, spec.pixel_bytes());
  for (const Codec& codec : {png_codec(), tiff_codec()}) {
    const Image read = decode(codec, encode(codec, image));
    EXPECT_EQ(read.spec().color, (ColorEncoding{Curve::srgb, 1.0f, false, primaries::rec2020}));
    ASSERT_EQ(read.spec().layers[0].type, PixelType::u16);
    const std::uint16_t* pixel = pixels<std::uint16_t>(read);
    // Grey stays grey, L* 39.2 is Y 0.1080 and sRGB's 0.3643; alpha stays.
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(pixel[c] / 65535.0, 0.3643, 0.003) << c;
    EXPECT_EQ(pixel[3], 100 * 257);
  }
}

}  // namespace
}  // namespace cuimg
