// SPDX-License-Identifier: Apache-2.0
// Blur and unsharp with a large sigma: the difference of the coarse grid from the sum over whole
// pixels, for any picture, and their common properties.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "image/scratch.h"
#include "stages/filter/gaussian_axis.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

/// Weights of consecutive pixels, and the first pixel.
struct Weights {
  int first = 0;
  std::vector<double> of;

  double at(int x) const {
    const int i = x - first;
    return i < 0 || i >= static_cast<int>(of.size()) ? 0.0 : of[static_cast<std::size_t>(i)];
  }
  int end() const { return first + static_cast<int>(of.size()); }
};

// The exact weights of the pixels around a pixel, as precise as doubles are.
Weights gaussian(double sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  Weights weights{-radius, {}};
  for (int x = -radius; x <= radius; ++x)
    weights.of.push_back(std::exp(-x * x / (2 * sigma * sigma)));
  const double sum = std::accumulate(weights.of.begin(), weights.of.end(), 0.0);
  for (double& weight : weights.of) weight /= sum;
  return weights;
}

// The weights that the three steps together give the pixels around pixel `pixel` of cell 0.
Weights combined(const GaussianAxis& axis, int pixel) {
  const int cell = axis.cell, first_texel = axis.kernel.low - 1;
  std::vector<double> texels(axis.kernel.weights.size() + 2, 0.0);
  for (int near = 0; near < 3; ++near)
    for (std::size_t k = 0; k < axis.kernel.weights.size(); ++k)
      texels[static_cast<std::size_t>(near) + k] +=
          static_cast<double>(axis.expands[static_cast<std::size_t>(3 * pixel + near)]) *
          static_cast<double>(axis.kernel.weights[k]);
  Weights weights{(first_texel - 1) * cell - pixel, {}};
  weights.of.resize((texels.size() + 2) * static_cast<std::size_t>(cell), 0.0);
  for (std::size_t t = 0; t < texels.size(); ++t)
    for (std::size_t i = 0; i < axis.reduces.size(); ++i)
      weights.of[t * static_cast<std::size_t>(cell) + i] +=
          texels[t] * static_cast<double>(axis.reduces[i]);
  return weights;
}

// The largest possible difference for a picture with values from 0 to 1: it is 1 where weights are
// too large, and 0 elsewhere.
double largest_difference(const Weights& made, const Weights& exact) {
  double sum = 0;
  for (int x = std::min(made.first, exact.first); x < std::max(made.end(), exact.end()); ++x)
    sum += std::abs(made.at(x) - exact.at(x));
  return sum / 2;
}

double largest_difference(float sigma) {
  const GaussianAxis axis = gaussian_axis(sigma);
  const Weights exact = gaussian(static_cast<double>(sigma));
  double largest = 0;
  for (int pixel = 0; pixel < axis.cell; ++pixel)
    largest = std::max(largest, largest_difference(combined(axis, pixel), exact));
  return largest;
}

// For both axes together the difference is at most the sum of both, since no weight is negative and
// the weights of each axis add up to 1.
TEST(CoarseGaussian, IsWithinATwoThousandthOfTheSumOverPixelsForAnyPicture) {
  double largest = 0;
  for (const float sigma : {26.0f, 27.9f, 33.3f, 38.999f, 39.0f, 40.0f, 47.7f, 50.0f, 64.0f, 64.1f,
                            90.0f, 100.0f, 199.9f, 200.0f, 207.9f, 208.0f, 500.0f, 1000.0f})
    largest = std::max(largest, largest_difference(sigma));
  for (float sigma = 26; sigma <= 1000; sigma *= 1.0037f) {
    const double difference = largest_difference(sigma);
    EXPECT_LT(difference, 0x1p-12) << sigma;
    largest = std::max(largest, difference);
  }
  EXPECT_LT(2 * largest, 0x1p-11);
  EXPECT_GT(2 * largest, 0x1.cp-12) << "as much as the documents say, and not much less";
  RecordProperty("largest", std::to_string(largest));
}

