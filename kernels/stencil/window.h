// SPDX-License-Identifier: Apache-2.0
// Folds all values of a sliding window into a sum or a minimum. The cost does not depend on the
// window's size, and no value is ever subtracted: an Inf that has left the window has no effect.
//
// A window of up to 15 values is folded from left to right. A wider one is cut at the multiples of
// 16, in absolute coordinates, so that a result does not depend on where a band, a tile or a chunk
// begins (van Herk 1992, Gil and Werman 1993, with blocks of 16 instead of the window's width):
//
//   (S + M) + P    S: the values before the first cut, folded from right to left
//                  M: the totals of the whole blocks between, from left to right
//                  P: the values after the last cut, folded from left to right
//
// M has span() - 1 blocks, folded in the groups of for_groups(), and possibly one more.
// Each of S, M, P and each total begins with the fold's neutral value. For sums of floating-point
// numbers this order is the definition.
#pragma once

#include "kernels/math/platform.h"

namespace cuimg {

// A fold is a trivially copyable struct with
//   using Stored;                              the type of values in memory
//   using State;                               the type in which they are folded
//   State neutral() const;
//   State load(Stored value) const;
//   State join(State left, State right) const; associative, or rounded as such
//   Stored store(State state) const;

inline constexpr int window_block = 16;
inline constexpr int widest_direct = 15;

struct Window {
  int radius;

  CUIMG_HD int width() const { return 2 * radius + 1; }
  CUIMG_HD bool is_direct() const { return width() <= widest_direct; }
  /// The number of blocks from the one in which a window begins to the first one in which it may
  /// end.
  CUIMG_HD int span() const { return (width() - 1) / window_block; }
  /// The position in its block where a window ends that begins with its block.
  CUIMG_HD int rest() const { return (width() - 1) % window_block; }
};

CUIMG_HD inline int block_of(int i) { return i >> 4; }
CUIMG_HD inline int block_start(int i) { return i & ~(window_block - 1); }

/// Totals of totals are used from this number of blocks on.
inline constexpr int most_single_blocks = 32;
/// A total of level k combines 16 totals of level k - 1, from left to right; level 0 consists of
/// blocks.
inline constexpr int window_levels = 4;

/// The number of levels of totals that a window needs.
CUIMG_HD inline int levels_of(int blocks) {
  return blocks < most_single_blocks ? 1 : window_levels;
}

/// The groups of blocks that make up [first, last), from left to right: each is the largest group
/// of 16^k blocks that begins there, at a multiple of 16^k, and does not pass the end.
/// @param visit (level, index): blocks [index * 16^level, (index + 1) * 16^level).
CUIMG_CALLS_ANY template <class Visit>
CUIMG_HD void for_groups(int first, int last, const Visit& visit) {
  const int levels = levels_of(last - first);
  for (int i = first; i < last;) {
    int level = 0, size = 1;
    while (level + 1 < levels && (i & (16 * size - 1)) == 0 && i + 16 * size <= last) {
      ++level;
      size *= 16;
    }
    visit(level, i / size);
    i += size;
  }
}

}  // namespace cuimg
