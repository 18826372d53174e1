// SPDX-License-Identifier: Apache-2.0
// The least or greatest of narrow values, four at a time, as they are stored in one or two words.
// Some cards compare two values of 16 bits in one step.
#pragma once

#include <type_traits>

#include "kernels/stencil/window_extremum.h"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {
namespace detail {

/// Four adjacent values.
template <class T>
struct Quad {
  static constexpr int words = sizeof(T);
  unsigned v[words];
};

/// Four values that begin at `byte` of some adjacent quads.
template <class T, int words>
__device__ inline Quad<T> quad_at(const unsigned (&row)[words], int byte) {
  Quad<T> quad;
#pragma unroll
  for (int i = 0; i < Quad<T>::words; ++i) {
    const int at = byte / 4 + i, shift = 8 * (byte % 4);
    quad.v[i] = shift == 0 ? row[at] : row[at] >> shift | row[at + 1] << (32 - shift);
  }
  return quad;
}

/// For any card: a State is two keys.
template <class T>
struct SplitExtremum {
  struct State {
    int low, high;
  };
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  LeastFold<T, int> fold;

  __device__ explicit SplitExtremum(bool greatest)
      : fold(greatest ? LeastFold<T, int>::greatest() : LeastFold<T, int>::least()) {}
  /// @param part which half of the values, 0 or 1.
  __device__ State load(const Quad<T>& quad, int part) const {
    if constexpr (sizeof(T) == 1)
      return {key(quad.v[0] >> (8 * part)), key(quad.v[0] >> (8 * part + 16))};
    else
      return {key(quad.v[part]), key(quad.v[part] >> 16)};
  }
  __device__ static State join(const State& a, const State& b) {
    return {min(a.low, b.low), min(a.high, b.high)};
  }
  __device__ Quad<T> store(const State (&parts)[2]) const {
    const unsigned first = bits(parts[0].low) | bits(parts[0].high) << 16;
    const unsigned second = bits(parts[1].low) | bits(parts[1].high) << 16;
    if constexpr (sizeof(T) == 1)
      return {{first | second << 8}};
    else
      return {{first, second}};
  }

 private:
  __device__ int key(unsigned bits) const {
    return fold.load(__builtin_bit_cast(T, static_cast<Bits>(bits)));
  }
  __device__ unsigned bits(int key) const { return __builtin_bit_cast(Bits, fold.store(key)); }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/// A State is a word of two values. A minimum of halves orders -0 below +0, and prefers a number to
/// a NaN. Codes of 8 bits are compared as the upper bytes of 16-bit integers, whose lower bytes
/// have no influence; or as the very small halves with the same bits. For the greatest, bits are
/// flipped so that the order is reversed, and the least is computed.
template <class T>
struct PackedExtremum {
  using State = unsigned;
  static constexpr bool as_halves =
      std::is_same_v<T, Half> || (sizeof(T) == 1 && __CUDA_ARCH__ < 900);
  static constexpr unsigned turning = std::is_same_v<T, Half>       ? 0x80008000u
                                      : sizeof(T) == 1 && as_halves ? 0x00ff00ffu
                                                                    : 0xffffffffu;
  unsigned flip;

  __device__ explicit PackedExtremum(bool greatest) : flip(greatest ? turning : 0) {}
  __device__ State load(const Quad<T>& quad, int part) const {
    if constexpr (sizeof(T) == 1 && as_halves)
      return (quad.v[0] >> (8 * part) & 0x00ff00ffu) ^ flip;
    else if constexpr (sizeof(T) == 1)
      return quad.v[0] << (8 - 8 * part) ^ flip;
    else
      return quad.v[part] ^ flip;
  }
  __device__ static State join(State a, State b) {
    State least;
    if constexpr (as_halves)
      asm("min.f16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
    else
      asm("min.u16x2 %0, %1, %2;" : "=r"(least) : "r"(a), "r"(b));
    return least;
  }
  __device__ Quad<T> store(const State (&parts)[2]) const {
    const unsigned first = parts[0] ^ flip, second = parts[1] ^ flip;
    if constexpr (sizeof(T) == 1 && as_halves) {
      return {{first | second << 8}};
    } else if constexpr (sizeof(T) == 1) {
      return {{__byte_perm(first, second, 0x7351)}};
    } else {
      Quad<T> quad = {{first, second}};
      if constexpr (std::is_same_v<T, Half>)
        if (hold_nan(first, second)) quad = {{with_plain_nan(first), with_plain_nan(second)}};
      return quad;
    }
  }

 private:
  __device__ static unsigned with_plain_nan(unsigned halves) {
    unsigned result = 0;
    for (int shift = 0; shift < 32; shift += 16) {
      const Half half = {static_cast<std::uint16_t>(halves >> shift)};
      const Half plain = Order<Half>::is_nan(half) ? Order<Half>::nan() : half;
      result |= static_cast<unsigned>(plain.bits) << shift;
    }
    return result;
  }
};

/// Integers of 16 bits are compared in pairs from compute capability 9.0 on.
template <class T>
using QuadExtremum =
    std::conditional_t <
    std::is_same_v<T, std::uint16_t>&& __CUDA_ARCH__<900, SplitExtremum<T>, PackedExtremum<T>>;
#else
template <class T>
using QuadExtremum = SplitExtremum<T>;
#endif

}  // namespace detail
}  // namespace cuimg
