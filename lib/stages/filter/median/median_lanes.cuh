// SPDX-License-Identifier: Apache-2.0
// What a thread of a median network compares: one float, or two narrow values, which a card
// compares in one step where it can. A NaN may come out as anything: windows that hold one are made
// anew.
#pragma once

#include <type_traits>

#include "kernels/math/order.h"
#include "stages/filter/median/median_source.cuh"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {

/// Compared by the card's own minimum, to which -0 lies below +0.
struct FloatKey {
  float v;
};
__device__ inline FloatKey lesser(const FloatKey& a, const FloatKey& b) {
  return {fminf(a.v, b.v)};
}
__device__ inline FloatKey greater(const FloatKey& a, const FloatKey& b) {
  return {fmaxf(a.v, b.v)};
}

/// Two keys, one after the other: what every card can do.
template <class T>
struct SplitPair {
  int low, high;

  __device__ static SplitPair of(T a, T b) { return {Order<T>::key(a), Order<T>::key(b)}; }
  __device__ T first() const { return value(low); }
  __device__ T second() const { return value(high); }
  __device__ bool is_nan(bool counts_second) const {
    return Order<T>::is_nan(first()) || (counts_second && Order<T>::is_nan(second()));
  }

 private:
  __device__ static T value(int key) {
    return Order<T>::value(static_cast<typename Order<T>::Key>(key));
  }
};
template <class T>
__device__ inline SplitPair<T> lesser(const SplitPair<T>& a, const SplitPair<T>& b) {
  return {min(a.low, b.low), min(a.high, b.high)};
}
template <class T>
__device__ inline SplitPair<T> greater(const SplitPair<T>& a, const SplitPair<T>& b) {
  return {max(a.low, b.low), max(a.high, b.high)};
}

/// Two keys of 16 bits in a word. Halves are their own keys; codes of 8 bits are compared as
/// integers, or as the tiny halves of the same bits.
template <class T>
struct PackedPair {
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  unsigned bits;

  __device__ static PackedPair of(T a, T b) {
    return {static_cast<unsigned>(__builtin_bit_cast(Bits, b)) << 16 | __builtin_bit_cast(Bits, a)};
  }
  __device__ T first() const { return __builtin_bit_cast(T, static_cast<Bits>(bits)); }
  __device__ T second() const { return __builtin_bit_cast(T, static_cast<Bits>(bits >> 16)); }
  __device__ bool is_nan(bool counts_second) const {
    const std::uint32_t counted = counts_second ? bits : bits & 0xffffu;
    return detail::hold_nan(counted, counted);
  }
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <class T>
inline constexpr bool compares_as_halves = std::is_same_v<T, Half> ||
                                           (sizeof(T) == 1 && __CUDA_ARCH__ < 900);

template <class T>
__device__ inline PackedPair<T> lesser(const PackedPair<T>& a, const PackedPair<T>& b) {
  PackedPair<T> result;
  if constexpr (compares_as_halves<T>)
    asm("min.f16x2 %0, %1, %2;" : "=r"(result.bits) : "r"(a.bits), "r"(b.bits));
  else
    asm("min.u16x2 %0, %1, %2;" : "=r"(result.bits) : "r"(a.bits), "r"(b.bits));
  return result;
}
template <class T>
__device__ inline PackedPair<T> greater(const PackedPair<T>& a, const PackedPair<T>& b) {
  PackedPair<T> result;
  if constexpr (compares_as_halves<T>)
    asm("max.f16x2 %0, %1, %2;" : "=r"(result.bits) : "r"(a.bits), "r"(b.bits));
  else
    asm("max.u16x2 %0, %1, %2;" : "=r"(result.bits) : "r"(a.bits), "r"(b.bits));
  return result;
}

/// Integers of 16 bits are compared in pairs from compute capability 9.0 on.
template <class T>
using KeyPair = std::conditional_t <
                std::is_same_v<T, std::uint16_t>&& __CUDA_ARCH__<900, SplitPair<T>, PackedPair<T>>;
#else
template <class T>
using KeyPair = SplitPair<T>;
#endif

/// @name Which values of a row a thread makes, of `values`, and how it loads and stores them.
/// `lanes` threads make a row of N channels, whose first value lies `offset` values into the
/// source's rows. @{

/// In place of where a value lies in its row: beyond a border of zeros.
inline constexpr unsigned no_column = 0xffffffffu;

template <int N>
struct FloatLane {
  using Stored = float;
  using Key = FloatKey;
  static constexpr int count = 1;  ///< Values.
  static constexpr int loads = 1;  ///< For each key.
  static constexpr int channels = N;
  int first;

