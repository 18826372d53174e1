// SPDX-License-Identifier: Apache-2.0
// Remap: with --raw exactly the texture unit's results, in every mode; maps of every kind.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "kernels/texture/texture_unit.h"
#include "stages/warp/remap.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

// Writes a file of coordinates with the test's channel names and type.
std::string write_map(const TempDir& folder, const Image& map, const char* name = "map.exr") {
  write_image(folder / name, map, *codec_named(name + std::string(name).rfind('.') + 1));
  return folder / name;
}

Spec coordinate_spec(const Rect& window, std::vector<std::string> channels = {"X", "Y"},
                     PixelType type = PixelType::f32) {
  Spec spec = spec_of(window, type, 1);
  spec.layers = {{"", std::move(channels), type}};
  return spec;
}

Image remapped(const std::string& map, const std::string& words, const Image& image) {
  return run_chain("remap --map " + map + " " + words, image);
}

// Coordinates far outside, on edges and centres, and special values. `size` is 1 for normalised
// coordinates.
Image wild_map(int width, int height, float size_x, float size_y) {
  std::mt19937 random(9);
  return image_of(coordinate_spec({0, 0, width, height}), [&](int, int x, int y, int c) -> float {
    if (y == 0) {
      const float special[] = {0.0f,
                               -0.0f,
                               std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity(),
                               1e30f,
                               -1e30f,
                               1e-40f};
      return special[(x + 3 * c) % 8];
    }
    const float size = c == 0 ? size_x : size_y;
    if (y == 1) return (static_cast<float>(x) * 0.5f - 4) / 8 * size;
    return (static_cast<float>(random() >> 8) * 0x1p-24f * 4 - 1.5f) * size;
  });
}

TEST(Remap, WarnsOfIntegersThatCountTexels) {
  const TempDir folder;
  const Spec input = spec_of({0, 0, 4, 3}, PixelType::half, 3);
  const std::string codes =
      write_map(folder, noise(spec_of({0, 0, 4, 3}, PixelType::u16, 3)), "map.png");
  EXPECT_EQ(warnings_of("remap --map " + codes, input),
            (std::vector<std::string>{
                "remap: the coordinates in " + codes +
                " are integers, read as 0 to 1: did you mean --coords normalized?"}));
  EXPECT_TRUE(warnings_of("remap --coords normalized --map " + codes, input).empty());
  const std::string floats = write_map(folder, noise(coordinate_spec({0, 0, 4, 3})));
  EXPECT_TRUE(warnings_of("remap --map " + floats, input).empty());
}

template <class T, int N>
void expect_texture_reads(const TempDir& folder, PixelType type) {
  const int width = 7, height = 5;
  const Image image = noise(spec_of({0, 0, width, height}, type, N));
  const Texture2D<T, N> texture{image.row(0, 0), image.row_bytes(0), width, height};
  const Address addresses[] = {Address::clamp, Address::wrap, Address::mirror, Address::border};
  const char* names[] = {"clamp", "wrap", "mirror", "border"};
  // In a grey picture a colour becomes its luminance, so this one is grey itself.
  constexpr std::array<float, 4> color =
      N < 3 ? std::array{0.25f, 0.25f, 0.25f, 1.0f} : std::array{0.25f, 0.5f, 0.75f, 1.0f};
  const std::string color_words =
      std::string(" --border-color ") + (N < 3 ? "0.25,0.25,0.25,1" : "0.25,0.5,0.75,1");
  for (const bool normalized : {false, true}) {
    const Image map = normalized ? wild_map(33, 9, 1, 1) : wild_map(33, 9, width, height);
    const std::string file = write_map(folder, map);
    for (int border = 0; border < 4; ++border)
      for (const Filter filter : {Filter::point, Filter::linear}) {
        const std::string words =
            std::string("--raw --coords ") + (normalized ? "normalized" : "pixel") + " --filter " +
            (filter == Filter::point ? "point" : "linear") + " --border " + names[border] +
            (addresses[border] == Address::border ? color_words : "");
        const Image result = remapped(file, words, image);
        Sampler sampler;
        for (Address& address : sampler.address) address = addresses[border];
        sampler.filter = filter;
        const bool divides = !normalized && (border == 1 || border == 2);
        sampler.normalized = normalized || divides;
        for (int c = 0; c < N; ++c)
          sampler.border[c] = color[static_cast<std::size_t>(N == 2 && c == 1 ? 3 : c)];
        for (int y = 0; y < 9; ++y)
          for (int x = 0; x < 33; ++x) {
            float at[2] = {value_at(map, x, y, 0), value_at(map, x, y, 1)};
            if (divides) at[0] /= width, at[1] /= height;
            const Pixel<N> expected = sample(texture, sampler, at[0], at[1]);
            for (int c = 0; c < N; ++c)
              ASSERT_EQ(std::bit_cast<std::uint32_t>(value_at(result, x, y, c)),
                        std::bit_cast<std::uint32_t>(expected.v[c]))
                  << name_of(type) << " " << words << " at " << at[0] << "," << at[1];
          }
      }
  }
}

