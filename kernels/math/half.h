// SPDX-License-Identifier: Apache-2.0
// Half precision (IEEE-754 binary16) to and from float, defined in integers, so that results do not
// depend on a processor's treatment of NaN, ties or denormals. A card's own instructions differ
// only for NaNs, as tests/gpu/half_test.cpp shows for every value; cards use them for all other
// values.
#pragma once

#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// A half as stored in memory.
struct Half {
  std::uint16_t bits;
};

/// float_to_half stores this for every NaN: x86 and the card produce different ones in arithmetic.
inline constexpr std::uint16_t half_quiet_nan = 0x7e00;

namespace detail {

CUIMG_HD constexpr float half_to_float_in_integers(Half half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = half.bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return float_from_bits(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude >= 0x400u) return float_from_bits(sign | ((magnitude << 13) + (112u << 23)));
  // A denormal is an integer count of 2^-24, and that product is exact.
  const float small = static_cast<float>(magnitude) * 0x1p-24f;
  return float_from_bits(sign | bits_of(small));
}

CUIMG_HD constexpr Half float_to_half_in_integers(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {half_quiet_nan};
  // The step of the result is 2^-24 for denormals, so they drop more bits of the significand.
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent < -25) return {static_cast<std::uint16_t>(sign)};
  const int dropped = exponent < -14 ? -1 - exponent : 13;
  const std::uint32_t significand =
      exponent < -14 ? (magnitude & 0x7fffffu) | 0x800000u : magnitude - (112u << 23);
  const std::uint32_t last = significand >> dropped & 1u;
  const std::uint32_t half_step = 1u << (dropped - 1);
  std::uint32_t rounded = (significand + half_step - 1u + last) >> dropped;
  if (magnitude >= 0x7f800000u || rounded > 0x7c00u) rounded = 0x7c00u;
  return {static_cast<std::uint16_t>(sign | rounded)};
}

}  // namespace detail

/// Exact. A NaN's payload moves to the upper bits, so a half that is read and stored again is
/// unchanged.
CUIMG_HD inline float half_to_float(Half half) {
#if defined(__CUDA_ARCH__)
  const std::uint32_t magnitude = half.bits & 0x7fffu;
  float converted;
  asm("cvt.f32.f16 %0, %1;" : "=f"(converted) : "h"(half.bits));
  const std::uint32_t nan =
      (half.bits ^ magnitude) << 16 | 0x7f800000u | (magnitude & 0x3ffu) << 13;
  return magnitude > 0x7c00u ? float_from_bits(nan) : converted;
#else
  return detail::half_to_float_in_integers(half);
#endif
}

/// The ordinary conversion: ties to even, infinity beyond 65520, denormals kept, 0x7e00 for any
/// NaN.
CUIMG_HD inline Half float_to_half(float value) {
#if defined(__CUDA_ARCH__)
  std::uint16_t converted;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(converted) : "f"(value));
  return {value == value ? converted : half_quiet_nan};
#else
  return detail::float_to_half_in_integers(value);
#endif
}

/// As the texture unit converts a border colour: towards zero, so nothing finite becomes infinite.
CUIMG_HD constexpr Half float_to_half_truncated(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {half_quiet_nan};
  if (magnitude == 0x7f800000u) return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent < -24) return {static_cast<std::uint16_t>(sign)};
  if (exponent > 15) return {static_cast<std::uint16_t>(sign | 0x7bffu)};
  const std::uint32_t cut = exponent < -14
                                ? ((magnitude & 0x7fffffu) | 0x800000u) >> (-1 - exponent)
                                : (magnitude - (112u << 23)) >> 13;
  return {static_cast<std::uint16_t>(sign | cut)};
}

}  // namespace cuimg