TEST(CoarseGaussian, WeightsAreNeverNegativeAndAddUpToOneInEachStep) {
  const auto check = [](auto begin, auto end, float sigma) {
    float sum = 0;
    for (auto weight = begin; weight != end; ++weight) {
      EXPECT_GE(*weight, 0.0f) << sigma;
      sum += *weight;
    }
    EXPECT_EQ(sum, 1.0f) << sigma;
  };
  for (const float sigma : {26.0f, 33.3f, 39.0f, 47.7f, 64.1f, 199.9f, 208.0f, 1000.0f}) {
    const GaussianAxis axis = gaussian_axis(sigma);
    check(axis.kernel.weights.begin(), axis.kernel.weights.end(), sigma);
    check(axis.reduces.begin(), axis.reduces.end(), sigma);
    ASSERT_EQ(axis.expands.size(), static_cast<std::size_t>(3 * axis.cell));
    for (auto weights = axis.expands.begin(); weights != axis.expands.end(); weights += 3)
      check(weights, weights + 3, sigma);
  }
}

TEST(CoarseGaussian, CellsAreAThirteenthOfSigma) {
  EXPECT_FALSE(gaussian_axis(25.999f).is_coarse());
  EXPECT_EQ(gaussian_axis(26).cell, 2);
  EXPECT_EQ(gaussian_axis(38.9f).cell, 2);
  EXPECT_EQ(gaussian_axis(39).cell, 3);
  EXPECT_EQ(gaussian_axis(200).cell, 15);
  EXPECT_EQ(gaussian_axis(1000).cell, 16);
}

TEST(CoarseGaussian, IsExplained) {
  const Plan plan =
      plan_of(parse_chain("blur --sigma 40,2"), spec_of({0, 0, 9, 8}, PixelType::f32, 1), {});
  std::string lines;
  for (const PlannedStep& step : plan.steps)
    for (const std::string& line : step.operation->plan().explanation) lines += line + "\n";
  EXPECT_NE(
      lines.find("columns on a coarse grid of 3 pixels, 81 taps; rows pixel by pixel, 13 taps"),
      std::string::npos)
      << lines;
}

std::string words_for(float across, float down, const std::string& more = "") {
  return "blur --sigma " + format_value(across) + "," + format_value(down) + more;
}

// Checks the program's own function, for every distance and every position in a cell.
TEST(CoarseGaussian, OfAnImpulseAreTheCombinedWeights) {
  for (const float sigma : {26.0f, 33.3f, 47.7f, 64.1f}) {
    const GaussianAxis axis = gaussian_axis(sigma);
    const int reach = axis.reach(), size = 2 * reach + 2 * axis.cell, low = -7;
    for (int at = reach; at < reach + axis.cell; ++at) {
      const Image source =
          image_of(spec_of({low, 3, size, 1}, PixelType::f32, 1),
                   [&](int, int x, int, int) { return x - low == at ? 1.0f : 0.0f; });
      const Image made = run_chain(words_for(sigma, 0.1f, " --border border"), source);
      double sum = 0;
      for (int x = 0; x < size; ++x) {
        const double value = static_cast<double>(value_at(made, low + x, 3));
        EXPECT_NEAR(value, combined(axis, x % axis.cell).at(at - x), 1e-8) << sigma << " at " << x;
        sum += value;
      }
      EXPECT_NEAR(sum, 1.0, 1e-3) << "of the weights by which one pixel reaches others";
    }
  }
}

double blurred(const Image& source, const Weights& across, const Weights& down, int x, int y) {
  const Rect& r = source.spec().data_window;
  double sum = 0;
  for (int j = down.first; j < down.end(); ++j)
    for (int i = across.first; i < across.end(); ++i)
      sum += down.at(j) * across.at(i) *
             static_cast<double>(value_at(source, std::clamp(x + i, r.x, r.right() - 1),
                                          std::clamp(y + j, r.y, r.bottom() - 1)));
  return sum;
}

// Pictures with the largest possible differences, steps, and noise: the program's function is
// compared with sums in double over all pixels.
TEST(CoarseGaussian, PicturesDifferFromSumsOverPixelsByNoMoreThanIsSaid) {
  const int side = 90;
  const Rect window{0, 0, side, side};
  for (const auto& [across, down] : {std::pair{33.3f, 33.3f}, {47.7f, 26.0f}, {3.0f, 64.1f}}) {
    const Weights columns = gaussian(static_cast<double>(across)),
                  rows = gaussian(static_cast<double>(down));
    const Image pictures[] = {
        noise(spec_of(window, PixelType::f32, 1)),
        image_of(spec_of(window, PixelType::f32, 1),
                 [](int, int x, int y, int) { return x > 40 || y > 61 ? 1.0f : 0.0f; }),
        image_of(spec_of(window, PixelType::f32, 1),
                 [](int, int x, int y, int) { return (x / 7 + y / 7) % 2 == 0 ? 1.0f : 0.0f; })};
    for (const Image& picture : pictures) {
      const Image made = run_chain(words_for(across, down), picture);
      for (const auto& [x, y] : {std::pair{0, 0}, {41, 60}, {40, 61}, {89, 3}, {45, 45}, {12, 77}})
        EXPECT_NEAR(static_cast<double>(value_at(made, x, y)),
                    blurred(picture, columns, rows, x, y), 0x1p-11)
            << across << "," << down << " at " << x << "," << y;
    }
  }
}

