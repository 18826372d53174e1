// SPDX-License-Identifier: Apache-2.0
// The host's double functions against long double, and their exact values.
#include "base/exact_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace {

using namespace cuimg;

constexpr double inf = std::numeric_limits<double>::infinity();

double ulp_error(double found, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return static_cast<double>(std::fabs(found - exact) /
                             std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

/// Repeatable random doubles, uniform in [0, 1).
class Sequence {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  double between(double low, double high) { return low + (high - low) * next(); }

 private:
  std::uint64_t state_ = 1;
};

TEST(ExactMath, ExpLogAndPowAreWithinOneUlp) {
  Sequence sequence;
  double exp_error = 0, log_error = 0, pow_error = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = sequence.between(-745, 709.7);
    exp_error =
        std::max(exp_error, ulp_error(exact::exp(x), std::exp(static_cast<long double>(x))));
    const double small = sequence.between(-1, 1);
    exp_error = std::max(exp_error,
                         ulp_error(exact::exp(small), std::exp(static_cast<long double>(small))));
    const double wide =
        std::ldexp(1.0 + sequence.next(), static_cast<int>(sequence.between(-1074, 1023)));
    log_error =
        std::max(log_error, ulp_error(exact::log(wide), std::log(static_cast<long double>(wide))));
    const double near = sequence.between(0.6, 1.6);
    log_error =
        std::max(log_error, ulp_error(exact::log(near), std::log(static_cast<long double>(near))));
    const double base = sequence.between(0, 2), power = sequence.between(-80, 80);
    pow_error = std::max(pow_error, ulp_error(exact::pow(base, power),
                                              std::pow(static_cast<long double>(base), power)));
  }
  RecordProperty("exp_ulp", std::to_string(exp_error));
  RecordProperty("log_ulp", std::to_string(log_error));
  RecordProperty("pow_ulp", std::to_string(pow_error));
  EXPECT_LT(exp_error, 1.0);
  EXPECT_LT(log_error, 1.0);
  EXPECT_LT(pow_error, 1.0);
}

TEST(ExactMath, ExpLogAndPowKeepSpecialValues) {
  EXPECT_EQ(exact::exp(0.0), 1.0);
  EXPECT_EQ(exact::exp(inf), inf);
  EXPECT_EQ(exact::exp(-inf), 0.0);
  EXPECT_TRUE(std::isnan(exact::exp(NAN)));
  EXPECT_EQ(exact::log(1.0), 0.0);
  EXPECT_EQ(exact::log(0.0), -inf);
  EXPECT_EQ(exact::log(inf), inf);
  EXPECT_TRUE(std::isnan(exact::log(-1.0)));
  EXPECT_EQ(exact::pow(0.0, 2.4), 0.0);
  EXPECT_EQ(exact::pow(0.0, 0.0), 1.0);
  EXPECT_EQ(exact::pow(0.0, -1.0), inf);
  EXPECT_EQ(exact::pow(inf, -1.0), 0.0);
  EXPECT_EQ(exact::pow(2.0, 10.0), 1024.0);
  EXPECT_EQ(exact::pow(3.0, 1e300), inf);
  EXPECT_EQ(exact::pow(0.3, inf), 0.0);
  EXPECT_TRUE(std::isnan(exact::pow(-1.0, 0.5)));
}

TEST(ExactMath, SineAndCosineAreWithinOneUlp) {
  Sequence sequence;
  double near_error = 0, far_error = 0;
  constexpr long double pi = std::numbers::pi_v<long double>;
  for (int i = 0; i < 200000; ++i) {
    // Within a quarter the reference does not need to reduce pi x, which would add an error of its
    // own.
    const double x = sequence.between(-0.25, 0.25);
    const long double sine = std::sin(pi * x), cosine = std::cos(pi * x);
    near_error = std::max(
        {near_error, ulp_error(exact::sin_pi(x), sine), ulp_error(exact::cos_pi(x), cosine)});
    // Farther away whole quarters are subtracted, which is exact, and the result is rotated back.
    const double far = sequence.between(-1000, 1000), quarters = std::floor(2 * far + 0.5);
    const long double left = pi * (far - quarters / 2);
    const long double turned[] = {std::sin(left), std::cos(left), -std::sin(left), -std::cos(left)};
    const auto quadrant = static_cast<std::size_t>(static_cast<int>(quarters) & 3);
    far_error = std::max({far_error, ulp_error(exact::sin_pi(far), turned[quadrant]),
                          ulp_error(exact::cos_pi(far), turned[(quadrant + 1) & 3])});
  }
  RecordProperty("near_ulp", std::to_string(near_error));
  RecordProperty("far_ulp", std::to_string(far_error));
  EXPECT_LT(near_error, 1.0);
  EXPECT_LT(far_error, 1.0);
}

TEST(ExactMath, SineAndCosineTurnByQuartersExactly) {
  Sequence sequence;
  for (int quarter = -9; quarter <= 9; ++quarter) {
    // Multiples of 2^-40, so that adding quarters does not round.
    const double x = std::floor(sequence.between(-0.25, 0.25) * 0x1p40) * 0x1p-40;
    const double turned = x + 0.5 * quarter;
    const double sine = exact::sin_pi(x), cosine = exact::cos_pi(x);
    const double expected[] = {sine, cosine, -sine, -cosine};
    EXPECT_EQ(exact::sin_pi(turned), expected[quarter & 3]) << turned;
    EXPECT_EQ(exact::cos_pi(turned), expected[(quarter + 1) & 3]) << turned;
  }
  for (double turn : {-4.0, 0.0, 2.0, 1e6, 0x1p60}) {
    EXPECT_EQ(exact::sin_pi(turn), 0.0);
    EXPECT_EQ(exact::cos_pi(turn), 1.0);
  }
  EXPECT_EQ(exact::sin_pi(0.5), 1.0);
  EXPECT_EQ(exact::sin_pi(-0.5), -1.0);
  EXPECT_EQ(exact::cos_pi(0.5), 0.0);
  EXPECT_EQ(exact::cos_pi(1.0), -1.0);
  EXPECT_TRUE(std::isnan(exact::sin_pi(inf)));
  EXPECT_TRUE(std::isnan(exact::cos_pi(NAN)));
}

TEST(ExactMath, SincIsOneAtZeroAndZeroAtIntegers) {
  EXPECT_EQ(exact::sinc(0.0), 1.0);
  for (int n = 1; n < 20; ++n) {
    EXPECT_EQ(exact::sinc(n), 0.0);
    EXPECT_EQ(exact::sinc(-n), 0.0);
  }
  constexpr long double pi = std::numbers::pi_v<long double>;
  for (double x = -0.24; x < 0.25; x += 0.01)
    EXPECT_LT(ulp_error(exact::sinc(x), std::sin(pi * x) / (pi * x)), 2.0) << x;
}

}  // namespace
