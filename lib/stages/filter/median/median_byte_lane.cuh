// SPDX-License-Identifier: Apache-2.0
// A median network's lane for pictures with one channel of 8 bits: words instead of single bytes.
#pragma once

#include "stages/filter/median/median_lanes.cuh"

namespace cuimg {

/// Two of a row's bytes with one between them, which is the lane's second column or, if it has one
/// column, the next thread's. The halves of a word that begins one byte earlier are usable as
/// 16-bit keys: their low bytes only order equal keys. Rows begin at multiples of four bytes.
template <int of_columns>
struct ByteLane {
  static constexpr int columns = of_columns;
  using Stored = std::uint8_t;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 900
  using Key = KeyPair<std::uint8_t>;  // halves that must not be NaN
  __device__ static Key key_of(unsigned word) { return {word >> 8 & 0x00ff00ffu}; }
  __device__ static unsigned bytes_of(const Key& key) { return key.bits << 8; }
#else
  using Key = KeyPair<std::uint16_t>;
  __device__ static Key key_of(unsigned word) {
    return Key::of(static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(word >> 16));
  }
  __device__ static unsigned bytes_of(const Key& key) {
    return static_cast<unsigned>(key.second()) << 16 | key.first();
  }
#endif
  static constexpr int count = 2, loads = 2, channels = 1;
  static constexpr bool fetches_ahead = true;
  static constexpr int apart = 2;  ///< Distance of a key's values.
  int first, values;

  static int lanes(int values) { return (values + 3) / 4 * (2 / columns); }
  __device__ ByteLane(int lane, int, int values)
      : first(columns == 1 ? lane / 2 * 4 + lane % 2 : 4 * lane), values(values) {}
  __device__ int value(int i) const { return min(first + i * apart, values - 1); }
  __device__ static bool is_near_edge(unsigned byte, unsigned byte_2) {
    return byte == 0 || byte_2 != byte + apart;
  }
  /// Words that contain the bytes from the one before the first on.
  template <int n>
  struct Fetched {
    static constexpr int bytes = n + 3, words = (bytes + 3 - 1) / 4 + 1;
    unsigned word[words];
  };
  template <int n>
  __device__ static Fetched<n> fetch(const char* row, const LaneBytes<n>& bytes, bool is_edge) {
    constexpr int words = Fetched<n>::words;
    Fetched<n> fetched = {};
    if (is_edge) {
#pragma unroll
      for (int k = 0; k < n + apart; ++k) {
        const unsigned byte = k < n ? bytes.at(0, k) : bytes.at(1, k - apart);
        if (byte != no_column)
          fetched.word[(k + 1) / 4] |=
              unsigned{load_cached(reinterpret_cast<const Stored*>(row + byte))} << (k + 1) % 4 * 8;
      }
      return fetched;
    }
    const unsigned before = bytes.first[0] - 1, begin = before & ~3u;
    const unsigned last = ((before + Fetched<n>::bytes - 1) & ~3u) - begin;
#pragma unroll
    for (int i = 0; i < words; ++i)
      fetched.word[i] = load_cached(
          reinterpret_cast<const unsigned*>(row + begin + (i + 1 < words ? 4u * i : last)));
    return fetched;
  }
  template <int n>
  __device__ static Keys<Key, n> keys(const Fetched<n>& fetched, const LaneBytes<n>& bytes,
                                      bool is_edge) {
    const unsigned shift = is_edge ? 0 : (bytes.first[0] - 1) % 4 * 8;
    unsigned word[Fetched<n>::words] = {};
#pragma unroll
    for (int i = 0; i + 1 < Fetched<n>::words; ++i)
      word[i] = __funnelshift_r(fetched.word[i], fetched.word[i + 1], shift);
    word[Fetched<n>::words - 1] = fetched.word[Fetched<n>::words - 1] >> shift;
    Keys<Key, n> keys;
#pragma unroll
    for (int k = 0; k < n; ++k)
      keys.v[k] = key_of(k % 4 == 0 ? word[k / 4]
                                    : __funnelshift_r(word[k / 4], word[k / 4 + 1], k % 4 * 8));
    return keys;
  }
  template <class Target>
  __device__ void store(const Target& target, int y, const Key (&keys)[columns]) const {
    const unsigned mine = bytes_of(keys[0]);
    const unsigned next =
        columns == 1 ? __shfl_xor_sync(0xffffffffu, mine, 1) : bytes_of(keys[columns - 1]);
    if (first / 4 * 4 + 4 <= values) {
      if (first % 2 == 0) target.store_packed(first, y, __byte_perm(mine, next, 0x7351));
      return;
    }
#pragma unroll
    for (int column = 0; column < columns; ++column)
#pragma unroll
      for (int i = 0; i < count; ++i) {
        const int at = first + column + i * apart;
        if (at < values)
          target.store(at, y, static_cast<Stored>((column == 0 ? mine : next) >> (8 + 16 * i)));
      }
  }
};

}  // namespace cuimg