TEST(CoarseGaussian, TheWorstPictureDiffersAsMuchAsIsComputed) {
  const float sigma = 33.3f;
  const GaussianAxis axis = gaussian_axis(sigma);
  const Weights exact = gaussian(static_cast<double>(sigma));
  const int size = 2 * axis.reach() + 2 * axis.cell;
  for (int pixel = 0; pixel < axis.cell; ++pixel) {
    const Weights weights = combined(axis, pixel);
    const int at = (axis.reach() / axis.cell + 1) * axis.cell + pixel;
    const Image source = image_of(
        spec_of({0, 0, size, 1}, PixelType::f32, 1),
        [&](int, int x, int, int) { return weights.at(x - at) > exact.at(x - at) ? 1.0f : 0.0f; });
    double direct = 0;
    for (int i = exact.first; i < exact.end(); ++i)
      direct += exact.at(i) * static_cast<double>(value_at(source, at + i, 0));
    const Image made = run_chain(words_for(sigma, 0.1f), source);
    EXPECT_NEAR(static_cast<double>(value_at(made, at, 0)) - direct,
                largest_difference(weights, exact), 1e-6);
  }
}

TEST(CoarseGaussian, BordersAreWhatTheySay) {
  const Image source = noise(spec_of({0, 0, 11, 7}, PixelType::f32, 2));
  // The picture continued beyond its edges by hand, on the same grid.
  constexpr int around = 192;
  const auto laid_out = [&](auto index) {
    return image_of(spec_of({-around, -around, 11 + 2 * around, 7 + 2 * around}, PixelType::f32, 2),
                    [&](int, int x, int y, int c) {
                      const int i = index(x, 11), j = index(y, 7);
                      return i < 0 || j < 0 ? 0.0f : value_at(source, i, j, c);
                    });
  };
  for (const std::string sigma : {"26", "40", "40,2", "0.1,53"}) {
    const auto check = [&](const std::string& border, const Image& picture) {
      const Image made = run_chain("blur --sigma " + sigma + " --border " + border, source);
      const Image expected = run_chain("blur --sigma " + sigma, picture);
      for (int y = 0; y < 7; ++y)
        for (int x = 0; x < 11; ++x)
          EXPECT_EQ(value_at(made, x, y, 1), value_at(expected, x, y, 1)) << sigma << " " << border;
    };
    check("clamp", laid_out([](int i, int n) { return std::clamp(i, 0, n - 1); }));
    check("wrap", laid_out([](int i, int n) { return (i % n + n) % n; }));
    check("mirror", laid_out([](int i, int n) {
            const int j = (i % (2 * n) + 2 * n) % (2 * n);
            return j < n ? j : 2 * n - 1 - j;
          }));
    check("border", laid_out([](int i, int n) { return i < 0 || i >= n ? -1 : i; }));
  }
}

TEST(CoarseGaussian, KeepsConstantsAndWhatIsOpaque) {
  for (const char* border : {"clamp", "wrap", "mirror"})
    for (const char* sigma : {"26", "33.3", "200", "1000", "3,90", "90,0.1"}) {
      const std::string words = std::string(" --sigma ") + sigma + " --border " + border;
      for (const float value : {1.0f, 0.25f, 0x1p-100f, -8.0f}) {
        const Image source = flat(spec_of({-3, 2, 33, 17}, PixelType::f32, 4), value);
        EXPECT_TRUE(same_pixels(run_chain("blur" + words, source), source)) << words;
      }
      const Image opaque =
          image_of(spec_of({0, 0, 40, 30}, PixelType::f32, 4), [](int, int x, int y, int c) {
            return c == 3 ? 1.0f : static_cast<float>((x * 7 + y * 5) % 11);
          });
      for (const char* stage : {"blur", "unsharp --amount 7"}) {
        const Image made = run_chain(stage + words, opaque);
        for (int y = 0; y < 30; ++y)
          for (int x = 0; x < 40; ++x) ASSERT_EQ(value_at(made, x, y, 3), 1.0f) << stage << words;
      }
    }
}