  static int lanes(int values, int) { return values; }
  __device__ FloatLane(int lane, int, int) : first(lane) {}
  __device__ int value(int) const { return first; }
  __device__ static Key zero() { return {0.0f}; }
  __device__ static Key load(const char* at) {
    return {load_cached(reinterpret_cast<const float*>(at))};
  }
  /// Bytes before a window's first value at which load_row() begins.
  template <int n>
  static constexpr unsigned early = 0;
  /// The keys of a row whose values lie side by side.
  template <int n>
  __device__ static void load_row(const char* at, Key (&keys)[n]) {
#pragma unroll
    for (int k = 0; k < n; ++k) keys[k] = load(at + k * N * sizeof(float));
  }
  /// @param bytes where the windows' first values lie in a row.
  __device__ static bool are_together(const unsigned (&)[2], int) { return true; }
  /// @param byte in the row, or no_column.
  __device__ static Key load_or_zero(const char* row, unsigned byte, unsigned) {
    return byte == no_column ? zero() : load(row + byte);
  }
  /// By the sum: infinities of both signs are taken for a NaN.
  template <int n>
  __device__ static bool may_hold_nan(const Key (&keys)[n], bool) {
    float sum = keys[0].v;
#pragma unroll
    for (int i = 1; i < n; ++i) sum += keys[i].v;
    return sum != sum;
  }
  template <class Target>
  __device__ void store(const Target& target, int y, const Key& key) const {
    target.store(first, y, key.v);
  }
};

/// Two narrow values: neighbouring channels, or where there is one channel, neighbouring pixels, of
/// which the first lies at an even place of its row.
template <class T, int N>
struct PairLane {
  using Stored = T;
  using Key = KeyPair<T>;
  static constexpr bool of_one_pixel = N > 1;
  static constexpr int count = 2, loads = of_one_pixel ? 1 : 2, channels = N;
  int first, second;
  bool has_first, has_second;

  static int lanes(int values, int offset) {
    return (values + (of_one_pixel ? 0 : offset & 1) + 1) / 2;
  }
  __device__ PairLane(int lane, int values, int offset)
      : first(2 * lane - (of_one_pixel ? 0 : offset & 1)), second(first + 1) {
    has_first = first >= 0;
    has_second = second < values;
    if (!has_first) first = second;
    if (!has_second) second = first;
  }
  __device__ int value(int i) const { return i == 0 ? first : second; }
  __device__ static Key zero() { return Key::of(T{}, T{}); }
  __device__ static Key load_pair(const char* at) {
    const auto two = load_cached(reinterpret_cast<const PackedTexel<T, 2>*>(at));
    return Key::of(two.v[0], two.v[1]);
  }
  __device__ static bool are_together(const unsigned (&bytes)[2], int radius) {
    return of_one_pixel ||
           (bytes[1] == bytes[0] + sizeof(T) && (bytes[0] / sizeof(T) + radius) % 2 == 0);
  }
  template <int n>
  static constexpr unsigned early = of_one_pixel ? 0 : n / 2 % 2 * sizeof(T);
  template <int n>
  __device__ static void load_row(const char* at, Key (&keys)[n]) {
    if constexpr (of_one_pixel) {
#pragma unroll
      for (int k = 0; k < n; ++k) keys[k] = load_pair(at + k * N * sizeof(T));
    } else {
      // Pairs at even places, of which every second window's begin halfway.
      constexpr int before = early<n> / sizeof(T), pairs = (n + 2 * before + 1) / 2;
      PackedTexel<T, 2> of[pairs];
#pragma unroll
      for (int i = 0; i < pairs; ++i)
        of[i] = load_cached(reinterpret_cast<const PackedTexel<T, 2>*>(at) + i);
#pragma unroll
      for (int k = 0; k < n; ++k) {
        const int i = (k + before) / 2;
        keys[k] = (k + before) % 2 == 0 ? Key::of(of[i].v[0], of[i].v[1])
                                        : Key::of(of[i].v[1], of[i + 1].v[0]);
      }
    }
  }
  __device__ static Key load_or_zero(const char* row, unsigned byte, unsigned byte_2) {
    const bool is_first = byte != no_column;
    if constexpr (of_one_pixel) {
      return is_first ? load_pair(row + byte) : zero();
    } else {
      const auto load = [&](unsigned at) {
        return at == no_column ? T{} : load_cached(reinterpret_cast<const T*>(row + at));
      };
      return Key::of(load(byte), load(byte_2));
    }
  }
  template <int n>
  __device__ static bool may_hold_nan(const Key (&keys)[n], bool counts_second) {
    bool any = false;
#pragma unroll
    for (int i = 0; i < n; ++i) any = any || keys[i].is_nan(counts_second);
    return any;
  }
  template <class Target>
  __device__ void store(const Target& target, int y, const Key& key) const {
    if (of_one_pixel || (has_first && has_second && first % 2 == 0))
      target.store_packed(first, y, PackedTexel<T, 2>{{key.first(), key.second()}});
    else
      store_each(target, y, key);
  }

 private:
  template <class Target>
  __device__ __noinline__ void store_each(const Target& target, int y, const Key& key) const {
    if (has_first) target.store(first, y, key.first());
    if (has_second) target.store(second, y, key.second());
  }
};
/// @}

}  // namespace cuimg
