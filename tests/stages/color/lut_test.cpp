// SPDX-License-Identifier: Apache-2.0
// Look-up tables: identities are exact, hand-made tables give their entries, and the values to
// which a table applies for each kind of file.
#include <limits>

#include "base/error.h"
#include "support/cubes.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class Lut : public testing::Test {
 protected:
  std::string file(const std::string& text) { return folder_.write("t.cube", text); }
  Image through(const std::string& text, const Image& source, const std::string& options = "",
                const ChainOptions& chain = {}) {
    return run_chain("lut --file " + file(text) + " " + options, source, chain);
  }
  std::vector<float> pixel(const std::string& text, const std::vector<float>& values,
                           const std::string& options = "") {
    const Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, static_cast<int>(values.size()));
    const Image made = through(
        text,
        image_of(spec, [&](int, int, int, int c) { return values[static_cast<std::size_t>(c)]; }),
        options);
    std::vector<float> result;
    for (int c = 0; c < made.spec().layers[0].channel_count(); ++c)
      result.push_back(value_at(made, 0, 0, c));
    return result;
  }
  TempDir folder_;
};

const std::vector<std::string> interpolations = {"--interpolation tetrahedral",
                                                 "--interpolation trilinear"};
Rgb same(const Rgb& v) { return v; }

TEST_F(Lut, AnIdentityIsExact) {
  const Image source = noise(spec_of({0, 0, 60, 40}, PixelType::f32, 3));
  for (const std::string& how : interpolations)
    EXPECT_TRUE(same_pixels(through(grid_text(33, same), source, how), source)) << how;
  EXPECT_TRUE(same_pixels(through(curves_text(257,
                                              [](float v) {
                                                return Rgb{v, v, v};
                                              }),
                                  source),
                          source));
}

TEST_F(Lut, AnIdentityOfAnySizeLeavesEightBitPicturesAlone) {
  const Image source = noise(spec_of({0, 0, 60, 40}, PixelType::u8, 4));
  for (const int size : {2, 3, 17, 32, 65})
    for (const std::string& how : interpolations)
      EXPECT_TRUE(same_pixels(
          through(grid_text(size, same), source, how, {.format = "png", .type = PixelType::u8}),
          source))
          << size << how;
}

TEST_F(Lut, EntriesAreMet) {
  const std::string text = grid_text(5, [](const Rgb& v) {
    return Rgb{v[0] * v[1], 1 - v[2], v[0] + 2 * v[1] * v[2]};
  });
  for (const std::string& how : interpolations)
    EXPECT_EQ(pixel(text, {0.25f, 0.75f, 0.5f}, how), (std::vector<float>{0.1875f, 0.5f, 1}));
}

// One corner of the cell is 1, which shows its weight on each path through the cell.
TEST_F(Lut, TetrahedraAndCubesWeighCornersByTheirFormulas) {
  const auto corner = [](float r, float g, float b) {
    return grid_text(2, [=](const Rgb& v) {
      const float one = v == Rgb{r, g, b} ? 1.0f : 0.0f;
      return Rgb{one, one, one};
    });
  };
  const std::vector<float> at = {0.75f, 0.5f, 0.125f};
  const auto weight = [&](float r, float g, float b, int how) {
    return pixel(corner(r, g, b), at, interpolations[static_cast<std::size_t>(how)])[0];
  };
  // 000 -> 100 -> 110 -> 111 for r > g > b: 1 - r, r - g, g - b, b.
  EXPECT_EQ(weight(0, 0, 0, 0), 0.25f);
  EXPECT_EQ(weight(1, 0, 0, 0), 0.25f);
  EXPECT_EQ(weight(1, 1, 0, 0), 0.375f);
  EXPECT_EQ(weight(1, 1, 1, 0), 0.125f);
  EXPECT_EQ(weight(0, 1, 0, 0), 0);
  for (const float r : {0.0f, 1.0f})
    for (const float g : {0.0f, 1.0f})
      for (const float b : {0.0f, 1.0f})
        EXPECT_EQ(weight(r, g, b, 1), (r == 1 ? 0.75f : 0.25f) * 0.5f * (b == 1 ? 0.125f : 0.875f));
}