TEST(Remap, RawReadsAreTheTextureUnitsInEveryMode) {
  const TempDir folder;
  expect_texture_reads<std::uint8_t, 4>(folder, PixelType::u8);
  expect_texture_reads<std::uint8_t, 3>(folder, PixelType::u8);
  expect_texture_reads<std::uint16_t, 1>(folder, PixelType::u16);
  expect_texture_reads<std::uint16_t, 4>(folder, PixelType::u16);
  expect_texture_reads<Half, 4>(folder, PixelType::half);
  expect_texture_reads<Half, 2>(folder, PixelType::half);
  expect_texture_reads<float, 3>(folder, PixelType::f32);
  expect_texture_reads<float, 2>(folder, PixelType::f32);
}

TEST(Remap, FindsItsCoordinatesByName) {
  const TempDir folder;
  const Image image = noise(spec_of({0, 0, 16, 16}, PixelType::f32, 3));
  const auto coordinates = [](int, int x, int y, int c) {
    return c == 0 ? static_cast<float>(x) + 2.5f : c == 1 ? static_cast<float>(y) + 3.5f : 99.0f;
  };
  for (const std::vector<std::string>& channels : {std::vector<std::string>{"X", "Y"},
                                                   {"U", "V"},
                                                   {"u", "v"},
                                                   {"R", "G"},
                                                   {"R", "G", "B"},
                                                   {"R", "G", "B", "A"}}) {
    const Image map = image_of(coordinate_spec({0, 0, 5, 4}, channels), coordinates);
    const Image result = remapped(write_map(folder, map), "", image);
    ASSERT_EQ(result.spec().data_window, (Rect{0, 0, 5, 4}));
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_EQ(value_at(result, x, y, c), value_at(image, x + 2, y + 3, c)) << channels[0];
  }
}

TEST(Remap, TakesMapsOfOtherTypesAndSizes) {
  const TempDir folder;
  const Image image = noise(spec_of({0, 0, 9, 9}, PixelType::f32, 1));
  // Halves represent these numbers exactly.
  const Image halves = image_of(
      coordinate_spec({0, 0, 40, 3}, {"X", "Y"}, PixelType::half), [](int, int x, int y, int c) {
        return (c == 0 ? static_cast<float>(x) / 4 : static_cast<float>(y)) + 0.5f;
      });
  const Image wide = remapped(write_map(folder, halves), "", image);
  ASSERT_EQ(wide.spec().data_window.width, 40);
  EXPECT_EQ(value_at(wide, 12, 2), value_at(image, 3, 2));
  EXPECT_EQ(value_at(wide, 39, 1), value_at(image, 8, 1));
  // Codes are fractions of 65535: 0 is the left edge, 65535 the right one.
  Spec codes = spec_of({0, 0, 3, 1}, PixelType::u16, 3);
  const Image corners = image_of(codes, [](int, int x, int, int c) {
    return c == 0 ? static_cast<float>(x) / 2 : c == 1 ? 1.0f : 0.0f;
  });
  const Image ends =
      remapped(write_map(folder, corners, "map.png"), "--coords normalized --filter point", image);
  EXPECT_EQ(value_at(ends, 0, 0), value_at(image, 0, 8));
  EXPECT_EQ(value_at(ends, 1, 0), value_at(image, 4, 8));
  EXPECT_EQ(value_at(ends, 2, 0), value_at(image, 8, 8));
}

