// SPDX-License-Identifier: Apache-2.0
// False colours: the maps' own entries, interpolation between them, and how they are stored.
#include <limits>

#include "base/error.h"
#include "image/named_primaries.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

std::vector<float> mapped(const std::string& words, const std::vector<float>& values,
                          const ChainOptions& options = {}) {
  const Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, static_cast<int>(values.size()));
  const Image made = run_chain(
      "colormap " + words,
      image_of(spec, [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; }),
      options);
  std::vector<float> result;
  for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
    result.push_back(value_at(made, 0, 0, c));
  return result;
}

TEST(Colormap, HasMatplotlibsColours) {
  struct Map {
    std::string name;
    std::vector<float> first, entry_128, last;
  };
  const Map maps[] = {{"magma",
                       {0.001462f, 0.000466f, 0.013866f},
                       {0.716387f, 0.214982f, 0.47529f},
                       {0.987053f, 0.991438f, 0.749504f}},
                      {"inferno",
                       {0.001462f, 0.000466f, 0.013866f},
                       {0.735683f, 0.215906f, 0.330245f},
                       {0.988362f, 0.998364f, 0.644924f}},
                      {"plasma",
                       {0.050383f, 0.029803f, 0.527975f},
                       {0.798216f, 0.280197f, 0.469538f},
                       {0.940015f, 0.975158f, 0.131326f}},
                      {"viridis",
                       {0.267004f, 0.004874f, 0.329415f},
                       {0.127568f, 0.566949f, 0.550556f},
                       {0.993248f, 0.906157f, 0.143936f}},
                      {"turbo",
                       {0.18995f, 0.07176f, 0.23217f},
                       {0.64362f, 0.98999f, 0.23356f},
                       {0.4796f, 0.01583f, 0.01055f}}};
  for (const Map& map : maps) {
    const std::string words = "--max 255 --map " + map.name;
    EXPECT_EQ(mapped(words, {0}), map.first) << map.name;
    EXPECT_EQ(mapped(words, {128}), map.entry_128) << map.name;
    EXPECT_EQ(mapped(words, {255}), map.last) << map.name;
  }
  EXPECT_EQ(mapped("--max 255", {128}), maps[3].entry_128);
}

TEST(Colormap, LimitsChooseTheEndsAndMayBeTurnedRound) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto first = mapped("", {0}), last = mapped("", {1});
  EXPECT_EQ(mapped("--min 2 --max 4", {2}), first);
  EXPECT_EQ(mapped("--min 2 --max 4", {-infinity}), first);
  EXPECT_EQ(mapped("--min 2 --max 4", {4}), last);
  EXPECT_EQ(mapped("--min 2 --max 4", {infinity}), last);
  EXPECT_EQ(mapped("--min 4 --max 2", {2}), last);
  EXPECT_EQ(mapped("--min 4 --max 2", {9}), first);
  EXPECT_THROW(mapped("--min 3 --max 3", {0}), Error);
  for (const float v : mapped("", {std::numeric_limits<float>::quiet_NaN()}))
    EXPECT_EQ(std::bit_cast<std::uint32_t>(v), 0x7fc00000u);
}

TEST(Colormap, IsLinearBetweenTwoColours) {
  const auto a = mapped("--max 255", {100}), b = mapped("--max 255", {101}),
             between = mapped("--max 255", {100.25f});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(between[c], 0.75f * a[c] + 0.25f * b[c], 1e-7);
}

TEST(Colormap, TakesTheLuminanceOfColours) {
  const auto grey = mapped("", {0.2126f * 0.5f + 0.7152f * 0.25f + 0.0722f});
  const auto made = mapped("", {0.5f, 0.25f, 1});
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(made[c], grey[c], 1e-5);
}

TEST(Colormap, AlphaStaysAndTheValueIsNotPremultiplied) {
  std::vector<float> expected = mapped("", {0.5f});
  expected.push_back(0.25f);
  EXPECT_EQ(mapped("", {0.125f, 0.25f}), expected);
  const auto rgba = mapped("", {0.125f, 0.125f, 0.125f, 0.25f});
  for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(rgba[c], expected[c], 1e-5);
}

TEST(Colormap, CodesChooseColoursThatAnIntegerFileStoresAsTheyAre) {
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::u8, 1), 128 / 255.0f);
  const Image png = run_chain("colormap", source, {.format = "png", .type = PixelType::u8});
  ASSERT_EQ(png.spec().layers[0].channel_count(), 3);
  EXPECT_EQ(std::to_integer<int>(png.row(0, 0)[0]), 33);   // 0.127568
  EXPECT_EQ(std::to_integer<int>(png.row(0, 0)[1]), 145);  // 0.566949
  EXPECT_EQ(std::to_integer<int>(png.row(0, 0)[2]), 140);  // 0.550556
  // An EXR contains the colour's light.
  const Image exr = run_chain("colormap", source, {.format = "exr", .type = PixelType::f32});
  EXPECT_NEAR(value_at(exr, 0, 0, 1), std::pow((0.566949 + 0.055) / 1.055, 2.4), 1e-6);
}

TEST(Colormap, DepthBecomesALayerOfColourNextToThePicture) {
  Spec spec = spec_of({0, 0, 3, 3}, PixelType::half, 4);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  const Image source = image_of(
      spec, [](int l, int x, int y, int c) { return l == 1 ? 7 : 0.37f * (x + 3 * y + c); });
  const Image made = run_chain("colormap --min 7 --max 8 --layers Z", source, {.format = "exr"});
  ASSERT_EQ(made.spec().layers.size(), 2u);
  EXPECT_EQ(made.spec().layers[1].full_name(2), "Z.B");
  for (int y = 0; y < 3; ++y)
    EXPECT_EQ(std::memcmp(made.row(0, y), source.row(0, y), made.row_bytes(0)), 0);
  EXPECT_NEAR(value_at(made, 1, 1, 0, 1), std::pow((0.267004 + 0.055) / 1.055, 2.4), 1e-6);
}

TEST(Colormap, DepthsColoursHaveTheFilesPrimaries) {
  Spec spec = spec_of({0, 0, 2, 2}, PixelType::f32, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  const auto colors = [&](const Spec& of, const std::string& more) {
    const Image source = image_of(of, [](int, int x, int y, int) { return 0.3f * (x + y); });
    const Image made = run_chain("colormap --layers Z" + more, source, {.format = "exr"});
    std::vector<float> values;
    for (int c = 0; c < 3; ++c) values.push_back(value_at(made, 1, 1, c, 1));
    return values;
  };
  Spec in_ap0 = spec;
  for (const NamedPrimaries& set : named_primaries())
    if (std::string(set.name) == "ap0") in_ap0.color.primaries = set.space;
  const std::vector<float> rec709 = colors(spec, "");
  const std::vector<float> converted = colors(spec, " + primaries --to ap0");
  const std::vector<float> ap0 = colors(in_ap0, "");
  EXPECT_NE(ap0, rec709);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(ap0[c], converted[c], 1e-6);
}

}  // namespace
}  // namespace cuimg::test
