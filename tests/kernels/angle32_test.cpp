// SPDX-License-Identifier: Apache-2.0
// Sines of integer phases compared with the double functions.
#include "kernels/math/angle32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/exact_math.h"

namespace cuimg {
namespace {

TEST(Turns, AreWithinTheirErrorAllAroundTheCircle) {
  double worst = 0;
  for (std::uint64_t phase = 0; phase < 0x100000000u; phase += 65521) {
    const double half_turns = std::ldexp(static_cast<double>(phase), -31);
    const auto word = static_cast<std::uint32_t>(phase);
    worst = std::max({worst, std::fabs(sine_of_turns(word) - exact::sin_pi(half_turns)),
                      std::fabs(cosine_of_turns(word) - exact::cos_pi(half_turns))});
  }
  EXPECT_LT(worst, std::ldexp(1.0, -23));
}

TEST(Turns, AreExactAtQuartersAndOdd) {
  EXPECT_EQ(cosine_of_turns(0), 1.0f);
  EXPECT_EQ(sine_of_turns(0x40000000u), 1.0f);
  EXPECT_EQ(cosine_of_turns(0x80000000u), -1.0f);
  EXPECT_EQ(sine_of_turns(0xc0000000u), -1.0f);
  for (const std::uint32_t zero : {0u, 0x80000000u}) EXPECT_EQ(bits_of(sine_of_turns(zero)), 0u);
  for (std::uint32_t phase = 12345; phase < 0x7fffffffu; phase += 9999991)
    EXPECT_EQ(sine_of_turns(phase), -sine_of_turns(0u - phase));
}

TEST(Turns, OfPointsAreWithinTheirErrorAllAround) {
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const double half_turns = 2 * (i + 0.5) / 100000;
    const auto x = static_cast<float>(3 * exact::cos_pi(half_turns));
    const auto y = static_cast<float>(3 * exact::sin_pi(half_turns));
    const double turns = std::atan2(double{y}, double{x}) / (2 * exact::pi);
    const auto error = static_cast<std::int32_t>(
        turns_of(y, x) - static_cast<std::uint32_t>(std::llrint(std::ldexp(turns, 32))));
    worst = std::max(worst, std::fabs(std::ldexp(error, -32)));
  }
  EXPECT_LT(worst, std::exp2(-25));
}

TEST(Turns, OfAxesAndDiagonalsAreExact) {
  EXPECT_EQ(turns_of(0, 0), 0u);
  EXPECT_EQ(turns_of(0, 2), 0u);
  EXPECT_EQ(turns_of(2, 2), 0x20000000u);
  EXPECT_EQ(turns_of(2, 0), 0x40000000u);
  EXPECT_EQ(turns_of(2, -2), 0x60000000u);
  EXPECT_EQ(turns_of(0, -2), 0x80000000u);
  EXPECT_EQ(turns_of(-2, -2), 0xa0000000u);
  EXPECT_EQ(turns_of(-2, 0), 0xc0000000u);
  EXPECT_EQ(turns_of(-2, 2), 0xe0000000u);
}

}  // namespace
}  // namespace cuimg
