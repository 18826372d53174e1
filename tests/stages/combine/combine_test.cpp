// SPDX-License-Identifier: Apache-2.0
// Combining two images: known values, edges, alpha, and which layers are combined.
#include <limits>

#include "base/error.h"
#include "stages/combine/combine_fixture.h"

namespace cuimg::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// The table of Porter and Duff 1984 at alphas of a half and a quarter, where floats are exact.
TEST_F(Combine, PorterDuffOperatorsGiveTheFormulasOfThePaper) {
  const Values p = {0.25f, 0.125f, 0, 0.5f}, f = {0.125f, 0, 0.25f, 0.25f};
  const auto mixed = [&](float of_f, float of_p) {
    Values v;
    for (std::size_t c = 0; c < 4; ++c) v.push_back(f[c] * of_f + p[c] * of_p);
    return v;
  };
  EXPECT_EQ(combined("over", p, f), mixed(1, 0.75f));
  EXPECT_EQ(combined("dest-over", p, f), mixed(0.5f, 1));
  EXPECT_EQ(combined("in", p, f), mixed(0.5f, 0));
  EXPECT_EQ(combined("dest-in", p, f), mixed(0, 0.25f));
  EXPECT_EQ(combined("out", p, f), mixed(0.5f, 0));
  EXPECT_EQ(combined("dest-out", p, f), mixed(0, 0.75f));
  EXPECT_EQ(combined("atop", p, f), mixed(0.5f, 0.75f));
  EXPECT_EQ(combined("dest-atop", p, f), mixed(0.5f, 0.25f));
  EXPECT_EQ(combined("xor", p, f), mixed(0.5f, 0.75f));
}

TEST_F(Combine, OperatorsDistinguishInsideFromOutside) {
  const Values p = {1, 1, 1, 1}, f = {0.5f, 0, 0, 0.5f};
  EXPECT_EQ(combined("in", p, f), f);
  EXPECT_EQ(combined("out", p, f), (Values{0, 0, 0, 0}));
  EXPECT_EQ(combined("xor", p, f), (Values{0.5f, 0.5f, 0.5f, 0.5f}));
  EXPECT_EQ(combined("dest-atop", p, f), (Values{0.5f, 0.5f, 0.5f, 0.5f}));
}

TEST_F(Combine, AnOpaquePictureStaysOpaque) {
  Image second = noise(spec_of({0, 0, 64, 64}, PixelType::f32, 4), 5);
  Image first = noise(spec_of({0, 0, 64, 64}, PixelType::f32, 4), 6);
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) reinterpret_cast<float*>(first.row(0, y))[4 * x + 3] = 1;
  const std::string file = write("second.exr", second);
  for (const std::string name : {"over", "dest-over", "atop"}) {
    const Image made = run_chain(name + " --with " + file, first);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) ASSERT_EQ(value_at(made, x, y, 3), 1) << name;
  }
}

TEST_F(Combine, APictureWithoutAlphaIsTransparentWhereItHasNoPixels) {
  const std::string file = write("second.exr", flat(spec_of({0, 0, 20, 10}, PixelType::f32, 3), 2));
  Spec spec = spec_of({5, 3, 4, 4}, PixelType::f32, 3);
  spec.display_window = {0, 0, 20, 10};
  const Image below = run_chain("dest-over --with " + file, flat(spec, 1));
  const Image atop = run_chain("atop --with " + file, flat(spec, 1));
  EXPECT_EQ(std::pair(value_at(below, 6, 4), value_at(below, 0, 0)), (std::pair{1.0f, 2.0f}));
  EXPECT_EQ(value_at(atop, 6, 4), 2);
  EXPECT_TRUE(atop.spec().data_window == spec.data_window || value_at(atop, 0, 0) == 0);
}

TEST_F(Combine, WhatIsCoveredLeavesNothingThoughItBeInfinite) {
  EXPECT_EQ(combined("over", {infinity, 2, 3, 1}, {1, 1, 1, 1}), (Values{1, 1, 1, 1}));
  EXPECT_EQ(combined("mix --amount 1", {infinity, 2, 3, 1}, {1, 1, 1, 1}), (Values{1, 1, 1, 1}));
  EXPECT_EQ(combined("mix --amount 0", {4, 2, 3, 1}, {infinity, 1, 1, 1}), (Values{4, 2, 3, 1}));
}

