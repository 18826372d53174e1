// SPDX-License-Identifier: Apache-2.0
// The float functions compared with long double references, and their special cases.
#include "kernels/math/math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/math/exp_log.h"
#include "kernels/math/power.h"
#include "kernels/ulp.h"

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

/// The largest error in ulp of `function`, over every `stride`-th float of [from, to].
template <class Function, class Reference>
double worst_error(std::uint32_t from, std::uint32_t to, std::uint32_t stride, Function function,
                   Reference reference) {
  double worst = 0.0;
  for (std::uint64_t b = from; b <= to; b += stride) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(b));
    worst = std::max(worst, cuimg::test::ulp_error(function(x), reference(x)));
  }
  return worst;
}

TEST(Math, FmaRoundsOnce) {
  const float a = 1.0f + 0x1p-12f;
  EXPECT_EQ(cuimg::fma(a, a, -(1.0f + 0x1p-11f)), 0x1p-24f);
}

TEST(Math, NanMadeByArithmeticIsStoredCanonically) {
  volatile float zero = 0.0f;
  EXPECT_EQ(bits(cuimg::canonical_nan(zero / zero)), 0x7fc00000u);
  EXPECT_EQ(bits(cuimg::canonical_nan(std::bit_cast<float>(0xff812345u))), 0x7fc00000u);
  EXPECT_EQ(bits(cuimg::canonical_nan(-0.0f)), 0x80000000u);
  EXPECT_EQ(bits(cuimg::sqrt(-1.0f)), 0x7fc00000u);
}

TEST(Math, MinAndMaxOrderZerosAndIgnoreNan) {
  EXPECT_EQ(bits(cuimg::min(0.0f, -0.0f)), 0x80000000u);
  EXPECT_EQ(bits(cuimg::min(-0.0f, 0.0f)), 0x80000000u);
  EXPECT_EQ(bits(cuimg::max(0.0f, -0.0f)), 0u);
  EXPECT_EQ(bits(cuimg::max(-0.0f, 0.0f)), 0u);
  for (float other : {-inf, -2.5f, -0.0f, 1e-42f, 7.0f, inf}) {
    EXPECT_EQ(bits(cuimg::min(nan, other)), bits(other));
    EXPECT_EQ(bits(cuimg::min(other, -nan)), bits(other));
    EXPECT_EQ(bits(cuimg::max(nan, other)), bits(other));
    EXPECT_EQ(bits(cuimg::max(other, nan)), bits(other));
  }
  EXPECT_EQ(bits(cuimg::min(-nan, nan)), 0x7fc00000u);
  EXPECT_EQ(bits(cuimg::max(-nan, std::bit_cast<float>(0x7f812345u))), 0x7fc00000u);
  EXPECT_EQ(cuimg::min(-3.0f, 2.0f), -3.0f);
  EXPECT_EQ(cuimg::max(-3.0f, -4.0f), -3.0f);
}

TEST(Math, ConvertsToIntegersWithSaturationAndNanToZero) {
  EXPECT_EQ(cuimg::trunc_to_int(nan), 0);
  EXPECT_EQ(cuimg::floor_to_int(-nan), 0);
  for (float big : {0x1p31f, 3e9f, inf}) {
    EXPECT_EQ(cuimg::trunc_to_int(big), INT32_MAX);
    EXPECT_EQ(cuimg::floor_to_int(big), INT32_MAX);
    EXPECT_EQ(cuimg::trunc_to_int(-big), INT32_MIN);
    EXPECT_EQ(cuimg::floor_to_int(-big), INT32_MIN);
  }
  // Every 509th float within the range of int32, with both signs.
  for (std::uint32_t b = 0; b < 0x4f000000u; b += 509) {
    for (std::uint32_t sign : {0u, 0x80000000u}) {
      const float x = std::bit_cast<float>(b | sign);
      ASSERT_EQ(cuimg::trunc_to_int(x), static_cast<int>(std::trunc(x))) << x;
      ASSERT_EQ(cuimg::floor_to_int(x), static_cast<int>(std::floor(x))) << x;
      ASSERT_EQ(bits(cuimg::round_even(x)), bits(std::nearbyint(x))) << x;
      ASSERT_EQ(bits(cuimg::floor(x)), bits(std::floor(x))) << x;
    }
  }
  for (float x : {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 8388607.5f, 4194304.5f})
    EXPECT_EQ(cuimg::round_even(x), std::nearbyint(x)) << x;
}

