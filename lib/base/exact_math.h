// SPDX-License-Identifier: Apache-2.0
// Double-precision functions for tables and matrices computed once on the host. glibc selects its
// sin, exp and pow by the CPU's features, and their last bits differ. These functions give the same
// results everywhere.
#pragma once

namespace cuimg::exact {

inline constexpr double pi = 3.14159265358979323846;

/// e^x, error under 1 ulp.
double exp(double x);
/// The natural logarithm, error under 1 ulp; -infinity for 0, NaN below 0.
double log(double x);
/// x^y for x >= 0, error under 1 ulp; 0^0 is 1; NaN for x below 0.
double pow(double x, double y);

/// sin(pi x), error under 1 ulp, exact (0, 1, -1) at multiples of 1/2. x in half turns.
double sin_pi(double x);
/// cos(pi x), error under 1 ulp, exact (0, 1, -1) at multiples of 1/2. x in half turns.
double cos_pi(double x);
/// sin(pi x) / (pi x), error under 2 ulp, 1 at 0 and exactly 0 at the other integers.
double sinc(double x);

}  // namespace cuimg::exact
