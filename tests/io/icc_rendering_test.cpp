// SPDX-License-Identifier: Apache-2.0
// What is asked of ICC profiles: lcms2's tables or its floating point, its intents and black point
// compensation, through every format that holds a profile.
#include <gtest/gtest.h>

#include <algorithm>

#include "io/codec_helpers.h"
#include "io/made_profiles.h"
#include "io/made_psd.h"
#include "io/made_tiff.h"
#include "io/tags/icc.h"

namespace cuimg {
namespace {

using namespace test;

constexpr IccRendering by_tables{IccMethod::tables, IccIntent::relative, false};

std::vector<IccRendering> renderings(IccMethod method) {
  std::vector<IccRendering> all;
  for (const IccIntent intent :
       {IccIntent::perceptual, IccIntent::relative, IccIntent::saturation, IccIntent::absolute})
    for (const bool black_point : {false, true})
      if (!(black_point && intent == IccIntent::absolute))
        all.push_back({method, intent, black_point});
  return all;
}

struct Case {
  std::string name;
  ProfileBytes profile;
  IccPixels pixels;
  std::size_t values() const {
    return pixels == IccPixels::grey ? 1 : pixels == IccPixels::cmyk ? 4 : 3;
  }
};

// A curve that starts above 0.
double raised_shape(double v) { return 0.1 + 0.9 * v * v; }

std::vector<Case> cases() {
  return {{"p3", rgb_profile(p3_colors, srgb_curve()), IccPixels::rgb},
          {"adobe", rgb_profile(adobe_colors, power_curve(2.2), 2.1), IccPixels::rgb},
          {"raised", rgb_profile(p3_colors, sampled_curve(raised_shape)), IccPixels::rgb},
          {"scanner", renderings_profile(false), IccPixels::rgb},
          {"press", renderings_profile(true), IccPixels::cmyk},
          {"grey", grey_profile(power_curve(1.8)), IccPixels::grey},
          {"raised grey", grey_profile(sampled_curve(raised_shape)), IccPixels::grey}};
}

// R, G and B of pixels without gaps, by a transform of lcms2 that is made here.
template <class T>
std::vector<T> by_lcms2(const Case& c, const IccRendering& rendering, std::vector<T> from) {
  const bool exact = rendering.method == IccMethod::exact;
  const ProfileBytes rec2020 = rgb_profile(rec2020_colors, srgb_curve());
  const auto opened = [](const ProfileBytes& bytes) {
    return cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size()));
  };
  cmsHPROFILE source = opened(c.profile);
  cmsHPROFILE target = exact ? opened(rec2020) : cmsCreate_sRGBProfile();
  cmsSetProfileVersion(target, 2.1);  // else lcms2 compensates unasked for some intents
  const bool wide = sizeof(T) == 2;
  const cmsUInt32Number types[] = {wide ? TYPE_GRAY_16 : TYPE_GRAY_8,
                                   wide ? TYPE_RGB_16 : TYPE_RGB_8,
                                   wide ? TYPE_CMYK_16 : TYPE_CMYK_8};
  cmsHTRANSFORM transform =
      cmsCreateTransform(source, types[static_cast<int>(c.pixels)], target, types[1],
                         static_cast<cmsUInt32Number>(rendering.intent),
                         (exact ? cmsFLAGS_NOOPTIMIZE : 0) |
                             (rendering.black_point ? cmsFLAGS_BLACKPOINTCOMPENSATION : 0));
  const std::size_t count = from.size() / c.values();
  std::vector<T> made(3 * count);
  cmsDoTransform(transform, from.data(), made.data(), static_cast<cmsUInt32Number>(count));
  cmsDeleteTransform(transform);
  cmsCloseProfile(source);
  cmsCloseProfile(target);
  return made;
}

template <class T>
std::vector<T> any_values(std::size_t count) {
  std::uint32_t state = 7;
  std::vector<T> values(count);
  for (T& v : values) v = static_cast<T>((state = state * 1664525u + 1) >> (32 - 8 * sizeof(T)));
  return values;
}

// The same through the library: grey in three channels too.
template <class T>
std::vector<T> by_library(const Case& c, const IccRendering& rendering, std::vector<T> from) {
  const auto icc = interpret_icc(c.profile, c.pixels, rendering,
                                 sizeof(T) == 2 ? PixelType::u16 : PixelType::u8);
  EXPECT_TRUE(icc.conversion) << c.name;
  if (!icc.conversion) return {};
  EXPECT_EQ(bytes_of(icc.conversion->type()), sizeof(T));
  const std::size_t count = from.size() / c.values();
  std::vector<T> made(from);
  if (c.pixels == IccPixels::grey) {
    made.clear();
    for (const T v : from) made.insert(made.end(), 3, v);
  }
  auto* const row = reinterpret_cast<std::byte*>(made.data());
  if (c.pixels == IccPixels::cmyk)
    icc.conversion->convert_cmyk(row, count, row);
  else
    icc.conversion->convert(row, count, 3);
  made.resize(3 * count);
  return made;
}

template <class T>
int distance(const std::vector<T>& a, const std::vector<T>& b) {
  EXPECT_EQ(a.size(), b.size());
  int largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(int{a[i]} - int{b[i]}));
  return largest;
}

