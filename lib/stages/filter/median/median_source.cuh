// SPDX-License-Identifier: Apache-2.0
// Data that both of a card's algorithms for medians read: stored values around a target, and the
// median by its definition, for windows that contain a NaN.
#pragma once

#include "device/cuda/cuda_border.cuh"
#include "kernels/math/order.h"
#include "stages/warp/border_sampler.h"
#include "stages/window/window_wide.cuh"

namespace cuimg {

/// The values of a frame around the target's, as keys; channels are `channels` values apart.
template <class T>
struct KeySource {
  StoredRows<T> rows;
  BorderAxis columns_axis, rows_axis;
  int left;  ///< The target's first column.
  int channels;
  int used;  ///< A fourth channel that only fills the texel may contain anything.

  /// The position of a column's channel in a row, or -1.
  __device__ int place(int x, int channel) const {
    const int column = border_index(columns_axis, x);
    if (column == BorderAxis::nothing) return -1;
    return (column - rows.left) * channels + channel;
  }
  /// The same for the value k columns from the target's value.
  __device__ int offset(int value, int k) const {
    return place(left + value / channels + k, value % channels);
  }
  __device__ T load(int offset, int row) const {
    return offset < 0 || row == BorderAxis::nothing ? T{} : rows.load(offset, row);
  }
};

template <class T>
inline constexpr int key_bits = 8 * static_cast<int>(sizeof(T));
template <class T>
inline constexpr unsigned highest_key = 0xffffffffu >> (32 - key_bits<T>);

/// Unsigned keys with this many bits; NaN's is the highest, which no number has.
template <class T>
__device__ inline unsigned sortable(T value) {
  constexpr unsigned sign = Order<T>::has_nan ? 1u << (key_bits<T> - 1) : 0;
  const auto key = static_cast<unsigned>(Order<T>::key(value)) & highest_key<T>;
  return Order<T>::is_nan(value) ? highest_key<T> : key ^ sign;
}
template <class T>
__device__ inline T value_of(unsigned sortable) {
  constexpr unsigned sign = Order<T>::has_nan ? 1u << (key_bits<T> - 1) : 0;
  if (Order<T>::has_nan && sortable == highest_key<T>) return Order<T>::nan();
  return Order<T>::value(static_cast<typename Order<T>::Key>(sortable ^ sign));
}

// The window's lower median by its definition, for windows that contain a NaN.
template <class T>
__device__ __noinline__ T selected(const KeySource<T>& source, int size, int value, int y) {
  const int radius = size / 2;
  const auto count_below = [&](unsigned bound) {
    int count = 0;
    for (int j = -radius; j <= radius; ++j) {
      const int row = border_index(source.rows_axis, y + j);
      for (int k = -radius; k <= radius; ++k)
        count += sortable(source.load(source.offset(value, k), row)) < bound;
    }
    return count;
  };
  const int numbers = count_below(highest_key<T>);
  if (numbers == 0) return Order<T>::nan();
  unsigned found = 0;
  for (int bit = key_bits<T> - 1; bit >= 0; --bit) {
    const unsigned bound = found | 1u << bit;
    if (count_below(bound) <= (numbers - 1) / 2) found = bound;
  }
  return value_of<T>(found);
}

template <class T>
KeySource<T> key_source(const BorderSampler& borders, const Frame& source, const Frame& target) {
  return {StoredRows<T>(source),
          borders.columns,
          borders.rows,
          target.region().x,
          target.format().stored_channels(),
          target.format().channels};
}

}  // namespace cuimg