TEST_F(Combine, AnImageWithoutAlphaIsOpaqueWhereItHasPixelsAlone) {
  const std::string file =
      write("second.exr", flat(spec_of({2, 2, 3, 3}, PixelType::f32, 3), 0.5f));
  const Image made =
      run_chain("over --with " + file, flat(spec_of({0, 0, 9, 9}, PixelType::f32, 3), 1));
  EXPECT_EQ(at(made, 3, 3), (Values{0.5f, 0.5f, 0.5f}));
  EXPECT_EQ(at(made, 8, 3), (Values{1, 1, 1}));
  const Image shaped =
      run_chain("dest-in --with " + file, flat(spec_of({0, 0, 9, 9}, PixelType::f32, 3), 1));
  EXPECT_EQ(at(shaped, 3, 3), (Values{1, 1, 1, 1}));
  EXPECT_EQ(at(shaped, 8, 3), (Values{0, 0, 0, 0}));
}

TEST_F(Combine, WhatScalesGivesThePictureTheSecondImagesAlpha) {
  const Values p = {0.5f, 0.25f, 0}, f = {0.25f, 0.5f, 0, 0.5f};
  for (const std::string raw : {"", " --raw"}) {
    EXPECT_EQ(combined("mix --amount 1" + raw, p, f), f);
    EXPECT_EQ(combined("mix --amount 0.5" + raw, p, f), (Values{0.375f, 0.375f, 0, 0.75f}));
    EXPECT_EQ(combined("mul" + raw, p, f), (Values{0.125f, 0.125f, 0, 0.5f}));
    EXPECT_EQ(combined("min" + raw, p, f), (Values{0.25f, 0.25f, 0, 0.5f}));
    EXPECT_EQ(combined("mul" + raw, {0.5f}, {0.25f, 0.5f}), (Values{0.125f, 0.5f}));
    for (const std::string opaque : {"add", "sub", "max", "div"})
      EXPECT_EQ(combined(opaque + raw, p, f).size(), 3u) << opaque;
    EXPECT_EQ(combined("absdiff" + raw, p, f), (Values{0.25f, 0.25f, 0, 0.5f}));
    EXPECT_EQ(combined("mix" + raw, p, {1, 1, 1}).size(), 3u);
  }
}

TEST_F(Combine, GreyWithColourBecomesColour) {
  const std::string file = write("second.exr", pixel({0.5f, 0, 0, 0.5f}));
  const Image made = run_chain("over --with " + file, pixel({1}));
  EXPECT_EQ(made.spec().layers[0].channels, (std::vector<std::string>{"R", "G", "B"}));
  EXPECT_EQ(at(made, 0, 0), (Values{1, 0.5f, 0.5f}));
  const std::string grey = write("grey.exr", pixel({0.5f}));
  EXPECT_EQ(at(run_chain("over --with " + grey, pixel({1})), 0, 0), (Values{0.5f}));
  EXPECT_EQ(at(run_chain("add --with " + grey, pixel({1, 2, 3})), 0, 0),
            (Values{1.5f, 2.5f, 3.5f}));
}

TEST_F(Combine, WarnsOfLayersThatTheAlphaOfAnotherCovers) {
  Spec spec = spec_of({0, 0, 3, 2}, PixelType::half, 4);
  spec.layers.push_back({"diffuse", {"R", "G", "B"}, PixelType::half});
  const Image image = noise(spec);
  const std::string file = write("second.exr", image);
  const auto warnings = [&](const std::string& words) { return warnings_of(words, image.spec()); };
  EXPECT_EQ(warnings("over --with " + file),
            (std::vector<std::string>{"over: layers without an alpha of their own count as opaque: "
                                      "diffuse; choose others with --layers"}));
  EXPECT_EQ(warnings("dest-over --with " + file).size(), 1u);
  EXPECT_EQ(warnings("add --with " + file), std::vector<std::string>{});
  const std::string plain = write("plain.exr", noise(spec_of({0, 0, 3, 2}, PixelType::half, 4)));
  EXPECT_EQ(warnings("over --with " + plain), std::vector<std::string>{});
}

TEST_F(Combine, LayersMeetByNameAndIdsAndDepthStay) {
  Spec spec = spec_of({0, 0, 3, 2}, PixelType::f32, 3);
  spec.layers.push_back({"diffuse", {"R", "G", "B"}, PixelType::half});
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const auto layer_value = [](int l, int, int, int) { return static_cast<float>(l + 1); };
  const std::string file = write("second.exr", image_of(spec, layer_value));
  const Image first = image_of(spec, layer_value);
  const Image made = run_chain("add --with " + file, first);
  ASSERT_EQ(made.spec().layers.size(), 4u);
  EXPECT_EQ(value_at(made, 1, 1, 0, 0), 2);
  EXPECT_EQ(value_at(made, 1, 1, 0, 1), 4);
  EXPECT_EQ(value_at(made, 1, 1, 0, 2), 3);
  EXPECT_EQ(value_at<std::uint32_t>(made, 1, 1, 0, 3), 4u);
  EXPECT_EQ(value_at(run_chain("add --layers Z --with " + file, first), 1, 1, 0, 2), 6);
  const std::string plain = write("plain.exr", flat(spec_of({0, 0, 3, 2}, PixelType::f32, 3), 1));
  EXPECT_THROW(run_chain("add --layers Z --with " + plain, first), Error);
}

