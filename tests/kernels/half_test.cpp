// SPDX-License-Identifier: Apache-2.0
// Half precision: every code to float and back, and rounding compared with sums in double.
#include "kernels/math/half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cuimg {
namespace {

// The value of a finite half, computed from its definition.
double value_of(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double significand = (bits & 1023) + (exponent ? 1024 : 0);
  return std::ldexp(significand, std::max(exponent, 1) - 25) * (bits & 0x8000 ? -1 : 1);
}

TEST(Half, EveryCodeBecomesItsValueAndComesBack) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const float value = half_to_float(half);
    if ((bits & 0x7fff) > 0x7c00) {
      ASSERT_TRUE(std::isnan(value));
      ASSERT_EQ(float_to_half(value).bits, half_quiet_nan);
      continue;
    }
    if ((bits & 0x7fff) < 0x7c00) {
      ASSERT_EQ(value, value_of(bits));
      ASSERT_EQ(std::signbit(value), (bits & 0x8000) != 0);
    }
    ASSERT_EQ(float_to_half(value).bits, bits);
    ASSERT_EQ(float_to_half_truncated(value).bits, bits);
  }
}

TEST(Half, BetweenTwoCodesTheNearerIsTaken) {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    const double low = value_of(bits), high = value_of(bits + 1);
    const auto tie = static_cast<float>((low + high) / 2);
    const float below = std::nextafterf(tie, 0), above = std::nextafterf(tie, 1e9f);
    const unsigned even = bits % 2 ? bits + 1 : bits;
    ASSERT_EQ(float_to_half(tie).bits, even) << tie;
    ASSERT_EQ(float_to_half(below).bits, bits) << below;
    ASSERT_EQ(float_to_half(above).bits, bits + 1) << above;
    ASSERT_EQ(float_to_half(-above).bits, (bits + 1) | 0x8000) << above;
    ASSERT_EQ(float_to_half_truncated(above).bits, bits);
  }
}

TEST(Half, LargeValuesBecomeInfinityFrom65520) {
  EXPECT_EQ(float_to_half(65519.99f).bits, 0x7bff);
  EXPECT_EQ(float_to_half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(float_to_half(-3e38f).bits, 0xfc00);
  EXPECT_EQ(float_to_half_truncated(3e38f).bits, 0x7bff);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()).bits, 0);
}

TEST(Half, APayloadSurvivesBecomingFloat) {
  EXPECT_EQ(bits_of(half_to_float({0x7c01})), 0x7f802000u);
  EXPECT_EQ(bits_of(half_to_float({0xfe55})), 0xffcaa000u);
}

}  // namespace
}  // namespace cuimg
