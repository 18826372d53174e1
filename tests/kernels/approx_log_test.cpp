// SPDX-License-Identifier: Apache-2.0
// The documented errors of the short logarithm, power, reciprocal and quotient.
#include "kernels/math/approx_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/math/exp_log.h"

namespace {

using namespace cuimg;

// Checks every `step`th float from `low` to `high`.
template <class Check>
void for_floats(float low, float high, std::uint32_t step, const Check& check) {
  for (std::uint32_t bits = bits_of(low); bits <= bits_of(high); bits += step)
    check(float_from_bits(bits));
}

TEST(ShortMath, LogarithmIsWithinATenMillionthAndHalfAnUlp) {
  for_floats(0x1p-126f, 0x1.fffffep127f, 997, [](float x) {
    const double exact = std::log2(static_cast<double>(x));
    const double half_ulp = std::ldexp(std::max(std::abs(exact), 0x1p-20), -24);
    ASSERT_NEAR(static_cast<double>(log2_short(x)), exact, 1e-7 + half_ulp) << x;
  });
  for_floats(0.5f, 2.0f, 3, [](float x) {
    ASSERT_NEAR(static_cast<double>(log2_short(x)), std::log2(static_cast<double>(x)), 1.6e-7) << x;
  });
  for (int e = -126; e < 128; ++e)
    EXPECT_EQ(log2_short(std::ldexp(1.0f, e)), static_cast<float>(e));
}

TEST(ShortMath, PowerOfTwoIsWithinAnUlp) {
  const auto check = [](float x) {
    const double exact = std::exp2(static_cast<double>(x));
    const double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
    ASSERT_NEAR(static_cast<double>(exp2_short(x)), exact, ulp) << x;
  };
  for_floats(0x1p-30f, 127.0f, 997, check);
  for_floats(0x1p-30f, 125.0f, 997, [&](float x) { check(-x); });
  for (int e = -125; e <= 127; ++e)
    EXPECT_EQ(exp2_short(static_cast<float>(e)), std::ldexp(1.0f, e));
}

TEST(ShortMath, ReciprocalIsWithinAnUlp) {
  const auto check = [](float x) {
    const double exact = 1 / static_cast<double>(x);
    // One unit in the last place of the exact value.
    const double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
    ASSERT_NEAR(static_cast<double>(reciprocal_short(x)), exact, ulp) << x;
  };
  for_floats(0x1p-100f, 0x1p120f, 997, check);
  for_floats(0.5f, 2.0f, 3, check);
}

// The result may differ in its last bit only where the exact quotient is half-way.
TEST(ShortMath, QuotientIsTheRoundedOne) {
  for_floats(0x1p-100f, 0x1.5p-3f, 1000003, [](float a) {
    for_floats(0x1.5p-3f, 4.0f, 40009,
               [a](float b) { ASSERT_EQ(quotient_short(a, b), a / b) << a << " " << b; });
  });
  EXPECT_EQ(quotient_short(0.0f, 3.0f), 0.0f);
}

}  // namespace
