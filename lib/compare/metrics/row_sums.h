// SPDX-License-Identifier: Apache-2.0
// The order in which doubles are added, so that sums have the same bits on every device: pixels of
// a row are assigned to 256 lanes in turn, each lane adds its pixels from the left, the lanes are
// added in halves, and rows in pairs. A card gives each lane a thread; a processor vectorises over
// lanes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace cuimg {

inline constexpr int row_lanes = 256;

/// The number of lanes that a row of that width needs, a power of two; all other lanes contain 0.
inline int lanes_of_row(int width) {
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::clamp(width, 1, row_lanes))));
}

/// The sum of `count` lanes with several channels each, which are adjacent: halves of lanes are
/// added until one is left, then its channels in turn. The lanes' values are lost.
/// @param count a power of two.
inline double sum_of_lanes(double* lanes, int count, int channels) {
  for (int half = count / 2; half > 0; half /= 2)
    for (int i = 0; i < half * channels; ++i) lanes[i] += lanes[half * channels + i];
  double sum = lanes[0];
  for (int c = 1; c < channels; ++c) sum += lanes[c];
  return sum;
}

/// The sum of values in pairs of halves, where the first half is smaller if the number is odd.
/// @param value (i) -> double.
template <class Value>
double sum_in_pairs(std::size_t first, std::size_t count, const Value& value) {
  if (count == 0) return 0;
  if (count == 1) return value(first);
  const std::size_t half = count / 2;
  return sum_in_pairs(first, half, value) + sum_in_pairs(first + half, count - half, value);
}

}  // namespace cuimg
