// SPDX-License-Identifier: Apache-2.0
// The texture unit's weighted sum of four texels, for four channels (or pixels) at a time, on the
// host. It equals kernels/texture/texture_combine.h bit for bit; values that need that code (NaN,
// infinities, very small floats) are reported instead.
//
// Written in the compilers' own vector types, so one source serves every instruction set.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/texture/texture.h"

namespace cuimg::lanes {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Double4 = double __attribute__((vector_size(32)));
using Long4 = std::int64_t __attribute__((vector_size(32)));

// For vectors of 16 bytes; wider ones are not passed to functions, because the calling convention
// would depend on the instruction set.
template <class To, class From>
inline To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

inline Int4 larger(Int4 a, Int4 b) { return a > b ? a : b; }

inline bool any(Int4 mask) {
  const auto halves = bits_as<std::uint64_t __attribute__((vector_size(16)))>(mask);
  return (halves[0] | halves[1]) != 0;
}

/// Operations for which instruction sets have different fast forms, with the same results: this set
/// is for any machine.
struct PortableSet {
  static void to_double(Float4 from, Double4& to) { to = __builtin_convertvector(from, Double4); }
  static void to_long(Int4 from, Long4& to) { to = __builtin_convertvector(from, Long4); }
  static void to_float(const Double4& from, Float4& to) {
    to = __builtin_convertvector(from, Float4);
  }
  /// Rounds towards zero, keeping the sign of a zero. If |value| is above 2^31 (a texel without
  /// weight), the result is an arbitrary finite number.
  static void truncate(Double4& value) {
    const Long4 sign = __builtin_bit_cast(Long4, value) & INT64_MIN;
    const Int4 whole = __builtin_convertvector(value, Int4);
    const Double4 back = __builtin_convertvector(whole, Double4);
    value = __builtin_bit_cast(Double4, (__builtin_bit_cast(Long4, back) & INT64_MAX) | sign);
  }
  static void truncate(Float4& value) {
    const Int4 sign = bits_as<Int4>(value) & INT32_MIN;
    const Int4 whole = __builtin_convertvector(value, Int4);
    const Float4 back = __builtin_convertvector(whole, Float4);
    value = bits_as<Float4>((bits_as<Int4>(back) & INT32_MAX) | sign);
  }
  /// The values of halves given as their bits; infinities and NaN become arbitrary finite numbers.
  static void from_half(Int4 half, Float4& to) {
    const Int4 magnitude = half & 0x7fff;
    const auto normal = bits_as<Float4>((magnitude << 13) + (112 << 23));
    // A denormal written as 2^-14 + its value.
    const Float4 denormal = bits_as<Float4>((magnitude << 13) + (113 << 23)) - 0x1p-14f;
    const Float4 value = magnitude < 0x400 ? denormal : normal;
    to = bits_as<Float4>(bits_as<Int4>(value) | (half & 0x8000) << 16);
  }
};

/// Four channels of T widened to 32 bits: floats and halves as their bits, integers by value.
inline std::int32_t word(float texel) { return __builtin_bit_cast(std::int32_t, texel); }
inline std::int32_t word(Half texel) { return texel.bits; }
template <class T>
inline std::int32_t word(T texel) {
  return texel;
}

template <class Vector>
inline Int4 widened_as(const char* from) {
  Vector narrow;
  std::memcpy(&narrow, from, sizeof narrow);
  return __builtin_convertvector(narrow, Int4);
}
using Unsigned8x4 = std::uint8_t __attribute__((vector_size(4)));
using Unsigned16x4 = std::uint16_t __attribute__((vector_size(8)));
using Signed8x4 = std::int8_t __attribute__((vector_size(4)));
using Signed16x4 = std::int16_t __attribute__((vector_size(8)));
inline Int4 widened_four(const char* from, float) { return widened_as<Int4>(from); }
inline Int4 widened_four(const char* from, Half) { return widened_as<Unsigned16x4>(from); }
inline Int4 widened_four(const char* from, std::uint8_t) { return widened_as<Unsigned8x4>(from); }
inline Int4 widened_four(const char* from, std::uint16_t) { return widened_as<Unsigned16x4>(from); }
inline Int4 widened_four(const char* from, std::int8_t) { return widened_as<Signed8x4>(from); }
inline Int4 widened_four(const char* from, std::int16_t) { return widened_as<Signed16x4>(from); }

/// Sums texels `t` (widened) with weights `w` / 256; `has` is a mask of the weights above 0. If the
/// lanes are not valid, `special` is set and the result is meaningless. A texel without weight must
/// repeat one that has a weight.
template <class T, class Set>
struct Weigh;

template <class Set>
struct Weigh<float, Set> {
  using Weight = double;
  using Weights = Double4;