TEST_F(Lut, EveryOrderOfTheAxesTakesItsOwnPath) {
  const std::string text = grid_text(2, [](const Rgb& v) {
    return Rgb{v[0] + 2 * v[1] + 4 * v[2] + 8 * v[0] * v[1] + 16 * v[1] * v[2] + 32 * v[0] * v[2],
               v[0] * v[1] * v[2], 0};
  });
  // For a product, tetrahedra give the smallest of its factors.
  std::vector<float> v = {0.125f, 0.5f, 0.75f};
  do {
    const float expected = v[0] + 2 * v[1] + 4 * v[2] + 8 * std::min(v[0], v[1]) +
                           16 * std::min(v[1], v[2]) + 32 * std::min(v[0], v[2]);
    EXPECT_EQ(pixel(text, v), (std::vector<float>{expected, 0.125f, 0}));
  } while (std::next_permutation(v.begin(), v.end()));
}

TEST_F(Lut, TetrahedraKeepGreysOnTheLineBetweenEntries) {
  // Only entries on the diagonal are grey.
  const std::string text = grid_text(3, [](const Rgb& v) {
    return v[0] == v[1] && v[1] == v[2] ? Rgb{v[0] / 2, v[0] / 2, v[0] / 2} : Rgb{1, 0, 0.5f};
  });
  EXPECT_EQ(pixel(text, {0.375f, 0.375f, 0.375f}), (std::vector<float>{0.1875f, 0.1875f, 0.1875f}));
}

TEST_F(Lut, CurvesThenAGrid) {
  std::string text =
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -1 1\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 2\n"
      "0 0 0\n2 2 1\n";
  const std::string grid = grid_text(2, [](const Rgb& v) { return Rgb{v[2], v[1], v[0]}; });
  text += grid.substr(grid.find('\n') + 1);
  // Curves: (v + 1) and half of it for blue; the grid halves and swaps red and blue.
  EXPECT_EQ(pixel(text, {0.5f, 0, -0.5f}), (std::vector<float>{0.125f, 0.5f, 0.75f}));
}

// Positions between entries are multiples of 1/256, and so are the weights.
TEST_F(Lut, TheTextureUnitIsTrilinearIn256Steps) {
  const std::string text = grid_text(9, [](const Rgb& v) {
    return Rgb{v[0] * v[1], 1 - v[2], v[0] * v[1] * v[2]};
  });
  const Image source = noise(spec_of({0, 0, 50, 40}, PixelType::f32, 4));
  const Image exact = through(text, source, "--interpolation trilinear");
  const Image made = through(text, source, "--interpolation texture");
  // Half a step of position and half a step of weight, on each axis of a cell that is an eighth
  // wide.
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 50; ++x) {
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(value_at(made, x, y, c), value_at(exact, x, y, c), 3.0f / 8 / 256);
      EXPECT_EQ(value_at(made, x, y, 3), value_at(source, x, y, 3));
    }
  EXPECT_FALSE(same_pixels(made, exact));
  // 100.6 and 101.4 steps both round to 101.
  const float step = 1.0f / 8 / 256;
  EXPECT_EQ(pixel(text, {0, 0, 100.6f * step}, "--interpolation texture"),
            pixel(text, {0, 0, 101.4f * step}, "--interpolation texture"));
}

