// SPDX-License-Identifier: Apache-2.0
// The values that a thread of a median network compares: one float, or two narrow values, which a
// card compares in one instruction if possible. The result for a NaN is arbitrary: windows that
// contain one are computed again.
#pragma once

#include <type_traits>

#include "kernels/math/order.h"
#include "kernels/stencil/median_column_pair.h"
#include "kernels/stencil/median_network.h"
#include "stages/filter/median/median_source.cuh"
#include "stages/pass/stored_texels.cuh"

namespace cuimg {

/// Compared by the card's own minimum, which orders -0 below +0.
struct FloatKey {
  float v;
};
__device__ inline FloatKey lesser(const FloatKey& a, const FloatKey& b) {
  return {fminf(a.v, b.v)};
}
__device__ inline FloatKey greater(const FloatKey& a, const FloatKey& b) {
  return {fmaxf(a.v, b.v)};
}

/// Two keys, compared one after the other: for every card.
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

/// Two 16-bit keys in a word. Halves are their own keys; codes of 8 bits are compared as integers,
/// or as tiny halves with the same bits.
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

/// 16-bit integers are compared in pairs from compute capability 9.0 on.
template <class T>
using KeyPair = std::conditional_t <
                std::is_same_v<T, std::uint16_t>&& __CUDA_ARCH__<900, SplitPair<T>, PackedPair<T>>;
#else
template <class T>
using KeyPair = SplitPair<T>;
#endif

/// The networks that a lane of one or two neighbouring columns applies.
template <class Key, int size, int columns>
using MedianColumns =
    std::conditional_t<columns == 1, MedianColumn<Key, size>, MedianColumnPair<Key>>;

/// @name Which values of a row a thread makes, of `values`, and how it loads and stores them.
/// `lanes` threads make a row of N channels. A lane's keys are those of its first column; with
/// `columns` 2 it also makes the same channels of the next one, `channels` values later. @{

/// Replaces a value's position in its row, for positions beyond a border of zeros.
inline constexpr unsigned no_column = 0xffffffffu;

/// Where the values around a lane's own lie in their rows, in bytes: n of them for each of two
/// values. Only lanes near an edge need all of them, so these are in shared memory.
template <int n>
struct LaneBytes {
  unsigned first[2];       ///< Where each value's first one lies.
  const unsigned* places;  ///< Of all, `threads` words apart.
  int threads;
  /// Where value i's one number k lies.
  __device__ unsigned at(int i, int k) const { return places[(i * n + k) * threads]; }
};

/// Loads keys one by one. @param is_edge whether some are not adjacent.
template <class Lane, int n>
__device__ inline Keys<typename Lane::Key, n> load_keys(const char* row, const LaneBytes<n>& bytes,
                                                        bool is_edge) {
  constexpr int stride = Lane::channels * static_cast<int>(sizeof(typename Lane::Stored));
  Keys<typename Lane::Key, n> keys;
  if (is_edge) {
#pragma unroll
    for (int k = 0; k < n; ++k) keys.v[k] = Lane::load_or_zero(row, bytes.at(0, k), bytes.at(1, k));
    return keys;
  }
  const char *const first = row + bytes.first[0], *const second = row + bytes.first[1];
#pragma unroll
  for (int k = 0; k < n; ++k) keys.v[k] = Lane::load(first + k * stride, second + k * stride);
  return keys;
}

template <int N, int of_columns>
struct FloatLane {
  using Stored = float;
  using Key = FloatKey;
  static constexpr int columns = of_columns;
  static constexpr int count = 1;  ///< The number of values.
  static constexpr int loads = 1;  ///< The number of loads for each key.
  static constexpr int channels = N;
  /// Whether rows are fetched one step ahead: only if the fetched data is not needed before then.
  static constexpr bool fetches_ahead = true;
  int first, values;