TEST_F(Combine, AGreyLayerNextToTheColorsMeetsTheGreyOne) {
  Spec spec = spec_of({0, 0, 3, 2}, PixelType::f32, 3);
  spec.layers.push_back({"", {"Y"}, PixelType::f32});
  const auto layer_value = [](int l, int, int, int) { return static_cast<float>(l + 1); };
  const std::string file = write("second.exr", image_of(spec, layer_value));
  const Image made = run_chain("add --with " + file, image_of(spec, layer_value));
  ASSERT_EQ(made.spec().layers.size(), 2u);
  EXPECT_EQ(made.spec().layers[1].channels, std::vector<std::string>{"Y"});
  EXPECT_EQ(value_at(made, 1, 1, 0, 0), 2);
  EXPECT_EQ(value_at(made, 1, 1, 0, 1), 4);
}

TEST_F(Combine, ArithmeticIsExactAndTreatsAlphaAsCoverage) {
  const Values a = {0.5f, 3, -1, 0.75f}, b = {0.25f, -2, 0, 0.5f};
  EXPECT_EQ(combined("add", a, b), (Values{0.75f, 1, -1, 1}));
  EXPECT_EQ(combined("sub", a, b), (Values{0.25f, 5, -1, 0.75f}));
  EXPECT_EQ(combined("mul", a, b), (Values{0.125f, -6, 0, 0.375f}));
  EXPECT_EQ(combined("div", a, b), (Values{2, -1.5f, 0, 1.5f}));
  EXPECT_EQ(combined("min", a, b), (Values{0.25f, -2, -1, 0.5f}));
  EXPECT_EQ(combined("max", a, b), (Values{0.5f, 3, 0, 0.75f}));
  EXPECT_EQ(combined("absdiff", b, a), (Values{0.25f, 5, 1, 0.25f}));
  EXPECT_EQ(combined("mix --amount 0.25", a, b), (Values{0.4375f, 1.75f, -0.75f, 0.6875f}));
  EXPECT_EQ(combined("mix --amount 0.25,1,0", a, b), (Values{0.4375f, b[1], a[2], a[3]}));
  EXPECT_EQ(combined("mix --amount 0,0,0,1", a, b), (Values{a[0], a[1], a[2], b[3]}));
  EXPECT_THROW(combined("mix --amount 0.25,1", a, b), Error);
  EXPECT_EQ(combined("add --raw", a, b), (Values{0.75f, 1, -1, 1.25f}));
  EXPECT_EQ(combined("absdiff --raw", b, a), (Values{0.25f, 5, 1, 0.25f}));
}

TEST_F(Combine, WithEncodedValuesAFilesCountAsItStoresThem) {
  Spec spec = spec_of({0, 0, 1, 1}, PixelType::u8, 3);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  const std::string file = write("codes.png", flat(spec, 118 / 255.0f));
  const Image light = pixel({0.01f, 0.01f, 0.01f});
  for (const char* words : {"over --with ", "max --with ", "mix --amount 1 --with "}) {
    const Image made = run_chain("encode --curve srgb + " + (words + file), light,
                                 {.format = "png", .type = PixelType::u8});
    EXPECT_EQ(std::to_integer<int>(made.row(0, 0)[0]), 118) << words;
  }
  const Image row = run_chain("encode --curve srgb + append --with " + file, light,
                              {.format = "png", .type = PixelType::u8});
  const std::byte* last = row.row(0, 0) + row.row_bytes(0) - 1;
  EXPECT_EQ(std::to_integer<int>(*last), 118);
}

