// SPDX-License-Identifier: Apache-2.0
// The destination of a kernel's pixels: rows of device memory, or a CUDA array through its surface.
// Every kernel supports both, so a step writes in the form that the next one reads and nothing is
// copied in between. Each launch selects one of them.
//
// Kernels load by load(source, x, y) and store by the functions below, never through their own
// addresses: all further conversions (another element type, a curve, premultiplication) happen in
// these two places.
//
// An array keeps 16 bytes of a row and the same 16 bytes of the next row in one 32-byte sector of
// memory. A warp should therefore store two rows of 16 pixels rather than one of 32: see
// store_pair().
#pragma once

#include "kernels/texture/texture_cuda.h"

namespace cuimg {

/// @name The memory of a target. Bytes and rows are relative to the frame's first texel. Kernels
/// that are limited by memory are compiled once for each of the first two, since a branch between
/// their stores would prevent later loads from being issued early; others use AnyMemory. @{
struct RowMemory {
  char* data;
  std::size_t pitch_bytes;
  static constexpr bool is_array() { return false; }
#if defined(__CUDACC__)
  /// A texel, or a channel of one, in one access. @param byte a multiple of its size.
  template <class T>
  __device__ void store(int byte, int row, const T& value) const {
    *at<detail::WordOf<T>>(byte, row) = __builtin_bit_cast(detail::WordOf<T>, value);
  }
  /// The same if nothing reads it again soon: it need not displace others from the cache.
  template <class T>
  __device__ void store_streaming(int byte, int row, const T& value) const {
    __stcs(at<detail::WordOf<T>>(byte, row), __builtin_bit_cast(detail::WordOf<T>, value));
  }
  template <class Word>
  __device__ Word* at(int byte, int row) const {
    return reinterpret_cast<Word*>(data + static_cast<std::size_t>(row) * pitch_bytes + byte);
  }
#endif
};

struct ArrayMemory {
  cudaSurfaceObject_t surface;
  static constexpr bool is_array() { return true; }
#if defined(__CUDACC__)
  template <class T>
  __device__ void store(int byte, int row, const T& value) const {
    surf2Dwrite(__builtin_bit_cast(detail::WordOf<T>, value), surface, byte, row,
                cudaBoundaryModeZero);
  }
  template <class T>
  __device__ void store_streaming(int byte, int row, const T& value) const {
    store(byte, row, value);
  }
#endif
};

struct AnyMemory {
  RowMemory rows;  ///< Null: it is an array.
  ArrayMemory array;
  CUIMG_HD bool is_array() const { return rows.data == nullptr; }
#if defined(__CUDACC__)
  template <class T>
  __device__ void store(int byte, int row, const T& value) const {
    if (is_array())
      array.store(byte, row, value);
    else
      rows.store(byte, row, value);
  }
  template <class T>
  __device__ void store_streaming(int byte, int row, const T& value) const {
    if (is_array())
      array.store(byte, row, value);
    else
      rows.store_streaming(byte, row, value);
  }
#endif
};
/// @}

/// Pixels of N floats. x and y are absolute: (left, top) is the first pixel.
template <int N, class Memory = AnyMemory>
struct PixelTarget {
  Memory memory;
  int left, top;
  int width, height;

#if defined(__CUDACC__)
  __device__ void store(int x, int y, const Pixel<N>& pixel) const {
    memory.store(byte(x), y - top, packed(pixel));
  }
  __device__ void store_streaming(int x, int y, const Pixel<N>& pixel) const {
    memory.store_streaming(byte(x), y - top, packed(pixel));
  }
  /// A position from which pixels of the same row are stored.
  struct Place {
    const PixelTarget& target;
    int byte, row;
    __device__ void store_streaming(int dx, const Pixel<N>& pixel) const {
      target.memory.store_streaming(byte + dx * static_cast<int>(sizeof pixel), row, packed(pixel));
    }
  };
  __device__ Place place(int x, int y) const { return {*this, byte(x), y - top}; }
  __device__ bool contains(int x, int y) const {
    return x >= left && x < left + width && y >= top && y < top + height;
  }
  /// Stores two pixels of a column, one below the other, if they are before `right` and `bottom`.
  /// All threads of a warp call it, with x increasing by 1 from thread to thread and the same y:
  /// for an array halves of their rows are exchanged, so that each access fills sectors.
  __device__ void store_pair(int x, int y, const Pixel<N>& upper, const Pixel<N>& lower, int right,
                             int bottom) const;

