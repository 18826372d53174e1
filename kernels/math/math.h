// SPDX-License-Identifier: Apache-2.0
// Float operations whose bits must not depend on the device. Selections use masks instead of
// branches: then GCC vectorises loops over these functions without changing the flags.
#pragma once

#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/platform.h"

namespace cuimg {

inline constexpr std::uint32_t canonical_nan_bits = 0x7fc00000u;

/// The bits of `from` as a `To` of the same size.
template <class To, class From>
CUIMG_HD constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast needs types of the same size");
  return __builtin_bit_cast(To, from);
}

/// a*b + c with one rounding.
CUIMG_HD inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

/// The correctly rounded square root; the NaN of a negative argument is canonical.
CUIMG_HD inline float sqrt(float x) {
  const float root = __builtin_sqrtf(x);
  return root != root ? float_from_bits(canonical_nan_bits) : root;
}

/// `condition ? a : b` on the bits, without a branch.
CUIMG_HD inline std::uint32_t select(bool condition, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t mask = 0u - static_cast<std::uint32_t>(condition);
  return (a & mask) | (b & ~mask);
}
CUIMG_HD inline std::int32_t select(bool condition, std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(
      select(condition, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
}
CUIMG_HD inline float select(bool condition, float a, float b) {
  return float_from_bits(select(condition, bits_of(a), bits_of(b)));
}

CUIMG_HD inline bool is_nan(float x) { return (bits_of(x) & 0x7fffffffu) > 0x7f800000u; }
CUIMG_HD inline bool is_finite(float x) { return (bits_of(x) & 0x7f800000u) != 0x7f800000u; }
CUIMG_HD inline float abs(float x) { return float_from_bits(bits_of(x) & 0x7fffffffu); }
/// The magnitude of `x` with the sign of `sign`.
CUIMG_HD inline float copysign(float x, float sign) {
  return float_from_bits((bits_of(x) & 0x7fffffffu) | (bits_of(sign) & 0x80000000u));
}

/// The value that arithmetic must store if it may have produced a NaN: x86 produces 0xffc00000, the
/// card 0x7fffffff, and they treat the payloads of operands differently.
CUIMG_HD inline float canonical_nan(float x) {
  return float_from_bits(select(x != x, canonical_nan_bits, bits_of(x)));
}

/// An integer with the order of the floats, -0 below +0, and NaN outside.
CUIMG_HD inline std::int32_t order_key(float x) {
  const auto bits = static_cast<std::int32_t>(bits_of(x));
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

/// The smaller, -0 below +0. A NaN is ignored unless both are NaN, which gives the canonical one.
CUIMG_HD inline float min(float a, float b) {
  const float smaller = select(order_key(b) < order_key(a), b, a);
  return canonical_nan(select(is_nan(a), b, select(is_nan(b), a, smaller)));
}
/// The larger, by the rules of min.
CUIMG_HD inline float max(float a, float b) {
  const float larger = select(order_key(a) < order_key(b), b, a);
  return canonical_nan(select(is_nan(a), b, select(is_nan(b), a, larger)));
}

/// For int: with only the overloads above, ints would be converted to float. Other types are
/// errors.
CUIMG_HD constexpr int min(int a, int b) { return b < a ? b : a; }
CUIMG_HD constexpr int max(int a, int b) { return a < b ? b : a; }
template <class A, class B>
void min(A, B) = delete;
template <class A, class B>
void max(A, B) = delete;

/// `x` within [low, high]; NaN becomes `low`. A zero keeps its sign only if it is strictly inside.
CUIMG_HD inline float clamp(float x, float low, float high) {
  const float raised = select(x > low, x, low);
  return select(raised < high, raised, high);
}

/// Toward zero, saturating at the ends of int32; NaN gives 0.
CUIMG_HD inline std::int32_t trunc_to_int(float x) {
  const float inside = clamp(x, -0x1p31f, 0x1.fffffep30f);
  const std::int32_t whole = select(x >= 0x1p31f, INT32_MAX, static_cast<std::int32_t>(inside));
  return select(x != x, 0, whole);
}
/// Downward, saturating; NaN gives 0.
CUIMG_HD inline std::int32_t floor_to_int(float x) {
  const std::int32_t whole = trunc_to_int(x);
  // At INT32_MIN, the saturated value, nothing is lower, so the subtraction cannot overflow.
  const bool above = static_cast<float>(whole) > x && whole != INT32_MIN;
  return whole - static_cast<std::int32_t>(above);
}
/// To the nearest, ties to even, as a float; exact for every magnitude, keeps the sign of zero.
CUIMG_HD inline float round_even(float x) {
  const float magic = copysign(0x1p23f, x);
  const float rounded = copysign((x + magic) - magic, x);
  return canonical_nan(select(abs(x) < 0x1p23f, rounded, x));
}
/// Downward, as a float; exact for every magnitude, keeps the sign of zero.
CUIMG_HD inline float floor(float x) {
  const float nearest = round_even(x);
  return canonical_nan(copysign(nearest - select(nearest > x, 1.0f, 0.0f), x));
}

}  // namespace cuimg