TEST_F(Lut, TheTextureUnitToo) {
  const std::string how = "--interpolation texture";
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::string swap = grid_text(5, [](const Rgb& v) { return Rgb{v[2], v[1], v[0]}; });
  EXPECT_EQ(pixel(swap, {0.25f, 0.5f, 0.125f}, how), (std::vector<float>{0.125f, 0.5f, 0.25f}));
  EXPECT_EQ(pixel(swap, {infinity, -1, 2}, how), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(pixel(swap, {0.125f, 0.25f, 0, 0.5f}, how), (std::vector<float>{0, 0.5f, 0.25f, 0.5f}));
  EXPECT_EQ(pixel(swap, {0.25f}, how), (std::vector<float>{0.25f, 0.25f, 0.25f}));
  EXPECT_EQ(pixel(swap, {0.25f, 1}, how), (std::vector<float>{0.25f, 0.25f, 0.25f, 1}));
  for (const float v : pixel(swap, {0.5f, nan, 0.5f}, how))
    EXPECT_EQ(std::bit_cast<std::uint32_t>(v), 0x7fc00000u);
  // With curves before the grid, and entries that differ greatly.
  const std::string grid = grid_text(2, [](const Rgb& v) {
    return Rgb{v[2] * 1e20f, v[1], v[0] * 1e-30f};
  });
  EXPECT_EQ(
      pixel("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n1 0.5 1\n" + grid.substr(grid.find('\n') + 1),
            {1, 1, 1}, how)[0],
      1e20f);
  const Spec spec = spec_of({0, 0, 9, 9}, PixelType::half, 3);
  Spec with_ids = spec;
  with_ids.layers.push_back({"", {"id"}, PixelType::u32});
  const Image source = noise(with_ids);
  EXPECT_EQ(value_at<std::uint32_t>(through(swap, source, how), 3, 4, 0, 1),
            value_at<std::uint32_t>(source, 3, 4, 0, 1));
}

TEST_F(Lut, ValuesBeyondTheDomainAreCutAndNanStays) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::string curves = "DOMAIN_MIN -1 0 0\nDOMAIN_MAX 3 1 1\n" + curves_text(3, [](float v) {
                               return Rgb{v, v + 1, v};
                             });
  EXPECT_EQ(pixel(curves, {1, 2, -infinity}), (std::vector<float>{0.5f, 2, 0}));
  const std::vector<float> of_curves = pixel(curves, {1, nan, infinity});
  EXPECT_EQ(of_curves[0], 0.5f);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(of_curves[1]), 0x7fc00000u);
  EXPECT_EQ(of_curves[2], 1);
  for (const std::string& how : interpolations) {
    EXPECT_EQ(pixel(grid_text(4, same), {-3, infinity, -infinity}, how),
              (std::vector<float>{0, 1, 0}));
    for (const float v : pixel(grid_text(4, same), {0.5f, nan, 0.5f}, how))
      EXPECT_EQ(std::bit_cast<std::uint32_t>(v), 0x7fc00000u);
  }
}

TEST_F(Lut, AlphaStaysAndColourIsNotPremultiplied) {
  const std::string text = curves_text(2, [](float v) { return Rgb{1 - v, 1 - v, 1 - v}; });
  EXPECT_EQ(pixel(text, {0.125f, 0.25f, 0, 0.5f}), (std::vector<float>{0.75f, 0.5f, 1, 0.5f}));
}

TEST_F(Lut, ActsOnTheNumbersOfAnEightBitFileAndOnLightWhereAsked) {
  const std::string halves = curves_text(2, [](float v) { return Rgb{v / 2, v / 2, v / 2}; });
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::u8, 3), 200 / 255.0f);
  const ChainOptions png = {.format = "png", .type = PixelType::u8};
  EXPECT_EQ(std::to_integer<int>(through(halves, source, "", png).row(0, 0)[0]), 100);
  // 200 is 0.5776 of light, and half of that is 146.
  EXPECT_EQ(std::to_integer<int>(through(halves, source, "--values linear", png).row(0, 0)[0]),
            146);
  EXPECT_EQ(pixel(halves, {0.5f, 0.25f, 1}), (std::vector<float>{0.25f, 0.125f, 0.5f}));
}

TEST_F(Lut, GreyBecomesColourUnlessTheTableIsOneCurve) {
  const std::string one = curves_text(2, [](float v) { return Rgb{1 - v, 1 - v, 1 - v}; });
  const std::string three = curves_text(2, [](float v) { return Rgb{v, 1 - v, v / 2}; });
  EXPECT_EQ(pixel(one, {0.25f}), (std::vector<float>{0.75f}));
  EXPECT_EQ(pixel(one, {0.25f, 1}), (std::vector<float>{0.75f, 1}));
  EXPECT_EQ(pixel(three, {0.25f}), (std::vector<float>{0.25f, 0.75f, 0.125f}));
  EXPECT_EQ(pixel(three, {0.25f, 1}), (std::vector<float>{0.25f, 0.75f, 0.125f, 1}));
  EXPECT_EQ(pixel(grid_text(2,
                            [](const Rgb& v) {
                              return Rgb{v[0], 0, 1 - v[1]};
                            }),
                  {0.25f, 1}),
            (std::vector<float>{0.25f, 0, 0.75f, 1}));
}

TEST_F(Lut, AMissingOrBrokenFileIsOneLine) {
  const Image source = flat(spec_of({0, 0, 2, 2}, PixelType::f32, 3), 0.5f);
  EXPECT_THROW(run_chain("lut", source), Error);
  EXPECT_THROW(run_chain("lut --file /nowhere.cube", source), Error);
  try {
    through("LUT_1D_SIZE 2\n0 0\n", source);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "lut: --file " + folder_ / "t.cube" +
                                             ": line 2: an entry of 2 numbers: give red, green and "
                                             "blue");
  }
}

}  // namespace
}  // namespace cuimg::test
