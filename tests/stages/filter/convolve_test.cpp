// SPDX-License-Identifier: Apache-2.0
// Convolve: kernels applied as written, sums as defined, in one pass or two.
#include <fstream>
#include <limits>

#include "base/error.h"
#include "stages/filter/kernel_text.h"
#include "stages/resample/unit_weights.h"
#include "support/images.h"
#include "support/process.h"
#include "support/test_stages.h"

namespace cuimg::test {
namespace {

// Small whole numbers, whose sums are exact in any order.
Image whole_numbers(int width, int height, int channels = 1) {
  return image_of(spec_of({0, 0, width, height}, PixelType::f32, channels),
                  [](int, int x, int y, int c) { return (x * 31 + y * 17 + c * 7) % 23 - 5; });
}

// The definition in one pass, for which the order does not matter.
float weighed(const Image& image, const KernelWeights& kernel, int x, int y) {
  const Rect& r = image.spec().data_window;
  float sum = 0;
  for (int j = 0; j < kernel.height; ++j)
    for (int i = 0; i < kernel.width; ++i)
      sum +=
          kernel.at(i, j) * value_at(image, std::clamp(x + i - kernel.width / 2, 0, r.right() - 1),
                                     std::clamp(y + j - kernel.height / 2, 0, r.bottom() - 1));
  return sum;
}

TEST(Convolve, IsTheDefinitionForKernelsOfAnyShape) {
  const Image source = whole_numbers(23, 19);
  for (const std::string text :
       {"1", "-3", "1,2,3", "1;2;3;4", "1,2,1;2,4,2;1,2,1", "3x3:-2,-1,0,-1,1,1,0,1,2",
        "1,0,-1;2,0,-2;1,0,-1", "2x2:1,2,3,4", "4x1:1,2,3,4", "0,0,0;0,0,0;0,0,5", "0,0;0,0",
        "1,-2,3,-4,5,-6;2,-4,6,-8,10,-12", "5x2:0,1,0,2,0,0,0,3,0,1"}) {
    const KernelWeights kernel = read_kernel(text, "test");
    const Image made = run_chain("convolve --kernel '" + text + "'", source);
    for (int y = 0; y < 19; ++y)
      for (int x = 0; x < 23; ++x)
        ASSERT_EQ(value_at(made, x, y), weighed(source, kernel, x, y))
            << text << " " << x << "," << y;
  }
}

TEST(Convolve, AProductOfAColumnAndARowRunsAsTwoPasses) {
  const auto two = [](const std::string& text, bool normalize = false) {
    return convolution_of(read_kernel(text, "test"), normalize).is_separable();
  };
  EXPECT_TRUE(two("1,2,1;2,4,2;1,2,1"));
  EXPECT_TRUE(two("1,2,1;2,4,2;1,2,1", true));
  EXPECT_TRUE(two("0.1,0.1,0.1;0.1,0.1,0.1"));
  EXPECT_TRUE(two("3,6;5,10"));
  EXPECT_TRUE(two("0,0,0;0,2,1;0,4,2"));
  EXPECT_TRUE(two("1,2,3,4"));
  EXPECT_TRUE(two("1;2;3;4"));
  EXPECT_FALSE(two("1,2,1;2,4,2;1,2,1.0001"));
  EXPECT_FALSE(two("0,1,0;1,-4,1;0,1,0"));
  EXPECT_FALSE(two("1,0,1;2,0,2"));  // inner zeros read nothing, so taps are added one by one
  EXPECT_FALSE(two("0,0;0,0"));

  const Image source = noise(spec_of({0, 0, 33, 21}, PixelType::f32, 4));
  EXPECT_TRUE(
      same_pixels(run_chain("convolve --kernel '1,3,1;2,6,2;5,15,5'", source),
                  run_chain("convolve --kernel '1;2;5' + convolve --kernel '1,3,1'", source)));
}

TEST(Convolve, NormalizedWeightsAddUpToOne) {
  const Image source = flat(spec_of({0, 0, 30, 20}, PixelType::f32, 4), 1.0f);
  std::string large = "31x17:";
  for (int i = 0; i < 31 * 17; ++i) large += std::to_string(i % 13 + 1) + ",";
  large.pop_back();
  for (const std::string& text :
       {std::string("1,1,1;1,1,1;1,1,1"), std::string("3,1,4;1,5,9;2,6,5"), large,
        std::string("0,-1,0;-1,7,-1;0,-1,0")})
    EXPECT_TRUE(
        same_pixels(run_chain("convolve --normalize --kernel '" + text + "'", source), source))
        << text;
}

TEST(UnitWeights, NoneOfManyTakesAllOfTheRounding) {
  for (const std::size_t count : {3u, 100u, 1257u, 50617u, 100000u}) {
    const std::vector<float> equal = unit_weights(std::vector<double>(count, 0.25));
    double sum = 0;
    for (const float weight : equal) {
      sum += weight;
      EXPECT_NEAR(weight, 1.0 / static_cast<double>(count),
                  1.001 / unit_weight + 0.001 / static_cast<double>(count))
          << count;
    }
    EXPECT_EQ(sum, 1) << count;
  }
  // Including weights below half a unit.
  std::vector<double> spread(70000, 1e-3);
  spread[35000] = 1000;
  const std::vector<float> weights = unit_weights(spread);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (i != 35000) {
      ASSERT_GE(weights[i], 0) << i;
    }
  EXPECT_NEAR(weights[35000], 1000 / (1000 + 69.999), 0.001);
}

TEST(Convolve, AZeroKernelGivesZeroAndTheBias) {
  const Image source = noise(spec_of({0, 0, 9, 5}, PixelType::f32, 4));
  const Image made = run_chain("convolve --kernel 0 --bias 0.25", source);
  EXPECT_EQ(value_at(made, 3, 3, 0), 0.25f);
  // Weights add up to 0: alpha is kept.
  EXPECT_EQ(value_at(made, 3, 3, 3), value_at(source, 3, 3, 3));
  EXPECT_EQ(value_at(run_chain("convolve --kernel 2 --bias 0.25", source), 3, 3, 3),
            2 * value_at(source, 3, 3, 3));
}

TEST(Convolve, AZeroWeightReadsNothing) {
  const Image source =
      image_of(spec_of({0, 0, 9, 9}, PixelType::f32, 1), [](int, int x, int y, int) {
        return x == 4 && y == 4 ? std::numeric_limits<float>::quiet_NaN() : 1.0f;
      });
  const Image made = run_chain("convolve --kernel '0,1,0;1,0,1;0,1,0'", source);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x)
      EXPECT_EQ(std::isnan(value_at(made, x, y)), std::abs(x - 4) + std::abs(y - 4) == 1);
}

TEST(Convolve, ReadsKernelsFromFiles) {
  const TempDir folder;
  const std::string path = folder / "edge.kernel";
  std::ofstream(path) << "# Prewitt\n-1 0 1\n\n-1, 0, 1  # middle\n-1\t0\t+1\r\n";
  const KernelWeights kernel = read_kernel(path, "test");
  EXPECT_EQ(kernel.width, 3);
  EXPECT_EQ(kernel.height, 3);
  EXPECT_EQ(kernel.values, (std::vector<float>{-1, 0, 1, -1, 0, 1, -1, 0, 1}));
  EXPECT_EQ(kernel.values, read_kernel("3x3:-1,0,1,-1,0,1,-1,0,1", "test").values);
}

TEST(Convolve, RefusesInvalidKernels) {
  const Image source = noise(spec_of({0, 0, 4, 4}, PixelType::f32, 1));
  EXPECT_THROW(run_chain("convolve", source), Error);
  for (const char* text : {"/no/such/file", "1,2;3", "3x3:1,2,3", "0x1:1", "x:1", ",", "1,2,e",
                           "2x:1,2", "1e99", "2x2:1,2;3,4"})
    EXPECT_THROW(read_kernel(text, "convolve"), Error) << text;
  const auto refusal = [](const std::string& text) {
    return error_of([&] { read_kernel(text, "convolve"); });
  };
  const std::string advice = ": use WxH:v,v,..., v,v;v,v or a file of rows of numbers";
  for (const std::string text : {"1,,2", ",1", "1,2,", "1, ,2", "3x1:1,,2", "1,2;3,"})
    EXPECT_EQ(refusal(text),
              "convolve: --kernel " + text + ": a number is missing next to a comma" + advice);
  // Otherwise it would be one row of six.
  for (const std::string text : {"1,2,1 0,0,0", "6x1:1,2,1 0,0,0", "1,2,1; 0,0 0"})
    EXPECT_EQ(refusal(text),
              "convolve: --kernel " + text +
                  ": a row has commas, and a space alone between two of its numbers: "
                  "put ; between rows, and commas between all numbers of a row or "
                  "none");
  EXPECT_EQ(refusal("3x3:1"), "convolve: --kernel 3x3:1: 1 number does not fill 3x3" + advice);
  EXPECT_EQ(refusal("3x3:1,2"), "convolve: --kernel 3x3:1,2: 2 numbers do not fill 3x3" + advice);
  EXPECT_EQ(read_kernel("1 , 2 ,3;4, 5, 6", "convolve").width, 3);
  EXPECT_EQ(read_kernel("1 2 3; 4 5 6", "convolve").height, 2);
  EXPECT_EQ(refusal("1,2,a"), "convolve: --kernel 1,2,a: 'a' is not a number" + advice);
  EXPECT_EQ(refusal("nan,1"), "convolve: --kernel nan,1: 'nan' is not a number" + advice);
  EXPECT_EQ(refusal("2x1:1,inf"), "convolve: --kernel 2x1:1,inf: 'inf' is not a number" + advice);
  EXPECT_EQ(refusal("soft.txt"), "convolve: --kernel soft.txt: there is no such file" + advice);
  EXPECT_THROW(run_chain("convolve --normalize --kernel '1,-1'", source), Error);
  EXPECT_THROW(run_chain("convolve --normalize --kernel '0.3,-0.1,-0.2'", source), Error);
  std::string row = "1";
  for (int i = 1; i < 256; ++i) row += ",1";
  EXPECT_THROW(read_kernel(row, "convolve"), Error);
  EXPECT_EQ(read_kernel(row.substr(2), "convolve").width, 255);
}

}  // namespace
}  // namespace cuimg::test