TEST(CoarseGaussian, ADataWindowGrowsAsIfItsZerosWereStored) {
  const Rect display{-5, -3, 640, 560};
  Spec spec = spec_of({300, 250, 21, 9}, PixelType::f32, 2);
  spec.display_window = display;
  const Image tight = noise(spec);
  const Image wide = image_of(spec_of(display, PixelType::f32, 2), [&](int, int x, int y, int c) {
    const Rect& r = spec.data_window;
    const bool inside = x >= r.x && x < r.right() && y >= r.y && y < r.bottom();
    return inside ? value_at(tight, x, y, c) : 0.0f;
  });
  const Image made = run_chain("blur --sigma 40,53", tight),
              whole = run_chain("blur --sigma 40,53", wide);
  const Rect& r = made.spec().data_window;
  const int across = gaussian_axis(40).reach(), down = gaussian_axis(53).reach();
  EXPECT_EQ(r, rect_from_edges(300 - across, 250 - down, 321 + across, 259 + down));
  for (int y = display.y; y < display.bottom(); ++y)
    for (int x = display.x; x < display.right(); ++x) {
      const bool inside = x >= r.x && x < r.right() && y >= r.y && y < r.bottom();
      ASSERT_EQ(value_at(whole, x, y, 1), inside ? value_at(made, x, y, 1) : 0.0f) << x << " " << y;
    }
}

TEST(CoarseGaussian, NanAndInfinityReachWholeCells) {
  const GaussianAxis axis = gaussian_axis(26);
  for (const float strange :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const int at = 200;
    const Image source = image_of(spec_of({0, 0, 400, 1}, PixelType::f32, 1),
                                  [&](int, int x, int, int) { return x == at ? strange : 0.5f; });
    const Image made = run_chain("blur --sigma 26,0.1", source);
    for (int x = 0; x < 400; ++x) {
      const bool reached = combined(axis, x % axis.cell).at(at - x) > 0;
      const float value = value_at(made, x, 0);
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value),
                std::bit_cast<std::uint32_t>(reached ? strange : 0.5f))
          << x;
      if (reached) {
        EXPECT_LE(std::abs(x - at), axis.reach());
      }
    }
  }
}

TEST(CoarseGaussian, ThreadsTilesAndPartsMakeTheSame) {
  Spec spec = spec_of({-7, 5, 230, 310}, PixelType::half, 4);
  spec.display_window = {-11, 2, 251, 320};
  spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  const Image source = noise(spec);
  const TempDir folder;
  for (const char* words : {"blur --sigma 30", "blur --sigma 1,45 --border wrap",
                            "unsharp --sigma 60,5 --border mirror",
                            "flip + blur --sigma 26 --border border + resize --size 10%"}) {
    const Plan plan = plan_of(parse_chain(words), spec, {.format = "exr", .type = PixelType::f32});
    const Image expected = run_plan(plan, source, {.whole = true});
    EXPECT_TRUE(same_pixels(run_plan(plan, source, {.threads = 2}), expected)) << words;
    for (const std::uint64_t memory_bytes : {1u << 15, 1u << 19, 1u << 22}) {
      const Scratch scratch(folder.path().string(), memory_bytes);
      EXPECT_TRUE(same_pixels(run_plan(plan, source, {.threads = 2}), expected))
          << words << ", " << memory_bytes << " bytes";
    }
  }
}

TEST(CoarseGaussian, UnsharpAddsWhatTheBlurredPictureLacks) {
  const Image source = noise(spec_of({0, 0, 61, 43}, PixelType::f32, 3));
  const Image blurred = run_chain("blur --sigma 50", source);
  const Image sharp = run_chain("unsharp --sigma 50 --amount 1.5 --threshold 0.2", source);
  for (int y = 0; y < 43; ++y)
    for (int x = 0; x < 61; ++x)
      for (int c = 0; c < 3; ++c) {
        const float original = value_at(source, x, y, c);
        const float detail = original - value_at(blurred, x, y, c);
        EXPECT_EQ(value_at(sharp, x, y, c),
                  std::abs(detail) < 0.2f ? original : original + 1.5f * detail);
      }
}

}  // namespace
}  // namespace cuimg::test
