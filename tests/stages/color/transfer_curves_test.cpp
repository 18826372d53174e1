// SPDX-License-Identifier: Apache-2.0
// Encode and decode: published values, and that no file's own curve is applied on top.
#include <cmath>

#include "base/error.h"
#include "stages/color/curve_list.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

float value_of(const std::string& words, float value) {
  return value_at(run_chain(words, flat(spec_of({0, 0, 2, 2}, PixelType::f32, 1), value)), 1, 1);
}

struct Published {
  const char* curve;
  float light;
  double value;
  double tolerance;  ///< The precision of the source's number.
};

TEST(Encode, GivesThePublishedValues) {
  const Published table[] = {
      // IEC 61966-2-1: the formula at 18 % grey and at its knee.
      {"srgb", 0.18f, 0.46135612950044164, 1e-6},
      {"srgb", 0.0031308f, 0.040449936, 1e-6},
      // ITU-R BT.2020-2's formula with alpha = 1.09929682680944; BT.709 rounds it to 0.409.
      {"rec709", 0.18f, 0.4088481, 1e-6},
      // SMPTE ST 2084 at 100, 1000 and 10000 cd/m^2 (BT.2408 prints 0.508, 0.752, 1).
      {"pq", 1.0f, 0.5080784215173990, 1e-6},
      {"pq", 10.0f, 0.7518271, 1e-6},
      {"pq", 100.0f, 1.0, 1e-6},
      // ITU-R BT.2100-2: 1/12 is a half, 1 is 1.
      {"hlg", 1 / 12.0f, 0.5, 1e-6},
      {"hlg", 1.0f, 1.0, 1e-6},
      // Academy S-2016-001: 0.18 is 0.4135884, 1 is 0.5547945.
      {"acescct", 0.18f, 0.4135884, 1e-6},
      {"acescct", 1.0f, 0.5547945205, 1e-6},
      // ARRI, LogC3 curve: 18 % grey at EI 800 is 0.391007.
      {"logc3", 0.18f, 0.391007, 1e-6},
      {"logc3", 0.0f, 0.092809, 1e-6},
      // Sony: 18 % grey is code 420, black 95, 90 % white 598 of 1023.
      {"slog3", 0.18f, 420 / 1023.0, 1e-6},
      {"slog3", 0.0f, 95 / 1023.0, 1e-6},
      {"slog3", 0.9f, 598 / 1023.0, 5e-4},
      // ARRI's specification of LogC4: 18 % grey is 0.278396, black 95 of 1023.
      {"logc4", 0.18f, 0.278396, 1e-6},
      {"logc4", 0.0f, 95 / 1023.0, 1e-6},
      // Panasonic: 18 % grey is code 433 of 1023, black 128 (7.3 IRE), 90 % white 602.
      {"vlog", 0.18f, 433 / 1023.0, 5e-4},
      {"vlog", 0.0f, 0.125, 1e-6},
      {"vlog", 0.9f, 602 / 1023.0, 1e-3},
      // Canon prints percent of the legal range: Canon Log 2 has grey at 39.2, Canon Log 3 at 32.8,
      // and black is code 95 and 128 of 1023.
      {"clog2", 0.18f, (0.392 * 876 + 64) / 1023, 5e-4},
      {"clog2", 0.0f, 95 / 1023.0, 1e-6},
      {"clog3", 0.18f, (0.328 * 876 + 64) / 1023, 5e-4},
      {"clog3", 0.0f, 128 / 1023.0, 2e-6},
      // RED: grey is a third, ten stops above grey 1, 0 light 0.091551.
      {"log3g10", 0.18f, 1 / 3.0, 1e-6},
      {"log3g10", 184.32f, 1.0, 1e-5},
      {"log3g10", 0.0f, 0.091551, 1e-6},
      {"log3g10", -0.01f, 0.0, 1e-6},
      // Blackmagic Design: 18 % grey is 0.336043 in Intermediate, 1 is 0.513837, 100 is 1.
      {"davinci", 0.18f, 0.336043, 1e-6},
      {"davinci", 1.0f, 0.513837, 1e-6},
      {"davinci", 100.0f, 1.0, 1e-4},
      {"davinci", 0.0f, 0.0, 1e-6},
      {"bmdfilm5", 0.18f, 0.383562, 1e-6},
      {"bmdfilm5", 0.0f, 0.092466, 1e-6},
      // Fujifilm: F-Log's grey is code 470 of 1023, F-Log2's 400; black is 95 in both.
      {"flog", 0.18f, 470 / 1023.0, 5e-4},
      {"flog", 0.0f, 95 / 1023.0, 1e-6},
      {"flog2", 0.18f, 400 / 1023.0, 5e-4},
      {"flog2", 0.0f, 95 / 1023.0, 1e-6},
      // DJI: 18 % grey is 39.9 %, black 95 of 1023.
      {"dlog", 0.18f, 0.399, 5e-4},
      {"dlog", 0.0f, 95 / 1023.0, 5e-5},
      // Kodak: white is code 685 of 1023, black 95.
      {"cineon", 1.0f, 685 / 1023.0, 1e-6},
      {"cineon", 0.0f, 95 / 1023.0, 1e-6},
      // 0.5 raised to these powers.
      {"gamma1.8", 0.28717458874925877f, 0.5, 1e-6},
      {"gamma2.2", 0.217637640824031f, 0.5, 1e-6},
      {"gamma2.4", 0.18946457081379976f, 0.5, 1e-6},
      {"gamma2.6", 0.16493848884661177f, 0.5, 1e-6},
  };
  for (const Published& p : table) {
    EXPECT_NEAR(value_of(std::string("encode --curve ") + p.curve, p.light), p.value, p.tolerance)
        << p.curve << " " << p.light;
    EXPECT_NEAR(value_of(std::string("decode --curve ") + p.curve, static_cast<float>(p.value)),
                p.light, 30 * p.tolerance * std::max(p.light, 0.1f))
        << p.curve << " " << p.light;
  }
}

