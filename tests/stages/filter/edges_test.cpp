// SPDX-License-Identifier: Apache-2.0
// Sobel and laplacian compared with their kernels written out, and the channels that they do not
// change.
#include <cmath>
#include <limits>

#include "support/images.h"

namespace cuimg::test {
namespace {

// Small whole numbers, whose sums are exact in any order.
Image whole_numbers() {
  return image_of(spec_of({-2, 3, 21, 14}, PixelType::f32, 3),
                  [](int, int x, int y, int c) { return ((x + 9) * 31 + y * 17 + c * 7) % 23; });
}

TEST(Sobel, IsConvolutionWithItsKernels) {
  const Image source = whole_numbers();
  for (const char* border : {"clamp", "wrap", "mirror", "border"}) {
    const std::string at = std::string(" --border ") + border;
    const Image x = run_chain("convolve --kernel '-1,0,1;-2,0,2;-1,0,1'" + at, source);
    const Image y = run_chain("convolve --kernel '-1,-2,-1;0,0,0;1,2,1'" + at, source);
    EXPECT_TRUE(same_pixels(run_chain("sobel --direction x" + at, source), x));
    EXPECT_TRUE(same_pixels(run_chain("sobel --direction y" + at, source), y));
    const Image length = run_chain("sobel" + at, source);
    const Rect& r = source.spec().data_window;
    for (int j = r.y; j < r.bottom(); ++j)
      for (int i = r.x; i < r.right(); ++i)
        EXPECT_EQ(value_at(length, i, j, 1),
                  std::sqrt(value_at(x, i, j, 1) * value_at(x, i, j, 1) +
                            value_at(y, i, j, 1) * value_at(y, i, j, 1)));
  }
}

TEST(Sobel, SaysHowSteepASlopeIs) {
  const Image slope = image_of(spec_of({0, 0, 9, 9}, PixelType::f32, 1),
                               [](int, int x, int y, int) { return 3 * x - 4 * y; });
  EXPECT_EQ(value_at(run_chain("sobel --direction x", slope), 4, 4), 8 * 3);
  EXPECT_EQ(value_at(run_chain("sobel --direction y", slope), 4, 4), 8 * -4);
  EXPECT_EQ(value_at(run_chain("sobel", slope), 4, 4), 8 * 5);
}

TEST(Laplacian, IsConvolutionWithItsKernels) {
  const Image source = whole_numbers();
  EXPECT_TRUE(same_pixels(run_chain("laplacian", source),
                          run_chain("convolve --kernel '0,1,0;1,-4,1;0,1,0'", source)));
  EXPECT_TRUE(
      same_pixels(run_chain("laplacian --neighbors 8 --border mirror", source),
                  run_chain("convolve --kernel '1,1,1;1,-8,1;1,1,1' --border mirror", source)));
}

TEST(Edges, LeaveAlphaAndFlatPicturesAlone) {
  const Image source = noise(spec_of({0, 0, 12, 9}, PixelType::f32, 4));
  const Image even = flat(spec_of({0, 0, 12, 9}, PixelType::f32, 3), 0.3f);
  const Image zero = flat(spec_of({0, 0, 12, 9}, PixelType::f32, 3), 0.0f);
  for (const char* words : {"sobel", "sobel --direction x", "sobel --direction y", "laplacian",
                            "laplacian --neighbors 8"}) {
    const Image made = run_chain(words, source);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 12; ++x) EXPECT_EQ(value_at(made, x, y, 3), value_at(source, x, y, 3));
    EXPECT_TRUE(same_pixels(run_chain(words, even), zero)) << words;
  }
}

TEST(Edges, ANanReachesItsNeighbours) {
  const Image source =
      image_of(spec_of({0, 0, 9, 9}, PixelType::f32, 1), [](int, int x, int y, int) {
        return x == 4 && y == 4 ? std::numeric_limits<float>::quiet_NaN() : 1.0f;
      });
  const Image made = run_chain("laplacian", source);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value_at(made, x, y)),
                std::abs(x - 4) + std::abs(y - 4) <= 1 ? 0x7fc00000u : 0u);
}

}  // namespace
}  // namespace cuimg::test