 private:
  __device__ int byte(int x) const { return (x - left) * static_cast<int>(sizeof(Pixel<N>)); }
  __device__ static PackedTexel<float, N> packed(const Pixel<N>& pixel) {
    return __builtin_bit_cast(PackedTexel<float, N>, pixel);
  }
#endif
};

/// Adjacent values of a frame, without regard to channels.
template <class Stored, class Memory = AnyMemory>
struct ValueTarget {
  Memory memory;
  int left, top;

#if defined(__CUDACC__)
  __device__ void store(int value, int y, const Stored& stored) const {
    memory.store_streaming(value * static_cast<int>(sizeof(Stored)), y - top, stored);
  }
  /// A pixel of several values. @param value the index of its first value.
  template <class Packed>
  __device__ void store_packed(int value, int y, const Packed& pixel) const {
    memory.store_streaming(value * static_cast<int>(sizeof(Stored)), y - top, pixel);
  }
  /// Stores `count` values of a column from row y on, if the column is before `values` and the row
  /// is in [first, last). All threads of a warp call it, with `value` increasing by 1 from thread
  /// to thread.
  template <int count>
  __device__ void store_column(int value, int y, int values, int first, int last,
                               const Stored (&column)[count]) const;
#endif
};

#if defined(__CUDACC__)

namespace detail {

/// Whether this thread is in the first half of its warp.
__device__ inline bool is_first_half() { return (threadIdx.x & 16) == 0; }

/// A value as words, each in a register.
template <class T>
struct InWords {
  unsigned v[(sizeof(T) + 3) / 4];

  __device__ explicit InWords(const T& value) {
    if constexpr (sizeof(T) < 4)
      v[0] = __builtin_bit_cast(WordOf<T>, value);
    else
      *this = __builtin_bit_cast(InWords, value);
  }
  __device__ explicit operator T() const {
    if constexpr (sizeof(T) < 4)
      return __builtin_bit_cast(T, static_cast<WordOf<T>>(v[0]));
    else
      return __builtin_bit_cast(T, *this);
  }
};

/// Turns two rows of 32 into two squares of 16 by 2: each thread keeps one of its two values and
/// receives another. @param store called with a column's distance from the thread's own, 0 or 1 for
/// the row, and the value.
template <class T, class Store>
__device__ inline void store_as_squares(const T& upper, const T& lower, const Store& store) {
  const bool first = is_first_half();
  // Word by word: selecting between whole values would select between places in memory.
  const InWords<T> above(upper), below(lower);
  InWords<T> left = above, right = below;
  for (std::size_t i = 0; i < sizeof left / sizeof(unsigned); ++i) {
    const unsigned other = __shfl_xor_sync(0xffffffffu, first ? below.v[i] : above.v[i], 16);
    left.v[i] = first ? above.v[i] : other;
    right.v[i] = first ? other : below.v[i];
  }
  store(first ? 0 : -16, first ? 0 : 1, static_cast<T>(left));
  store(first ? 16 : 0, first ? 0 : 1, static_cast<T>(right));
}

}  // namespace detail

template <int N, class Memory>
__device__ inline void PixelTarget<N, Memory>::store_pair(int x, int y, const Pixel<N>& upper,
                                                          const Pixel<N>& lower, int right,
                                                          int bottom) const {
  if (memory.is_array()) {
    detail::store_as_squares(upper, lower, [&](int dx, int dy, const Pixel<N>& pixel) {
      if (x + dx < right && y + dy < bottom) store_streaming(x + dx, y + dy, pixel);
    });
  } else if (x < right) {
    if (y < bottom) store_streaming(x, y, upper);
    if (y + 1 < bottom) store_streaming(x, y + 1, lower);
  }
}

template <class Stored, class Memory>
template <int count>
__device__ inline void ValueTarget<Stored, Memory>::store_column(
    int value, int y, int values, int first, int last, const Stored (&column)[count]) const {
  if (memory.is_array()) {
    const auto pair = [&](int j) {
      detail::store_as_squares(column[j], column[j + 1], [&](int dx, int dy, const Stored& stored) {
        const int row = y + j + dy;
        if (value + dx < values && row >= first && row < last) store(value + dx, row, stored);
      });
    };
    const auto single = [&](int j) {
      if (value < values && y + j >= first && y + j < last) store(value, y + j, column[j]);
    };
    // Sectors begin at the frame's even rows.
    if (((y - top) & 1) == 0) {
#pragma unroll
      for (int j = 0; j < count; j += 2) pair(j);
    } else {
      single(0);
#pragma unroll
      for (int j = 1; j + 1 < count; j += 2) pair(j);
      single(count - 1);
    }
    return;
  }
  if (value >= values) return;
  if (y >= first && y + count <= last) {
    if constexpr (std::is_same_v<Memory, RowMemory>) {
      using Word = detail::WordOf<Stored>;
      char* to = memory.template at<char>(value * static_cast<int>(sizeof(Stored)), y - top);
#pragma unroll
      for (int j = 0; j < count; ++j, to += memory.pitch_bytes)
        __stcs(reinterpret_cast<Word*>(to), __builtin_bit_cast(Word, column[j]));
    } else {
#pragma unroll
      for (int j = 0; j < count; ++j) store(value, y + j, column[j]);
    }
  } else {
#pragma unroll
    for (int j = 0; j < count; ++j)
      if (y + j >= first && y + j < last) store(value, y + j, column[j]);
  }
}

#endif

}  // namespace cuimg