TEST_F(Combine, ValuesActOnColourAndOnAlphaWhenItHasOne) {
  const Image a = pixel({0.5f, 3, -1, 0.75f});
  const auto made = [&](const std::string& words) { return at(run_chain(words, a), 0, 0); };
  EXPECT_EQ(made("add --value 1"), (Values{1.5f, 4, 0, 0.75f}));
  EXPECT_EQ(made("add --value 1,2,3,0.25"), (Values{1.5f, 5, 2, 1}));
  EXPECT_EQ(made("sub --value 1"), (Values{-0.5f, 2, -2, 0.75f}));
  EXPECT_EQ(made("mul --value 2"), (Values{1, 6, -2, 0.75f}));
  EXPECT_EQ(made("div --value 2,4,0"), (Values{0.25f, 0.75f, 0, 0.75f}));
  EXPECT_EQ(made("min --value 0"), (Values{0, 0, -1, 0.75f}));
  EXPECT_EQ(made("max --value 0"), (Values{0.5f, 3, 0, 0.75f}));
  EXPECT_EQ(made("absdiff --value 1"), (Values{0.5f, 2, 2, 0.75f}));
  const Plan plan = plan_of(parse_chain("add --value 1 + min --value 1 + div --value 3"), a.spec());
  EXPECT_EQ(plan.steps.size(), 1u);
}

TEST_F(Combine, MinAndMaxIgnoreNanAndKnowZerosSign) {
  const float nan = std::bit_cast<float>(0xffc12345u);
  EXPECT_EQ(combined("min --raw", {nan, 0, -infinity, 1}, {2, -0.0f, 1, 1})[0], 2);
  EXPECT_TRUE(std::signbit(combined("min --raw", {1, 0.0f, 1}, {2, -0.0f, 1})[1]));
  EXPECT_FALSE(std::signbit(combined("max --raw", {1, -0.0f, 1}, {2, 0.0f, 1})[1]));
  const Values both = combined("max --raw", {nan}, {nan});
  EXPECT_EQ(std::bit_cast<std::uint32_t>(both[0]), 0x7fc00000u);
}

TEST_F(Combine, ExactlyOneOfValueAndWithIsTaken) {
  const std::string file = write("second.exr", pixel({1}));
  EXPECT_THROW(run_chain("add", pixel({1})), Error);
  EXPECT_THROW(run_chain("add --value 1 --with " + file, pixel({1})), Error);
  EXPECT_THROW(run_chain("over", pixel({1})), Error);
  EXPECT_THROW(run_chain("over --with " + (folder_ / "absent.exr"), pixel({1})), Error);
}

TEST_F(Combine, AMaskIsCoverageAsStored) {
  // 8-bit sRGB grey of 51 is a fifth as coverage; as light it would be 0.033.
  Spec grey = spec_of({0, 0, 1, 1}, PixelType::u8, 1);
  write_image(folder_ / "mask.png", flat(grey, 0.2f), *codec_named("png"));
  const std::string with = " --with " + (folder_ / "mask.png");
  EXPECT_EQ(at(run_chain("mask" + with, pixel({1, 2, 4, 1})), 0, 0),
            (Values{0.2f, 0.4f, 0.8f, 0.2f}));
  const Values rest = at(run_chain("mask --invert" + with, pixel({1, 2, 4, 1})), 0, 0);
  EXPECT_EQ(rest, (Values{1 - 0.2f, 2 * (1 - 0.2f), 4 * (1 - 0.2f), 1 - 0.2f}));
  EXPECT_THROW(run_chain("mask --channel alpha" + with, pixel({1})), Error);
}

TEST_F(Combine, AMaskMayBeAnAlphaAndIsZeroWhereItHasNoPixels) {
  const std::string file = write("mask.exr", pixel({0.25f, 0.25f, 0.25f, 0.5f}));
  EXPECT_EQ(at(run_chain("mask --channel alpha --with " + file, pixel({1, 1, 1})), 0, 0),
            (Values{0.5f, 0.5f, 0.5f}));
  const Image wide = flat(spec_of({0, 0, 3, 1}, PixelType::f32, 3), infinity);
  EXPECT_EQ(value_at(run_chain("mask --at 0,0 --with " + file, wide), 2, 0), 0);
  EXPECT_EQ(value_at(run_chain("mask --at 2,0 --invert --with " + file, wide), 1, 0), infinity);
}