  static int lanes(int values) {
    const int pixels = values / N;
    return (pixels + columns - 1) / columns * N;
  }
  __device__ FloatLane(int lane, int, int values)
      : first(lane / N * N * columns + lane % N), values(values) {}
  __device__ int value(int) const { return first; }
  __device__ static Key load(const char* at, const char*) {
    return {load_cached(reinterpret_cast<const float*>(at))};
  }
  /// Whether fetch() may assume that a row's values are adjacent.
  __device__ static bool is_near_edge(unsigned, unsigned) { return false; }
  /// The data loaded for a row, while others are processed; and the keys made from it.
  template <int n>
  using Fetched = Keys<Key, n>;
  template <int n>
  __device__ static Fetched<n> fetch(const char* row, const LaneBytes<n>& bytes, bool is_edge) {
    return load_keys<FloatLane>(row, bytes, is_edge);
  }
  template <int n>
  __device__ static Keys<Key, n> keys(const Fetched<n>& fetched, const LaneBytes<n>&, bool) {
    return fetched;
  }
  /// @param byte the position in the row, or no_column.
  __device__ static Key load_or_zero(const char* row, unsigned byte, unsigned) {
    return byte == no_column ? Key{0.0f} : load(row + byte, row);
  }
  /// By the sum: infinities of both signs also count as NaN.
  template <int n>
  __device__ static bool may_hold_nan(const Key (&keys)[n], bool) {
    float sum = keys[0].v;
#pragma unroll
    for (int i = 1; i < n; ++i) sum += keys[i].v;
    return sum != sum;
  }
  template <class Target>
  __device__ void store(const Target& target, int y, const Key (&keys)[columns]) const {
#pragma unroll
    for (int column = 0; column < columns; ++column)
      if (column == 0 || first + N < values) target.store(first + column * N, y, keys[column].v);
  }
};

/// Two narrow values: neighbouring channels or, with one channel, half a row apart.
template <class T, int N, int of_columns>
struct PairLane {
  using Stored = T;
  using Key = KeyPair<T>;
  static constexpr int columns = of_columns;
  static constexpr bool neighbors = N > 1;
  static constexpr int count = 2, loads = neighbors ? 1 : 2, channels = N;
  static constexpr bool fetches_ahead = false;         // pairs are combined from two loads
  static constexpr int pairs = neighbors ? N / 2 : 1;  ///< Of a pixel.
  int first, second, values;
  bool has_second;

  static int lanes(int values) {
    const int pixels = neighbors ? values / N : (values + 1) / 2;
    return (pixels + columns - 1) / columns * pairs;
  }
  __device__ PairLane(int lane, int lanes, int values)
      : first(neighbors ? lane / pairs * N * columns + lane % pairs * 2 : lane * columns),
        second(neighbors ? first + 1 : first + lanes * columns),
        values(values) {
    has_second = second < values;
    if (!has_second) second = first;
  }
  __device__ int value(int i) const { return i == 0 ? first : second; }
  __device__ static Key load(const char* at, const char* at_2) {
    if constexpr (neighbors) {
      const auto two = load_cached(reinterpret_cast<const PackedTexel<T, 2>*>(at));
      return Key::of(two.v[0], two.v[1]);
    } else {
      return Key::of(load_cached(reinterpret_cast<const T*>(at)),
                     load_cached(reinterpret_cast<const T*>(at_2)));
    }
  }
  __device__ static bool is_near_edge(unsigned, unsigned) { return false; }
  template <int n>
  using Fetched = Keys<Key, n>;
  template <int n>
  __device__ static Fetched<n> fetch(const char* row, const LaneBytes<n>& bytes, bool is_edge) {
    return load_keys<PairLane>(row, bytes, is_edge);
  }
  template <int n>
  __device__ static Keys<Key, n> keys(const Fetched<n>& fetched, const LaneBytes<n>&, bool) {
    return fetched;
  }
  __device__ static Key load_or_zero(const char* row, unsigned byte, unsigned byte_2) {
    const bool is_first = byte != no_column, is_second = neighbors ? is_first : byte_2 != no_column;
    const Key key = load(row + (is_first ? byte : 0), row + (is_second ? byte_2 : 0));
    return Key::of(is_first ? key.first() : T{}, is_second ? key.second() : T{});
  }
  template <int n>
  __device__ static bool may_hold_nan(const Key (&keys)[n], bool counts_second) {
    bool any = false;
#pragma unroll
    for (int i = 0; i < n; ++i) any = any || keys[i].is_nan(counts_second);
    return any;
  }
  template <class Target>
  __device__ void store(const Target& target, int y, const Key (&keys)[columns]) const {
#pragma unroll
    for (int column = 0; column < columns; ++column) {
      const Key& key = keys[column];
      const int at = column * N;
      if constexpr (neighbors) {
        if (column == 0 || first + at < values)
          target.store_packed(first + at, y, PackedTexel<T, 2>{{key.first(), key.second()}});
      } else {
        if (column == 0 || first + at < values) target.store(first + at, y, key.first());
        if (has_second && (column == 0 || second + at < values))
          target.store(second + at, y, key.second());
      }
    }
  }
};
/// @}

}  // namespace cuimg
