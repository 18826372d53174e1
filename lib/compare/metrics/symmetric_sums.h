// SPDX-License-Identifier: Apache-2.0
// Sums of a row of pixels with their neighbours on both sides, where one weight serves two pixels,
// for FLIP's and SSIM's filters. They are plain loops over a row with three weights at a time,
// which the compiler vectorises. The terms of a sum have a fixed order, from the centre outwards.
#pragma once

#include <cstddef>
#include <span>

namespace cuimg {

namespace detail {

/// The operand of a weight: the sum of the neighbours, or their difference.
enum class Parity { even, odd };

template <Parity parity, class T>
inline __attribute__((always_inline)) T neighbours(const T* at, std::ptrdiff_t offset) {
  return parity == Parity::even ? at[-offset] + at[offset] : at[offset] - at[-offset];
}

template <int width, Parity parity, class T>
inline __attribute__((always_inline)) void add_neighbours(const T* from, std::ptrdiff_t step,
                                                          std::span<const T> half,
                                                          T* __restrict to) {
  const auto size = static_cast<std::ptrdiff_t>(half.size());
  std::ptrdiff_t k = 1;
  for (; k + 3 <= size; k += 3) {
    const T* w = half.data() + k;
    const T first = w[0], second = w[1], third = w[2];
    const std::ptrdiff_t a = k * step, b = a + step, c = b + step;
    for (int x = 0; x < width; ++x)
      to[x] = ((to[x] + first * neighbours<parity>(from + x, a)) +
               second * neighbours<parity>(from + x, b)) +
              third * neighbours<parity>(from + x, c);
  }
  for (; k < size; ++k) {
    const T weight = half[static_cast<std::size_t>(k)];
    for (int x = 0; x < width; ++x) to[x] += weight * neighbours<parity>(from + x, k * step);
  }
}

}  // namespace detail

/// to[x] = half[0] from[x] + half[1] (from[x - step] + from[x + step]) + ..., for `width` values.
/// @param half weights from the centre outwards, at least one. @param to must not overlap `from`.
template <int width, class T>
inline __attribute__((always_inline)) void sum_symmetric(const T* from, std::ptrdiff_t step,
                                                         std::span<const T> half,
                                                         T* __restrict to) {
  const T center = half.front();
  for (int x = 0; x < width; ++x) to[x] = center * from[x];
  detail::add_neighbours<width, detail::Parity::even>(from, step, half, to);
}

/// The same with differences, to[x] = half[1] (from[x + step] - from[x - step]) + ...
template <int width, class T>
inline __attribute__((always_inline)) void sum_antisymmetric(const T* from, std::ptrdiff_t step,
                                                             std::span<const T> half,
                                                             T* __restrict to) {
  for (int x = 0; x < width; ++x) to[x] = 0;
  detail::add_neighbours<width, detail::Parity::odd>(from, step, half, to);
}

}  // namespace cuimg