TEST(Encode, IsWrittenAsItIs) {
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 3), 0.18f);
  // An EXR contains the curve's values, not light computed from them.
  const Image exr = run_chain("encode --curve srgb", source, {.format = "exr"});
  EXPECT_NEAR(value_at(exr, 0, 0), 0.4613561f, 1e-6);
  // A PNG contains them too, without its own sRGB curve on top.
  const Image png = run_chain("encode --curve srgb", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(png.row(0, 0)[0]), 118);
  EXPECT_TRUE(same_pixels(png, run_chain("gain --value 1", source, {.format = "png"})));
  const Image pq = run_chain("encode --curve pq", flat(source.spec(), 1),
                             {.format = "png", .type = PixelType::u16});
  EXPECT_EQ(std::to_integer<int>(pq.row(0, 0)[0]) + 256 * std::to_integer<int>(pq.row(0, 0)[1]),
            static_cast<int>(std::lround(0.5080784215 * 65535)));
}

TEST(Encode, OfAPngsOwnCurveChangesNothing) {
  const Image source = noise(spec_of({0, 0, 40, 30}, PixelType::u8, 3));
  const Image made = run_chain("encode --curve srgb", source, {.format = "png"});
  for (int y = 0; y < 30; ++y)
    EXPECT_EQ(std::memcmp(made.row(0, y), source.row(0, y), 120), 0) << y;
}

TEST(Decode, TakesAFilesValuesInPlaceOfItsOwnCurve) {
  // Code 128 of a PNG is 0.50196 of PQ, whatever the PNG's own curve is.
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::u8, 3), 128 / 255.0f);
  const Image made =
      run_chain("decode --curve pq", source, {.format = "exr", .type = PixelType::f32});
  EXPECT_NEAR(value_at(made, 0, 0), value_of("decode --curve pq", 128 / 255.0f), 1e-6);
  EXPECT_NEAR(value_at(made, 0, 0), 0.9408, 1e-3);
  // And light is written in the output's encoding.
  const Image srgb = run_chain("decode --curve srgb", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(srgb.row(0, 0)[0]), 128);
}

