// SPDX-License-Identifier: Apache-2.0
// How a warp's lanes share two rows of an array, which keeps 16 bytes of a row next to 16 bytes of
// the next (see kernels/texture/target.h): the first 16 lanes store the upper row, the others the
// lower one. A lane that makes two words of 16 bytes side by side hands one to a neighbour, so that
// each access fills whole lines of 64 bytes by two rows. Accesses that each fill half of every line
// take twice as long: grey x2 lanczos3 0.44 ms for 0.24, card_chains, an H200, 2026-11-30.
#pragma once

#include "kernels/texture/target.h"

namespace cuimg {

/// Which part of a row a lane makes, of the 8, 16 or 32 next to each other that its warp makes. The
/// parts that exchange_words() brings together lie four apart.
__device__ inline int part_of_lane(int lane) {
  return (lane & ~7) | (lane >> 1 & 3) | (lane & 1) << 2;
}
/// The lane of a part.
__device__ inline int lane_of_part(int part) {
  return (part & ~7) | (part & 3) << 1 | (part >> 2 & 1);
}

struct PartOfRow {
  int row, part;
};
/// What a lane makes where warps share rows two by two.
/// @param turn the warp's: they go along two rows, then on to the next. @tparam warps that one row
/// would take.
template <int warps>
__device__ inline PartOfRow part_of_two_rows(int turn) {
  const int lane = static_cast<int>(threadIdx.x) & 31;
  return {turn / (2 * warps) * 2 + lane / 16, turn % (2 * warps) * 16 + part_of_lane(lane & 15)};
}

/// Changes two values for others, all lanes of a warp together: afterwards lanes whose bit is 0
/// have both lanes' first values, of the lane whose bit is 0 and of the other; lanes whose bit is 1
/// have the second ones.
/// @tparam bit of a lane's number, as a power of two.
template <int bit, class T>
__device__ inline void exchange(T& first, T& second) {
  const bool keeps_first = (threadIdx.x & bit) == 0;
  // Word by word: a choice between whole values would be one between places in memory.
  detail::InWords<T> a(first), b(second);
  for (std::size_t i = 0; i < sizeof a / sizeof(unsigned); ++i) {
    const unsigned other = __shfl_xor_sync(0xffffffffu, keeps_first ? b.v[i] : a.v[i], bit);
    a.v[i] = keeps_first ? a.v[i] : other;
    b.v[i] = keeps_first ? other : b.v[i];
  }
  first = static_cast<T>(a);
  second = static_cast<T>(b);
}

/// Two neighbouring words of each part, changed for words of the same place of two parts.
/// @param store called with a word, its part's distance from the lane's own part, and which word of
/// that part it is.
template <class Word, class Store>
__device__ inline void exchange_words(Word left, Word right, const Store& store) {
  exchange<1>(left, right);
  const int which = static_cast<int>(threadIdx.x) & 1;
  store(left, which == 0 ? 0 : -4, which);
  store(right, which == 0 ? 4 : 0, which);
}

}  // namespace cuimg