template <class T>
void expect_tables_of_lcms2() {
  for (const Case& c : cases())
    for (const IccRendering& rendering : renderings(IccMethod::tables)) {
      SCOPED_TRACE(c.name + " " + std::to_string(static_cast<int>(rendering.intent)));
      const auto values = any_values<T>(c.values() * 2000);
      const auto own = by_library(c, rendering, values), other = by_lcms2(c, rendering, values);
      const auto icc = interpret_icc(c.profile, c.pixels, rendering,
                                     sizeof(T) == 2 ? PixelType::u16 : PixelType::u8);
      EXPECT_EQ(icc.encoding, (ColorEncoding{Curve::srgb, 1.0f, false, {}}));
      EXPECT_NE(icc.note, "");
      const bool one_channel = c.pixels == IccPixels::grey && !icc.conversion->colors_grey();
      EXPECT_LE(distance(own, other), one_channel ? (sizeof(T) == 2 ? 257 : 1) : 0);
    }
}

TEST(IccRendering, ByTablesIsWhatLcms2GivesUnasked) {
  expect_tables_of_lcms2<std::uint8_t>();
  expect_tables_of_lcms2<std::uint16_t>();
}

TEST(IccRendering, IsExactForEveryIntent) {
  for (const Case& c : cases()) {
    std::vector<std::vector<std::uint16_t>> made;
    std::vector<IccRendering> asked;
    for (const IccRendering& rendering : renderings(IccMethod::exact)) {
      SCOPED_TRACE(c.name + " " + std::to_string(static_cast<int>(rendering.intent)));
      const auto icc = interpret_icc(c.profile, c.pixels, rendering);
      const bool tables = c.name == "scanner" || c.name == "press";
      const bool grey = c.pixels == IccPixels::grey;
      const bool raised = c.name.starts_with("raised") && rendering.black_point;
      // lcms2 gives grey profiles of its own making a paper of D65.
      const bool tinted = rendering.intent == IccIntent::absolute && (tables || grey);
      ASSERT_EQ(icc.conversion != nullptr, tables || raised || tinted);
      EXPECT_TRUE(icc.exact);
      if (!icc.conversion) {
        EXPECT_EQ(icc.encoding, interpret_icc(c.profile, c.pixels).encoding);
        continue;
      }
      EXPECT_EQ(icc.conversion->colors_grey(), grey && tinted);
      const auto values = any_values<std::uint16_t>(c.values() * 2000);
      asked.push_back(rendering);
      made.push_back(by_library(c, rendering, values));
      EXPECT_LE(distance(made.back(), by_lcms2(c, rendering, values)), 128);
    }
    if (c.name.starts_with("raised")) continue;  // all intents are one
    for (std::size_t i = 0; i < made.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        // lcms2 looks for the black of inks on the way back to them, which this profile has not.
        if (c.name == "press" && asked[i].intent == asked[j].intent) continue;
        EXPECT_GT(distance(made[i], made[j]), 600) << c.name;
      }
  }
}

TEST(IccRendering, CompensatesBlackWhereItIsAsked) {
  for (const bool grey : {false, true}) {
    const Case c{"raised",
                 grey ? grey_profile(sampled_curve(raised_shape))
                      : rgb_profile(p3_colors, sampled_curve(raised_shape)),
                 grey ? IccPixels::grey : IccPixels::rgb};
    const auto black = [&](const IccRendering& rendering) {
      return by_library<std::uint16_t>(c, rendering, {0, 0, 0})[0];
    };
    EXPECT_LE(black({IccMethod::exact, IccIntent::relative, true}), 40);
    EXPECT_GE(by_lcms2<std::uint16_t>(c, {}, {0, 0, 0})[0], 20000);
  }
}

// Codes as they are stored, converted by what the profile says.
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

// A file holds codes and a profile; what is read of it with a rendering.
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

TEST(IccRendering, ByTablesKeepsTheTypeInEveryFormat) {
  for (const Case& c : cases()) {
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

TEST(IccRendering, MakesColoursOfGreyOnTintedPaper) {
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

TEST(IccRendering, HoldsForPhotoshopsDocuments) {
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

TEST(IccRendering, HoldsForInksWithAndWithoutAlpha) {
  const Case c{"press", renderings_profile(true), IccPixels::cmyk};
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

TEST(IccRendering, LeavesFloatsWithTheirProfile) {
  Spec spec = noise(8, 8, 3, PixelType::f32).spec();
  spec.color.premultiplied = false;
  spec.color.primaries = primaries::p3_d65;
  const Bytes file = encode(tiff_codec(), Image(spec));
  const Image exact = decode(tiff_codec(), file);
  const Image read = decode(tiff_codec(), file, {.icc = by_tables});
  EXPECT_EQ(exact.spec().color.primaries, primaries::p3_d65);
  EXPECT_EQ(read.spec().color, exact.spec().color);
}

TEST(IccRendering, ByTablesTakesAJpegsPixelsNotItsBlocks) {
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

TEST(IccRendering, SurvivesChangedBytes) {
  std::uint32_t state = 5;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  std::vector<std::byte> row(4096, std::byte{77});
  for (const Case& c : cases())
    for (int round = 0; round < 12; ++round) {
      ProfileBytes changed = c.profile;
      for (int i = 0; i < 3; ++i)
        changed[next() % std::min<std::size_t>(600, changed.size())] =
            static_cast<std::byte>(next());
      const IccRendering rendering{round % 2 == 0 ? IccMethod::tables : IccMethod::exact,
                                   static_cast<IccIntent>(round % 4), round % 3 == 0};
      for (const IccPixels pixels : {IccPixels::grey, IccPixels::rgb, IccPixels::cmyk}) {
        const auto icc = interpret_icc(changed, pixels, rendering);
        if (!icc.conversion) continue;
        if (pixels == IccPixels::cmyk)
          icc.conversion->convert_cmyk(row.data(), 300, row.data());
        else
          icc.conversion->convert(row.data(), 300, pixels == IccPixels::rgb ? 3 : 1);
      }
    }
}

}  // namespace
}  // namespace cuimg
