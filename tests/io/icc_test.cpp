// SPDX-License-Identifier: Apache-2.0
// ICC profiles, made here by lcms2.
#include "io/tags/icc.h"

#include <gtest/gtest.h>
#include <lcms2.h>

#include <cmath>

#include "io/codec_helpers.h"

namespace cuimg {
namespace {

using namespace test;

Bytes saved(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  Bytes bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

constexpr cmsCIExyY d65 = {0.3127, 0.3290, 1.0};
constexpr cmsCIExyYTRIPLE rec709 = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
constexpr cmsCIExyYTRIPLE p3 = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};

Bytes rgb_profile(const cmsCIExyYTRIPLE& primaries, cmsToneCurve* curve, double version = 4.3,
                  const cmsCIExyY& white = d65) {
  cmsToneCurve* curves[] = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
  cmsSetProfileVersion(profile, version);
  cmsFreeToneCurve(curve);
  return saved(profile);
}

cmsToneCurve* gamma(double value) { return cmsBuildGamma(nullptr, value); }

// What most profiles hold: 1024 samples of a curve in 16 bits.
cmsToneCurve* sampled(double (*shape)(double)) {
  std::vector<cmsUInt16Number> table(1024);
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<cmsUInt16Number>(
        std::lround(65535 * shape(static_cast<double>(i) / double(table.size() - 1))));
  return cmsBuildTabulatedToneCurve16(nullptr, 1024, table.data());
}

double srgb_shape(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

TEST(Icc, KnowsSrgbByItsCurveAndPrimaries) {
  for (const Bytes& profile :
       {saved(cmsCreate_sRGBProfile()), rgb_profile(rec709, sampled(srgb_shape))}) {
    const auto icc = interpret_icc(profile, false);
    EXPECT_TRUE(icc.exact);
    EXPECT_EQ(icc.encoding.curve, Curve::srgb);
    EXPECT_EQ(icc.encoding.primaries, Chromaticities{});
    EXPECT_FALSE(icc.curves);
    EXPECT_EQ(icc.note, "");
  }
}

TEST(Icc, FindsGammaAndPrimariesOfMatrixProfiles) {
  const cmsCIExyY odd_white = {0.314, 0.351, 1.0};  // P3's theatre white
  for (double version : {2.1, 4.3})
    for (const cmsCIExyY& white : {d65, odd_white}) {
      const auto icc = interpret_icc(rgb_profile(p3, gamma(2.2), version, white), false);
      EXPECT_TRUE(icc.exact);
      EXPECT_EQ(icc.encoding.curve, Curve::gamma);
      EXPECT_NEAR(icc.encoding.gamma, 2.2f, 0.01f);
      ASSERT_TRUE(icc.encoding.primaries);
      const Chromaticities& c = *icc.encoding.primaries;
      EXPECT_NEAR(c.rx, 0.680f, 0.001f);
      EXPECT_NEAR(c.ry, 0.320f, 0.001f);
      EXPECT_NEAR(c.gx, 0.265f, 0.001f);
      EXPECT_NEAR(c.gy, 0.690f, 0.001f);
      EXPECT_NEAR(c.bx, 0.150f, 0.001f);
      EXPECT_NEAR(c.by, 0.060f, 0.001f);
      EXPECT_NEAR(c.wx, white.x, 0.001);
      EXPECT_NEAR(c.wy, white.y, 0.001);
    }
}

TEST(Icc, KnowsLinearCurvesAndGrey) {
  EXPECT_EQ(interpret_icc(rgb_profile(p3, gamma(1.0)), false).encoding.curve, Curve::linear);
  cmsToneCurve* curve = gamma(1.8);
  const Bytes grey = saved(cmsCreateGrayProfile(&d65, curve));
  cmsFreeToneCurve(curve);
  const auto icc = interpret_icc(grey, true);
  EXPECT_EQ(icc.encoding.curve, Curve::gamma);
  EXPECT_NEAR(icc.encoding.gamma, 1.8f, 0.01f);
  EXPECT_FALSE(icc.encoding.primaries);
  // A grey profile says nothing about RGB.
  EXPECT_FALSE(interpret_icc(grey, false).exact);
}

double odd_shape(double v) { return v < 0.5 ? v * v : 0.25 + (v - 0.5) * 1.5; }

TEST(Icc, LeadsOtherCurvesToSrgbCodesOfTheSameLight) {
  const auto icc = interpret_icc(rgb_profile(p3, sampled(odd_shape)), false);
  ASSERT_TRUE(icc.curves);
  ASSERT_EQ(icc.curves->size(), 3u);
  EXPECT_EQ(icc.encoding.curve, Curve::srgb);
  for (std::size_t code = 0; code < 65536; code += 257) {
    const double light = odd_shape(static_cast<double>(code) / 65535);
    EXPECT_NEAR(srgb_shape((*icc.curves)[1][code] / 65535.0), light, 1e-4) << code;
  }
}

TEST(Icc, TakesTableProfilesAndGarbageAsSrgbAndSaysSo) {
  const Bytes lab = saved(cmsCreateLab4Profile(nullptr));
  Bytes srgb = saved(cmsCreate_sRGBProfile());
  srgb.resize(200);
  for (const Bytes& profile : {lab, srgb, bytes_of_text("garbage"), Bytes()}) {
    const auto icc = interpret_icc(profile, false);
    EXPECT_FALSE(icc.exact);
    EXPECT_EQ(icc.encoding.curve, Curve::srgb);
    EXPECT_NE(icc.note.find("taken as sRGB"), std::string::npos);
  }
}

TEST(Icc, SurvivesChangedBytes) {
  const Bytes whole = rgb_profile(p3, sampled(odd_shape), 2.1);
  std::uint32_t state = 5;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  for (int round = 0; round < 300; ++round) {
    Bytes changed = whole;
    for (int i = 0; i < 3; ++i)
      changed[next() % std::min<std::size_t>(600, whole.size())] = static_cast<std::byte>(next());
    interpret_icc(changed, round % 2 == 0);
  }
}

TEST(Icc, IsHonouredInJpegUnlessRaw) {
  Image image = noise(16, 16, 3, PixelType::u8);
  std::memset(image.row(0, 0), 100, image.spec().pixel_bytes());
  const Bytes plain = encode(jpeg_codec(), image);
  const auto with_profile = [&](const Bytes& profile) {
    // One APP2 segment: its name, its number, the number of segments, the profile.
    const Bytes body = bytes_of_text(std::string("ICC_PROFILE\0\1\1", 14)) + profile;
    const std::size_t length = body.size() + 2;
    return Bytes(plain.begin(), plain.begin() + 2) +
           Bytes{std::byte{0xff}, std::byte{0xe2}, static_cast<std::byte>(length >> 8),
                 static_cast<std::byte>(length)} +
           body + Bytes(plain.begin() + 2, plain.end());
  };
  const Bytes p3_jpeg = with_profile(rgb_profile(p3, gamma(2.2)));
  const Image read = decode(jpeg_codec(), p3_jpeg);
  EXPECT_EQ(read.spec().color.curve, Curve::gamma);
  EXPECT_TRUE(read.spec().color.primaries);
  EXPECT_EQ(read.spec().layers[0].type, PixelType::u8);
  DecodeOptions raw;
  raw.raw = true;
  EXPECT_EQ(decode(jpeg_codec(), p3_jpeg, raw).spec().color.curve, Curve::raw);

  const Image remapped = decode(jpeg_codec(), with_profile(rgb_profile(p3, sampled(odd_shape))));
  ASSERT_EQ(remapped.spec().layers[0].type, PixelType::u16);
  EXPECT_NEAR(srgb_shape(pixels<std::uint16_t>(remapped)[0] / 65535.0), odd_shape(100 / 255.0),
              1e-4);
}

}  // namespace
}  // namespace cuimg