TEST(Decode, UndoesEncodeThroughAFileWithAlpha) {
  const Image source = run_chain("premult", noise(spec_of({0, 0, 30, 20}, PixelType::f32, 4)));
  for (const NamedCurve& curve : named_curves()) {
    const std::string name(curve.name);
    const Image file = run_chain("encode --curve " + name, source, {.format = "exr"});
    // As the program would read it: EXR contains light, and colours are multiplied by alpha.
    Image read(source.spec());
    for (int y = 0; y < 20; ++y) std::memcpy(read.row(0, y), file.row(0, y), file.row_bytes(0));
    const Image straight = run_chain("decode --curve " + name + " + gain --value 1", read);
    for (int i = 0; i < 30 * 20; ++i)
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(value_at(straight, i % 30, i / 30, c), value_at(source, i % 30, i / 30, c),
                    2e-5)
            << name << " " << i;
  }
}

TEST(Encode, LastsUntilDecode) {
  const Image source = noise(spec_of({0, 0, 30, 20}, PixelType::u8, 4));
  // Stages between the two get the curve's values: 0.4135884 is 18 % grey in ACEScct.
  const Image grey = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 3), 0.18f);
  const std::string between =
      "encode --curve acescct + contrast --amount 2 --pivot 0.4135884 + decode --curve acescct";
  EXPECT_NEAR(value_at(run_chain(between, grey), 0, 0), 0.18f, 1e-6);
  // This doubles the distance in stops.
  EXPECT_NEAR(value_at(run_chain(between, flat(grey.spec(), 0.36f)), 0, 0), 0.72f, 1e-5);
  const Image there_and_back =
      run_chain("encode --curve logc3 + decode --curve logc3", source, {.format = "png"});
  EXPECT_TRUE(same_pixels(there_and_back, run_chain("gain --value 1", source, {.format = "png"})));
}

TEST(Encode, LeavesAlphaAndOtherLayers) {
  Spec spec = spec_of({0, 0, 8, 8}, PixelType::f32, 4);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  const Image source = noise(spec);
  const Image made = run_chain("encode --curve slog3", source, {.format = "exr"});
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(value_at(made, i % 8, i / 8, 3), value_at(source, i % 8, i / 8, 3));
    EXPECT_EQ(value_at(made, i % 8, i / 8, 0, 1), value_at(source, i % 8, i / 8, 0, 1));
  }
}

TEST(Encode, StagesThatMixPixelsTakeItsValuesAsTheyAre) {
  const Image source = flat(spec_of({0, 0, 64, 32}, PixelType::f32, 3), 0.18f);
  for (const std::string words :
       {"resize --size 20x20", "blur --sigma 2", "rotate --angle 17 --border clamp",
        "affine --matrix 0.3,0,0,0.3,0,0 --border clamp", "median --size 3", "bilateral --radius 2",
        "dilate --radius 2", "envmap --from latlong --to mirrorball --size 16x16"}) {
    const Image made = run_chain("encode --curve srgb + " + words, source, {.format = "exr"});
    EXPECT_NEAR(value_at(made, 7, 7), 0.461356, 1e-5) << words;
    const Image back = run_chain("encode --curve srgb + " + words + " + decode --curve srgb",
                                 source, {.format = "exr"});
    EXPECT_NEAR(value_at(back, 7, 7), 0.18f, 1e-5) << words;
    const Image png = run_chain("encode --curve srgb + " + words, source, {.format = "png"});
    EXPECT_EQ(std::to_integer<int>(png.row(0, 7)[21]), 118) << words;
  }
}

TEST(Encode, KeepsThePrimariesTag) {
  const Image source = noise(spec_of({0, 0, 4, 4}, PixelType::f32, 3));
  const Image made =
      run_chain("primaries --to ap1 + encode --curve acescct", source, {.format = "exr"});
  ASSERT_TRUE(made.spec().color.primaries);
  EXPECT_EQ(*made.spec().color.primaries, primaries::aces_ap1);
}

TEST(Encode, ToAPowerIsTaggedAsThatPower) {
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 3), 0.217637640824031f);
  const Image made = run_chain("encode --curve gamma2.2", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 128);
  ASSERT_TRUE(made.spec().color.tag);
  EXPECT_EQ(made.spec().color.tag->curve, CurveCode::power);
  EXPECT_EQ(made.spec().color.tag->gamma, 2.2f);
}

TEST(Encode, OfRawValuesTakesThemAsTheyAre) {
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::u8, 3), 0.2f);
  const Image made = run_chain("encode --curve srgb --raw", source, {.format = "png"});
  EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 124);  // 255 * 0.48453
}

}  // namespace
}  // namespace cuimg::test
