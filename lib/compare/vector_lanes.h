// SPDX-License-Identifier: Apache-2.0
// Eight floats or four doubles that the compiler keeps in a register where there is one: filters
// with sums that must not go through memory. Operations round as those of single numbers do.
#pragma once

#include <cstring>

namespace cuimg {

using FloatLanes = float __attribute__((vector_size(32)));
using DoubleLanes = double __attribute__((vector_size(32)));
inline constexpr int float_lanes = 8, double_lanes = 4;

inline __attribute__((always_inline)) void load_lanes(const float* from, FloatLanes& lanes) {
  std::memcpy(&lanes, from, sizeof lanes);
}
inline __attribute__((always_inline)) void load_lanes(const double* from, DoubleLanes& lanes) {
  std::memcpy(&lanes, from, sizeof lanes);
}
inline __attribute__((always_inline)) void store_lanes(const FloatLanes& lanes, float* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}
inline __attribute__((always_inline)) void store_lanes(const DoubleLanes& lanes, double* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}

/// a[-offset] + a[offset], eight or four of them.
template <class Lanes, class T>
inline __attribute__((always_inline)) void load_pair(const T* center, std::ptrdiff_t offset,
                                                     Lanes& sum) {
  Lanes before, after;
  load_lanes(center - offset, before);
  load_lanes(center + offset, after);
  sum = before + after;
}

}  // namespace cuimg
