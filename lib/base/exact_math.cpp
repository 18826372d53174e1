// SPDX-License-Identifier: Apache-2.0
// Series over short ranges in double, with a second double for the bits that the first one loses.
#include "base/exact_math.h"

#include <bit>
#include <cmath>  // fma, floor and ldexp only: exact operations, the same in every libm
#include <cstdint>
#include <limits>

namespace cuimg::exact {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
// ln 2 in two parts; the first has 20 trailing zero bits, so its product with an exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
constexpr double pi_high = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53;

struct Pair {
  double high, low;
};

Pair fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, (a - sum) + b};
}
Pair multiply(Pair a, Pair b) {
  const double high = a.high * b.high;
  return {high, std::fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high)};
}
Pair add(Pair a, Pair b) {  // |a| >= |b|
  Pair sum = fast_two_sum(a.high, b.high);
  sum.low += a.low + b.low;
  return fast_two_sum(sum.high, sum.low);
}

/// ln(x) for finite x > 0, relative error under 2^-64. With s = (m-1)/(m+1) and t = s^2,
/// ln m = 2 s (1 + t/3 + t^2/5 + ...).
Pair log_pair(double x) {
  int exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto shift = static_cast<std::int64_t>(bits - 0x3fe6a09e667f3bcdu) >> 52;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(shift) << 52));
  exponent += static_cast<int>(shift);

  const double f = m - 1.0;
  const Pair d = m < 1.0 ? fast_two_sum(1.0, m) : fast_two_sum(m, 1.0);
  const double s_high = f / d.high;
  const double s_low = std::fma(-s_high, d.low, std::fma(-s_high, d.high, f)) / d.high;
  const double t_high = s_high * s_high;
  const Pair t{t_high, std::fma(s_high, s_high, -t_high) + 2.0 * s_high * s_low};

  double q = 1.0 / 27;
  for (int n = 25; n >= 7; n -= 2) q = q * t_high + 1.0 / n;
  // 1/5 and 1/3, with the bits that their doubles lose.
  Pair u = add({0x1.999999999999ap-3, -0x1.999999999999ap-57}, {t_high * q, t.low * q});
  u = add({0x1.5555555555555p-2, 0x1.5555555555555p-56}, multiply(t, u));
  u = add({1.0, 0.0}, multiply(t, u));
  const Pair series = multiply({2.0 * s_high, 2.0 * s_low}, u);
  if (exponent == 0) return fast_two_sum(series.high, series.low);
  return add(add({exponent * ln2_high, 0.0}, {exponent * ln2_low, 0.0}), series);
}

/// e^(x.high + x.low).
double exp_pair(Pair x) {
  if (x.high > 709.8) return infinity;
  if (x.high < -745.2) return 0.0;
  const double n = std::floor(x.high * 1.4426950408889634 + 0.5);
  const double r = x.high - n * ln2_high;
  const double r_low = x.low - n * ln2_low;
  const double z = r + r_low;
  double q = 1.0 / 6227020800.0;  // 1/13!
  constexpr double inverse_factorials[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};
  for (double c : inverse_factorials) q = q * z + c;
  const Pair sum = fast_two_sum(1.0, r);
  const double mantissa = sum.high + (sum.low + (r_low + z * z * q));
  return std::ldexp(mantissa, static_cast<int>(n));
}

/// sin(pi (r.high + r.low)) for |r| <= 1/4.
double sin_core(Pair r) {
  const Pair a = multiply(r, {pi_high, pi_low});
  const double w = a.high * a.high;
  double q = -1.0 / 121645100408832000.0;  // -1/19!
  constexpr double c[] = {1.0 / 355687428096000.0,
                          -1.0 / 1307674368000.0,
                          1.0 / 6227020800.0,
                          -1.0 / 39916800,
                          1.0 / 362880,
                          -1.0 / 5040,
                          1.0 / 120,
                          -1.0 / 6};
  for (double value : c) q = q * w + value;
  return a.high + (a.high * w * q + a.low * (1.0 - 0.5 * w));
}

/// cos(pi (r.high + r.low)) for |r| <= 1/4.
double cos_core(Pair r) {
  const Pair a = multiply(r, {pi_high, pi_low});
  const double w = a.high * a.high;
  const double w_low = std::fma(a.high, a.high, -w);
  double q = 1.0 / 2432902008176640000.0;  // 1/20!
  constexpr double c[] = {-1.0 / 6402373705728000.0,
                          1.0 / 20922789888000.0,
                          -1.0 / 87178291200.0,
                          1.0 / 479001600,
                          -1.0 / 3628800,
                          1.0 / 40320,
                          -1.0 / 720,
                          1.0 / 24};
  for (double value : c) q = q * w + value;
  const Pair sum = fast_two_sum(1.0, -0.5 * w);
  return sum.high + (sum.low + (w * w * q - 0.5 * w_low - a.high * a.low));
}

/// sin(pi x) after `quarters` quarter turns of the argument.
double sine(double x, int quarters) {
  if (!(x > -infinity && x < infinity)) return quiet_nan;
  // From 2^53 on every double is an even integer.
  if (x >= 0x1p53 || x <= -0x1p53) x = 0.0;
  const double n = std::floor(2.0 * x + 0.5);
  const Pair r = {x - 0.5 * n, 0.0};
  const auto quadrant = static_cast<std::uint64_t>(static_cast<std::int64_t>(n) + quarters) & 3;
  const double value = (quadrant & 1) ? cos_core(r) : sin_core(r);
  // Not -0: zero at a right angle has no sign.
  return ((quadrant & 2) ? -value : value) + 0.0;
}

}  // namespace

double exp(double x) { return x != x ? quiet_nan : exp_pair({x, 0.0}); }

double log(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -infinity : quiet_nan;
  return x == infinity ? infinity : log_pair(x).high;
}

double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (!(x >= 0.0) || y != y) return quiet_nan;
  if (x == 0.0 || x == infinity) return (x == 0.0) == (y > 0.0) ? 0.0 : infinity;
  const Pair ln = log_pair(x);
  // This is far outside the range of exp; the product's low part could be infinite.
  const double product = ln.high * y;
  if (product > 800.0) return infinity;
  if (product < -800.0) return 0.0;
  return exp_pair(multiply(ln, {y, 0.0}));
}

double sin_pi(double x) { return sine(x, 0); }
double cos_pi(double x) { return sine(x, 1); }

double sinc(double x) {
  if (x == 0.0) return 1.0;
  if (x == infinity || x == -infinity) return 0.0;
  return sin_pi(x) / (pi * x);
}

}  // namespace cuimg::exact