  static Float4 apply(const Int4 (&t)[4], const Weights (&w)[4], const Int4 (&has)[4],
                      bool& special) {
    Int4 largest{}, largest_of_all{};
    for (int i = 0; i < 4; ++i) {
      const Int4 magnitude = t[i] & INT32_MAX;
      largest = larger(largest, magnitude & has[i]);
      largest_of_all = larger(largest_of_all, magnitude);
    }
    // From 2^-90 on, the unit's flushing has no effect: denormal texels are truncated to zero
    // anyway, and the smallest sum, one unit of 2^(E - 35), is a normal float.
    constexpr std::int32_t smallest = (127 - 90) << 23;
    special = any((largest_of_all >= 0x7f800000) | ((largest < smallest) & (largest_of_all != 0)));

    // Texels in units of 2^(E - 27), as integers in doubles; E is the largest exponent.
    Long4 exponent;
    Set::to_long(largest >> 23, exponent);
    const auto scale = __builtin_bit_cast(Double4, (1023 + 127 + 27 - exponent) << 52);
    Double4 sum{};
    for (int i = 0; i < 4; ++i) {
      Double4 texel;
      Set::to_double(bits_as<Float4>(t[i]), texel);
      texel *= scale;
      Set::truncate(texel);
      sum = i == 0 ? texel * w[i] : sum + texel * w[i];
    }
    // The sum has at most 36 bits. A factor slightly above one breaks ties away from zero when the
    // cast rounds to nearest, and changes nothing else: 2^-50 of 36 bits is less than their last
    // bit.
    const auto back = __builtin_bit_cast(Double4, ((exponent + (1023 - 127 - 35)) << 52) | 4);
    Float4 result;
    Set::to_float(sum * back, result);
    return result;
  }
};

template <class Set>
struct Weigh<Half, Set> {
  using Weight = float;
  using Weights = Float4;

  static Float4 apply(const Int4 (&t)[4], const Weights (&w)[4], const Int4 (&has)[4],
                      bool& special) {
    Int4 largest{}, largest_of_all{};
    for (int i = 0; i < 4; ++i) {
      const Int4 magnitude = t[i] & 0x7fff;
      largest = larger(largest, magnitude & has[i]);
      largest_of_all = larger(largest_of_all, magnitude);
    }
    special = any((largest_of_all >= 0x7c00) | ((largest == 0) & (largest_of_all != 0)));

    // Texels in units of 2^(E - 14), with E at least -14; their sum has at most 23 bits.
    const Int4 exponent = larger(largest >> 10, Int4{1, 1, 1, 1});
    const auto scale = bits_as<Float4>((127 + 15 + 14 - exponent) << 23);
    Float4 sum{};
    for (int i = 0; i < 4; ++i) {
      Float4 texel;
      Set::from_half(t[i], texel);
      texel *= scale;
      Set::truncate(texel);
      sum = i == 0 ? texel * w[i] : sum + texel * w[i];
    }
    // To 11 bits or a multiple of 2^-24, whichever is coarser, halves away from zero.
    const Int4 bits = bits_as<Int4>(sum * bits_as<Float4>((exponent + (127 - 15 - 22)) << 23));
    const Int4 magnitude = bits & INT32_MAX;
    const Int4 rounded = (magnitude + 0x1000) & ~0x1fff;
    const Int4 steps = __builtin_convertvector(bits_as<Float4>(magnitude) * 0x1p24f + 0.5f, Int4);
    const Float4 small = __builtin_convertvector(steps, Float4) * 0x1p-24f;
    const Int4 result = magnitude < (113 << 23) ? bits_as<Int4>(small) : rounded;
    return bits_as<Float4>(result | (bits & INT32_MIN));
  }
};

inline Int4 weighted_sum(const Int4 (&t)[4], const Int4 (&w)[4]) {
  return w[0] * t[0] + w[1] * t[1] + w[2] * t[2] + w[3] * t[3];
}

template <class Set>
struct Weigh<std::uint8_t, Set> {
  using Weight = std::int32_t;
  using Weights = Int4;

  static Float4 apply(const Int4 (&t)[4], const Weights (&w)[4], const Int4 (&)[4], bool& special) {
    special = false;
    const Int4 value = (weighted_sum(t, w) * 257 + 128) >> 8;
    return __builtin_convertvector(value, Float4) / 65535.0f;
  }
};

template <class Set>
struct Weigh<std::uint16_t, Set> {
  using Weight = std::int32_t;
  using Weights = Int4;

  static Float4 apply(const Int4 (&t)[4], const Weights (&w)[4], const Int4 (&)[4], bool& special) {
    special = false;
    const Int4 value = (weighted_sum(t, w) + 128) >> 8;
    return __builtin_convertvector(value, Float4) / 65535.0f;
  }
};

template <class Set>
struct Weigh<std::int8_t, Set> {
  using Weight = std::int32_t;
  using Weights = Int4;

  static Float4 apply(const Int4 (&t)[4], const Weights (&w)[4], const Int4 (&)[4], bool& special) {
    special = false;
    const Int4 sum = weighted_sum(t, w);
    const Int4 value = sum + (((sum >> 4) * 257 + 1024) >> 11);
    const Int4 least = {-32767, -32767, -32767, -32767};
    return __builtin_convertvector(larger(value, least), Float4) / 32767.0f;
  }
};

template <class Set>
struct Weigh<std::int16_t, Set> {
  using Weight = std::int32_t;
  using Weights = Int4;

  static Float4 apply(const Int4 (&t)[4], const Weights (&w)[4], const Int4 (&)[4], bool& special) {
    special = false;
    const Int4 least = {-32767, -32767, -32767, -32767};
    const Int4 clamped[4] = {larger(t[0], least), larger(t[1], least), larger(t[2], least),
                             larger(t[3], least)};
    const Int4 value = (weighted_sum(clamped, w) + 128) >> 8;
    return __builtin_convertvector(value, Float4) / 32767.0f;
  }
};

}  // namespace cuimg::lanes