TEST(Remap, AddressesTheDisplayWindow) {
  const TempDir folder;
  Spec spec = spec_of({2, 3, 4, 4}, PixelType::f32, 1);
  spec.display_window = {0, 0, 8, 8};
  const Image image = flat(spec, 5);
  const Image map = image_of(coordinate_spec({10, 20, 8, 8}), [](int, int x, int y, int c) {
    return static_cast<float>(c == 0 ? x - 10 : y - 20) + 0.5f;
  });
  const Image result = remapped(write_map(folder, map), "", image);
  ASSERT_EQ(result.spec().data_window, (Rect{10, 20, 8, 8}));
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      ASSERT_EQ(value_at(result, x + 10, y + 20),
                spec.data_window.contains({x, y, 1, 1}) ? 5.0f : 0.0f);
}

TEST(Remap, MixesLightUnlessRaw) {
  const TempDir folder;
  const Image image = image_of(spec_of({0, 0, 2, 1}, PixelType::u8, 3),
                               [](int, int x, int, int) { return static_cast<float>(x); });
  const Image map = flat(coordinate_spec({0, 0, 1, 1}), 1.0f);
  const std::string words = "remap --map " + write_map(folder, map);
  EXPECT_EQ(value_at<std::uint8_t>(run_chain(words, image, {.format = "png"}), 0, 0), 188);
  EXPECT_EQ(value_at<std::uint8_t>(run_chain(words + " --raw", image, {.format = "png"}), 0, 0),
            128);
}

TEST(Remap, PointCopiesTexelsWithTheirColoursUnderZeroAlpha) {
  const TempDir folder;
  const Image map = image_of(coordinate_spec({0, 0, 10, 6}), [](int, int x, int y, int c) {
    return static_cast<float>(c == 0 ? 7 - x : y) + 0.4f;
  });
  const std::string words = "remap --filter point --map " + write_map(folder, map);
  const auto texel = [](int x, int y, int c) {
    return c == 3 && x % 2 == 0 ? 0.0 : (3 * x + 5 * y + 7 * c) % 11 / 10.0;
  };
  for (const PixelType type : {PixelType::u8, PixelType::u16}) {
    const auto picture = [&](int width, const auto& value) {
      Spec spec = spec_of({0, 0, width, 6}, type, 4);
      spec.color = {Curve::srgb, 1.0f, false, {}};
      return image_of(spec, [&](int, int x, int y, int c) { return value(x, y, c); });
    };
    const double grey = type == PixelType::u8 ? 188 / 255.0 : 48192 / 65535.0;
    const Image wanted = picture(10, [&](int x, int y, int c) {
      return x < 8 ? texel(7 - x, y, c) : c == 3 ? 1.0 : grey;
    });
    EXPECT_TRUE(same_pixels(run_chain(words + " --border border --border-color 0.5,0.5,0.5,1",
                                      picture(8, texel), {.format = "png"}),
                            wanted))
        << name_of(type);
  }
}

TEST(Remap, IdsAreReadByPoint) {
  const TempDir folder;
  Spec spec = spec_of({0, 0, 6, 6}, PixelType::f32, 3);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = noise(spec);
  const Image map = image_of(coordinate_spec({0, 0, 6, 6}), [](int, int x, int y, int c) {
    return static_cast<float>(c == 0 ? 5 - x : y) + 0.9f;
  });
  const Image result = remapped(write_map(folder, map), "--filter linear", image);
  ASSERT_EQ(result.spec().layers[1].type, PixelType::u32);
  for (int x = 0; x < 6; ++x)
    EXPECT_EQ(value_at<std::uint32_t>(result, x, 2, 0, 1),
              value_at<std::uint32_t>(image, 5 - x, 2, 0, 1));
}

TEST(Remap, DepthIsLinearInPlaceOfCubicAndVectorsAreNoDepth) {
  const TempDir folder;
  Spec spec = spec_of({0, 0, 6, 6}, PixelType::f32, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"N", {"X", "Y", "Z"}, PixelType::f32});
  const Image image = noise(spec);
  const Image map = image_of(coordinate_spec({0, 0, 6, 6}), [](int, int x, int y, int c) {
    return static_cast<float>(c == 0 ? x : y) + 0.3f;
  });
  const std::string file = write_map(folder, map);
  const Image cubic = remapped(file, "--filter cubic", image);
  const Image linear = remapped(file, "--filter linear", image);
  EXPECT_NE(value_at(cubic, 3, 2, 0, 0), value_at(linear, 3, 2, 0, 0));
  EXPECT_EQ(value_at(cubic, 3, 2, 0, 1), value_at(linear, 3, 2, 0, 1));
  EXPECT_NE(value_at(cubic, 3, 2, 0, 2), value_at(linear, 3, 2, 0, 2));
}

