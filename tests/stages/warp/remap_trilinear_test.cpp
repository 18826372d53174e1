// SPDX-License-Identifier: Apache-2.0
// Remap between the levels of a mipmapped texture.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Remaps pictures with a map that the test makes.
class RemapTrilinear : public testing::Test {
 protected:
  /// @param place takes (int x, int y) and returns x and y in the picture.
  template <class Place>
  void make_map(int width, int height, const Place& place) {
    Spec spec = spec_of({0, 0, width, height}, PixelType::f32, 1);
    spec.layers = {{"", {"X", "Y"}, PixelType::f32}};
    const Image map = image_of(spec, [&](int, int x, int y, int c) {
      return place(static_cast<float>(x), static_cast<float>(y))[static_cast<std::size_t>(c)];
    });
    write_image(path(), map, *codec_named("exr"));
  }
  Image remapped(const Image& image, const std::string& words) const {
    return run_chain("remap --map " + path() + " " + words, image);
  }

 private:
  std::string path() const { return folder_ / "map.exr"; }
  TempDir folder_;
};

using Place = std::array<float, 2>;

Image whole_numbers(int width, int height) {
  return image_of(spec_of({0, 0, width, height}, PixelType::f32, 1),
                  [](int, int x, int y, int) { return (x * 37 + y * 101) % 256; });
}

TEST_F(RemapTrilinear, IsLinearWhereNothingShrinks) {
  make_map(61, 47, [](float x, float y) {
    return Place{0.7f * x - 0.2f * y + 3.3f, 0.15f * x + 0.8f * y - 2.1f};
  });
  const Image image = noise(spec_of({0, 0, 50, 40}, PixelType::f32, 4));
  for (const std::string border : {"clamp", "border --border-color 0.1,0.2,0.3,1"}) {
    const std::string words = "--border " + border + " --filter ";
    EXPECT_TRUE(
        same_pixels(remapped(image, words + "trilinear"), remapped(image, words + "linear")))
        << border;
  }
}

TEST_F(RemapTrilinear, HalfASizeIsTheMeanOfFourTexels) {
  const Image image = whole_numbers(64, 32);
  const auto expect_means = [&](const Image& made) {
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 32; ++x) {
        const float sum = value_at(image, 2 * x, 2 * y) + value_at(image, 2 * x + 1, 2 * y) +
                          value_at(image, 2 * x, 2 * y + 1) + value_at(image, 2 * x + 1, 2 * y + 1);
        ASSERT_EQ(value_at(made, x, y), sum / 4) << x << "," << y;
      }
  };
  make_map(32, 16, [](float x, float y) { return Place{2 * x + 1, 2 * y + 1}; });
  for (const std::string border : {"clamp", "wrap", "mirror", "border"})
    expect_means(remapped(image, "--filter trilinear --border " + border));
  make_map(32, 16, [](float x, float y) { return Place{(x + 0.5f) / 32, (y + 0.5f) / 16}; });
  expect_means(remapped(image, "--filter trilinear --coords normalized"));
}

TEST_F(RemapTrilinear, GivesWhatAWarpOfTheSamePlacesGives) {
  const Image image = noise(spec_of({0, 0, 96, 64}, PixelType::half, 4));
  make_map(24, 16, [](float x, float y) { return Place{4 * (x + 0.5f), 4 * (y + 0.5f)}; });
  for (const std::string border : {"clamp", "wrap", "mirror", "border"})
    EXPECT_TRUE(
        same_pixels(remapped(image, "--filter trilinear --border " + border),
                    run_chain("affine --matrix 0.25,0,0,0.25,0,0 --filter trilinear --border " +
                                  border + " + crop --region 24x16+0+0",
                              image)))
        << border;
}

TEST_F(RemapTrilinear, AFineGridTurnsGrey) {
  const Image grid = image_of(spec_of({0, 0, 256, 256}, PixelType::f32, 1),
                              [](int, int x, int y, int) { return (x + y) % 2; });
  make_map(40, 40, [](float x, float y) { return Place{3.7f * x + 20, 5.3f * y + 20}; });
  const Image made = remapped(grid, "--filter trilinear");
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) ASSERT_NEAR(value_at(made, x, y), 0.5f, 1e-6f);
}

TEST_F(RemapTrilinear, TheSeamOfARepeatedPictureIsAsSharpAsTheRest) {
  const Image image = noise(spec_of({0, 0, 64, 16}, PixelType::f32, 1));
  make_map(128, 8, [](float x, float y) { return Place{std::fmod(x + 0.5f, 64.0f), y + 0.5f}; });
  EXPECT_TRUE(same_pixels(remapped(image, "--filter trilinear --border wrap"),
                          remapped(image, "--filter linear --border wrap")));
}

TEST_F(RemapTrilinear, NeighboursThatAreNoNumbersCountAsNone) {
  const Image image = noise(spec_of({0, 0, 64, 64}, PixelType::f32, 1));
  const auto whole = [](float x, float y) { return Place{2 * x + 1, 2 * y + 1}; };
  make_map(32, 32, whole);
  const Image made = remapped(image, "--filter trilinear");
  make_map(32, 32, [&](float x, float y) {
    if (x == 10 || y == 20) return Place{x < 5 ? nan : HUGE_VALF, nan};
    return whole(x, y);
  });
  const Image beside = remapped(image, "--filter trilinear");
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x)
      if (x != 10 && y != 20) {
        ASSERT_EQ(value_at(beside, x, y), value_at(made, x, y));
      }
}

TEST_F(RemapTrilinear, OfOnePixelReadsThePictureItself) {
  const Image image = noise(spec_of({0, 0, 8, 8}, PixelType::f32, 3));
  make_map(1, 1, [](float, float) { return Place{3.5f, 4.5f}; });
  const Image made = remapped(image, "--filter trilinear");
  for (int c = 0; c < 3; ++c) EXPECT_EQ(value_at(made, 0, 0, c), value_at(image, 3, 4, c));
}

TEST_F(RemapTrilinear, IdsAreCopied) {
  Spec spec = spec_of({0, 0, 32, 32}, PixelType::half, 3);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = image_of(spec, [](int, int x, int y, int) { return x + 32 * y; });
  make_map(8, 8, [](float x, float y) { return Place{4 * x + 2, 4 * y + 2}; });
  const Image made = remapped(image, "--filter trilinear");
  const Image copied = remapped(image, "--filter point");
  for (int y = 0; y < 8; ++y)
    EXPECT_EQ(0, std::memcmp(made.row(1, y), copied.row(1, y), made.row_bytes(1)));
}

TEST_F(RemapTrilinear, RefusesSidesThatNoMipmappedTextureHas) {
  make_map(4, 1, [](float x, float) { return Place{x, 0}; });
  try {
    remapped(whole_numbers(32769, 1), "--filter trilinear");
    FAIL() << "a picture of 32769 pixels was read trilinearly";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("32769x1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cuimg::test
