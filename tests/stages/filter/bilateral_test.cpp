// SPDX-License-Identifier: Apache-2.0
// Bilateral compared with its formula in double, and properties that must be preserved.
#include "stages/filter/bilateral.h"

#include <cmath>
#include <limits>

#include "kernels/stencil/bilateral_weight.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

TEST(ExpTwoToOne, IsWithinAnUlpAndEndsInZero) {
  for (float x = 0; x > -126; x -= 0.00371f) {
    const double exact = std::exp2(static_cast<double>(x));
    EXPECT_NEAR(exp2_to_one(x) / exact, 1, x >= -125 ? 1.2e-7 : 1) << x;
  }
  EXPECT_EQ(exp2_to_one(0.0f), 1.0f);
  EXPECT_EQ(exp2_to_one(-1.0f), 0.5f);
  EXPECT_EQ(exp2_to_one(-125.0f), 0x1p-125f);
  for (const float x : {-125.5f, -1e30f, -std::numeric_limits<float>::infinity(),
                        std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(std::bit_cast<std::uint32_t>(exp2_to_one(x)), 0u);
}

// Tomasi and Manduchi's formula over a disk, clamped at the edges.
double formula(const Image& image, int x, int y, int channel, int radius, double space,
               double range) {
  const Rect& r = image.spec().data_window;
  double sum = 0, total = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      if (dx * dx + dy * dy > radius * radius) continue;
      const int i = std::clamp(x + dx, 0, r.right() - 1), j = std::clamp(y + dy, 0, r.bottom() - 1);
      double squares = 0;
      for (int c = 0; c < 3; ++c)
        squares +=
            std::pow(static_cast<double>(value_at(image, i, j, c)) - value_at(image, x, y, c), 2);
      const double weight = std::exp(-(dx * dx + dy * dy) / (2 * space * space)) *
                            std::exp(-squares / (2 * range * range));
      sum += weight * value_at(image, i, j, channel);
      total += weight;
    }
  return sum / total;
}

TEST(Bilateral, IsItsFormula) {
  const Image source = noise(spec_of({0, 0, 37, 21}, PixelType::f32, 4));
  const Image made = run_chain("bilateral --radius 4 --sigma-space 1.7 --sigma-range 0.3", source);
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 37; ++x)
      for (int c = 0; c < 4; ++c)
        ASSERT_NEAR(value_at(made, x, y, c), formula(source, x, y, c, 4, 1.7f, 0.3f), 1e-6);
}

TEST(Bilateral, KeepsConstantsToTheLastBitAndStepsNearly) {
  for (const float value : {0.1f, 1.0f, 0.7f, 1e30f}) {
    const Image source = flat(spec_of({0, 0, 19, 7}, PixelType::f32, 4), value);
    EXPECT_TRUE(same_pixels(run_chain("bilateral", source), source));
  }
  const Image step = image_of(spec_of({0, 0, 30, 9}, PixelType::f32, 3),
                              [](int, int x, int, int) { return x < 15 ? 0.2f : 0.8f; });
  EXPECT_TRUE(same_pixels(run_chain("bilateral --sigma-range 0.02", step), step));
  EXPECT_FALSE(same_pixels(run_chain("bilateral --sigma-range 1", step), step));
}

TEST(Bilateral, OpaqueStaysOpaque) {
  const Image source =
      image_of(spec_of({0, 0, 25, 14}, PixelType::f32, 4), [](int, int x, int y, int c) {
        return c == 3 ? 1.0f : static_cast<float>((x * 7 + y) % 5) / 9;
      });
  const Image made = run_chain("bilateral --sigma-range 0.7", source);
  for (int y = 0; y < 14; ++y)
    for (int x = 0; x < 25; ++x) EXPECT_EQ(value_at(made, x, y, 3), 1.0f);
}

TEST(Bilateral, NanAndInfinityReachNoOtherPixel) {
  for (const float strange :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    const Image source =
        image_of(spec_of({0, 0, 21, 21}, PixelType::f32, 3),
                 [&](int, int x, int y, int) { return x == 10 && y == 10 ? strange : 0.5f; });
    const Image made = run_chain("bilateral", source);
    for (int y = 0; y < 21; ++y)
      for (int x = 0; x < 21; ++x)
        EXPECT_EQ(std::bit_cast<std::uint32_t>(value_at(made, x, y)),
                  std::bit_cast<std::uint32_t>(x == 10 && y == 10 ? strange : 0.5f));
  }
}

TEST(Bilateral, VectorsAndSinglePixelsAgree) {
  // Rows of one pixel use the scalar definition.
  Image source = noise(spec_of({0, 0, 33, 12}, PixelType::f32, 4));
  for (int i = 0; i < 30; ++i)
    *(reinterpret_cast<float*>(source.row(0, i % 12)) + i * 4) =
        i % 3 == 0 ? std::numeric_limits<float>::infinity() : std::ldexp(1.0f, i * 4 - 60);
  const Plan plan = plan_of(parse_chain("bilateral --radius 3 --sigma-range 2"), source.spec());
  ASSERT_EQ(plan.steps.size(), 1u);
  const Operation& operation = *plan.steps.front().operation;
  const Image whole = run_plan(plan, source);
  const Queue queue = Queue::cpu(1);
  const Frame frame = Frame::over_image(source, 0);
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 33; ++x) {
      const Rect one = {x, y, 1, 1};
      const Frame made = Frame::new_host({one, PixelType::f32, 4, Storage::host});
      const Frame needed = frame.cropped(operation.needed(one));
      operation.run(queue, 0, {&needed, 1}, made);
      for (int c = 0; c < 4; ++c)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(made.pixel_as<float>(x, y)[c]),
                  std::bit_cast<std::uint32_t>(value_at(whole, x, y, c)));
    }
}

}  // namespace
}  // namespace cuimg::test