TEST(Remap, CubicKeepsConstantsAndQuadratics) {
  const TempDir folder;
  const Image map = wild_map(20, 20, 16, 16);
  for (const char* border : {"clamp", "wrap", "mirror"}) {
    const Image image = flat(spec_of({0, 0, 16, 16}, PixelType::f32, 1), 0.7f);
    const Image result =
        remapped(write_map(folder, map), std::string("--filter cubic --border ") + border, image);
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 20; ++x) ASSERT_NEAR(value_at(result, x, y), 0.7f, 3e-7) << border;
  }
  // Keys' curve with a = -1/2 reproduces polynomials of the second degree.
  const auto polynomial = [](double x, double y) {
    return 0.1 * x * x - 0.2 * x * y + 0.05 * y * y + x - 3;
  };
  const Image image =
      image_of(spec_of({0, 0, 16, 16}, PixelType::f32, 1),
               [&](int, int x, int y, int) { return polynomial(x + 0.5, y + 0.5); });
  std::mt19937 random(4);
  const Image inside = image_of(coordinate_spec({0, 0, 20, 20}), [&](int, int, int, int) {
    return 2.5f + static_cast<float>(random() >> 8) * 0x1p-24f * 11;
  });
  const Image result = remapped(write_map(folder, inside), "--filter cubic", image);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x)
      ASSERT_NEAR(value_at(result, x, y),
                  polynomial(value_at(inside, x, y, 0), value_at(inside, x, y, 1)), 3e-5);
}

TEST(Remap, CubicReadsNoTexelWithoutWeight) {
  const TempDir folder;
  Image image = noise(spec_of({0, 0, 8, 8}, PixelType::f32, 1));
  reinterpret_cast<float*>(image.row(0, 4))[4] = std::numeric_limits<float>::quiet_NaN();
  const Image map = image_of(coordinate_spec({0, 0, 8, 8}), [](int, int x, int y, int c) {
    return static_cast<float>(c == 0 ? x : y) + 0.5f;
  });
  for (const char* filter : {"cubic", "linear", "point"}) {
    const Image result = remapped(write_map(folder, map), std::string("--filter ") + filter, image);
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
        EXPECT_TRUE(x == 4 && y == 4 ? std::isnan(value_at(result, x, y))
                                     : value_at(result, x, y) == value_at(image, x, y))
            << filter << " at " << x << "," << y;
  }
}

TEST(Remap, BandsAndThreadsChangeNothing) {
  const TempDir folder;
  const Image image = noise(spec_of({0, 0, 30, 20}, PixelType::half, 4));
  const std::string map = write_map(folder, wild_map(50, 130, 30, 20));
  for (const char* filter : {"point", "linear", "cubic"}) {
    const std::string words =
        "resize --size 80% + remap --border mirror --map " + map + " --filter " + filter;
    const Image whole = run_chain(words, image, {.whole = true});
    for (const int threads : {1, 2, 5})
      ASSERT_TRUE(same_pixels(run_chain(words, image, {.threads = threads}), whole)) << filter;
  }
}

std::string error_of(const std::string& words) {
  try {
    run_chain(words, noise(spec_of({0, 0, 4, 4}, PixelType::f32, 3)));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Remap, SaysWhatIsWrongWithItsMap) {
  const TempDir folder;
  EXPECT_EQ(error_of("remap"), "remap: --map is missing: name an image of coordinates");
  const std::string one = write_map(folder, flat(coordinate_spec({0, 0, 2, 2}, {"Y"}), 1));
  EXPECT_EQ(error_of("remap --map " + one),
            "remap: --map " + one + " has one channel: x and y need two");
  EXPECT_EQ(error_of("remap --map " + (folder / "none.exr")),
            (folder / "none.exr") + ": no such file");
}

}  // namespace
}  // namespace cuimg::test