TEST_F(Combine, AMaskIsTheFilesAlphaOrPictureAndNeverIdsOrVectors) {
  const auto file = [&](const std::string& name, std::vector<LayerSpec> layers) {
    Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, 1);
    spec.layers = std::move(layers);
    return write(name, image_of(spec, [](int l, int, int, int c) {
                   return static_cast<float>(l + 1) / 4 + static_cast<float>(c) / 16;
                 }));
  };
  const auto masked = [&](const std::string& options, const std::string& with) {
    return at(run_chain("mask " + options + " --with " + with, pixel({1, 1, 1})), 0, 0);
  };
  const auto refusal = [&](const std::string& options, const std::string& with) -> std::string {
    try {
      masked(options, with);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const LayerSpec depth = {"", {"Z"}, PixelType::f32}, alpha = {"", {"A"}, PixelType::half};
  const LayerSpec id = {"", {"id"}, PixelType::u32}, normal = {"N", {"X", "Y"}, PixelType::f32};
  const LayerSpec grey = {"", {"Y"}, PixelType::f32};
  const std::string apart = file("apart.exr", {depth, alpha});
  const int at_alpha = read_image(apart).spec().find_channel("A")->layer;
  EXPECT_EQ(masked("--channel alpha", apart),
            Values(3, static_cast<float>(at_alpha == 1 ? 2 : 1) / 4));
  EXPECT_TRUE(has(refusal("", apart), "has several channels and no picture"));
  EXPECT_EQ(masked("", file("depth.exr", {depth})), Values(3, 0.25f));
  EXPECT_EQ(masked("", file("picture.exr", {grey, depth, id})), Values(3, 0.25f));
  EXPECT_TRUE(has(refusal("", file("id.exr", {id})), "has no luminance"));
  EXPECT_TRUE(has(refusal("", file("normal.exr", {normal})), "has no luminance"));
  EXPECT_TRUE(has(refusal("--channel alpha", file("depth.exr", {depth})), "has no alpha"));
}

TEST_F(Combine, EqualInfinitiesDifferByNothingAndNanStays) {
  const float nan = std::bit_cast<float>(0x7fc00000u);
  for (const std::string raw : {"", " --raw"}) {
    EXPECT_EQ(combined("absdiff" + raw, {infinity, -infinity, infinity}, {infinity, -infinity, 1}),
              (Values{0, 0, infinity}));
    EXPECT_EQ(combined("absdiff" + raw, {infinity, -infinity, 2}, {-infinity, infinity, infinity}),
              (Values{infinity, infinity, infinity}));
    EXPECT_EQ(combined("sub" + raw, {infinity, -infinity, 1}, {infinity, -infinity, infinity}),
              (Values{0, 0, -infinity}));
    const Values numbers = combined("absdiff" + raw, {nan, 1, nan}, {1, nan, nan});
    for (const float v : numbers) EXPECT_TRUE(std::isnan(v));
  }
}

// The codes of one-pixel PNGs before and after the stage.
class Differences : public Combine {
 protected:
  template <class Code>
  std::vector<int> codes(const std::vector<Code>& first, const std::vector<Code>& second) const {
    for (const auto& [name, values] : {std::pair{"a.png", first}, {"b.png", second}}) {
      const PixelType type = sizeof(Code) == 1 ? PixelType::u8 : PixelType::u16;
      Image image(spec_of({0, 0, 1, 1}, type, static_cast<int>(values.size())));
      std::memcpy(image.row(0, 0), values.data(), sizeof(Code) * values.size());
      write(name, image);
    }
    const Outcome outcome = run({CUIMG_PROGRAM, "absdiff", "--with", folder_ / "b.png",
                                 folder_ / "a.png", folder_ / "o.png"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const Image made = read_image(folder_ / "o.png");
    std::vector<Code> result(static_cast<std::size_t>(made.spec().layers[0].channel_count()));
    std::memcpy(result.data(), made.row(0, 0), sizeof(Code) * result.size());
    return {result.begin(), result.end()};
  }
};

TEST_F(Differences, OfAlphaLieInAlphaAndOfColourInColour) {
  using Bytes = std::vector<std::uint8_t>;
  using Shorts = std::vector<std::uint16_t>;
  using Codes = std::vector<int>;
  EXPECT_EQ(codes(Bytes{200, 100, 50, 255}, Bytes{200, 100, 50, 128}), (Codes{0, 0, 0, 127}));
  EXPECT_EQ(codes(Bytes{200, 100, 50, 255}, Bytes{200, 100, 50, 255}), (Codes{0, 0, 0, 0}));
  EXPECT_EQ(codes(Shorts{60000, 1, 2, 3}, Shorts{60000, 1, 2, 50003}), (Codes{0, 0, 0, 50000}));
  // Colours as for opaque pictures, whatever the alphas are.
  const Codes colors = codes(Bytes{200, 100, 50}, Bytes{100, 120, 50});
  for (const int alpha : {255, 128, 1}) {
    const auto a = static_cast<std::uint8_t>(alpha);
    EXPECT_EQ(codes(Bytes{200, 100, 50, a}, Bytes{100, 120, 50, 1}),
              (Codes{colors[0], colors[1], colors[2], alpha - 1}));
  }
  // A picture without alpha is opaque.
  EXPECT_EQ(codes(Bytes{200, 100, 50}, Bytes{200, 100, 50, 100}), (Codes{0, 0, 0, 155}));
}

}  // namespace
}  // namespace cuimg::test