TEST(ExpLog, ExponentialsAreWithinOneUlp) {
  const auto found = [](float x) { return cuimg::exp2_pair({x, 0.0f}); };
  const auto expected = [](float x) { return std::exp2(static_cast<long double>(x)); };
  // From 1e-10 to 150, which includes overflow and all denormal results.
  for (std::uint32_t sign : {0u, 0x80000000u})
    EXPECT_LT(worst_error(0x2edbe6ffu | sign, 0x43160000u | sign, 401, found, expected), 1.0);
  EXPECT_EQ(found(inf), inf);
  EXPECT_EQ(bits(found(-inf)), 0u);
  EXPECT_EQ(found(-0.0f), 1.0f);
  for (int n = -149; n < 128; ++n)
    EXPECT_EQ(found(static_cast<float>(n)), std::ldexp(1.0f, n)) << n;
}

TEST(ExpLog, LogarithmsAreWithinSixTenthsOfAnUlp) {
  const double log_error = worst_error(
      1, 0x7f7fffff, 1009, [](float x) { return cuimg::log(x); },
      [](float x) { return std::log(static_cast<long double>(x)); });
  // Close to 1, where the result cancels.
  const double near_one = worst_error(
      0x3f700000, 0x3f880000, 7, [](float x) { return cuimg::log(x); },
      [](float x) { return std::log(static_cast<long double>(x)); });
  RecordProperty("log_ulp", std::to_string(log_error));
  RecordProperty("log_ulp_near_one", std::to_string(near_one));
  EXPECT_LT(log_error, 0.6);
  EXPECT_LT(near_one, 0.6);
}

TEST(ExpLog, LogarithmsKeepSpecialValues) {
  EXPECT_EQ(cuimg::log(0.0f), -inf);
  EXPECT_EQ(cuimg::log(-0.0f), -inf);
  EXPECT_EQ(cuimg::log(inf), inf);
  EXPECT_EQ(bits(cuimg::log(1.0f)), 0u);
  for (float x : {-1.0f, -inf, -1e-42f, nan, -nan}) EXPECT_EQ(bits(cuimg::log(x)), 0x7fc00000u);
}

TEST(Power, OfAKnownExponentIsWithinAnUlp) {
  // Results that are normal numbers: 1e-12 to 1e12 for exponents up to 2.4.
  for (double p : {0.01, 0.159, 1 / 2.6, 1 / 2.4, 0.45, 0.8, 1.2, 2.0, 1 / 0.45, 2.4}) {
    const cuimg::LogFactor factor = cuimg::log_factor(p);
    const auto found = [&](float x) {
      return p < 1 ? cuimg::root_power(x, factor) : cuimg::power(x, factor);
    };
    const double error = worst_error(0x2b8cbccc, 0x5368d4a5, 9973, found, [p](float x) {
      return std::pow(static_cast<long double>(x), static_cast<long double>(p));
    });
    EXPECT_LT(error, 1.02) << p;
    RecordProperty("power_ulp_" + std::to_string(p), std::to_string(error));
    EXPECT_EQ(found(1.0f), 1.0f);
    EXPECT_EQ(bits(found(0.0f)), 0u);
    EXPECT_EQ(found(inf), inf);
    EXPECT_TRUE(std::isnan(found(nan)));
  }
}

TEST(Power, OfLargeExponentsStaysWithinThreeUlp) {
  for (double p : {6.277394636, 20.0, 78.84375, 100.0}) {
    const cuimg::LogFactor factor = cuimg::log_factor(p);
    // Bases whose powers are normal.
    const auto lowest = static_cast<float>(std::exp2(-125 / p));
    const auto highest = static_cast<float>(std::exp2(127 / p));
    const double error = worst_error(
        bits(lowest), bits(highest), 211, [&](float x) { return cuimg::power(x, factor); },
        [p](float x) {
          return std::pow(static_cast<long double>(x), static_cast<long double>(p));
        });
    EXPECT_LT(error, 3.0) << p;
  }
}

TEST(Power, OverflowsToInfinityAndCountsWhatIsTinyAsZero) {
  const cuimg::LogFactor square = cuimg::log_factor(2);
  EXPECT_EQ(cuimg::power(1e20f, square), inf);
  EXPECT_EQ(cuimg::power(1.8e19f, square), 1.8e19f * 1.8e19f);
  EXPECT_EQ(bits(cuimg::power(1e-20f, square)), 0u);
  EXPECT_EQ(bits(cuimg::power(1e-40f, square)), 0u);
  EXPECT_EQ(bits(cuimg::root_power(1e-40f, cuimg::log_factor(0.5))), 0u);
}

}  // namespace
