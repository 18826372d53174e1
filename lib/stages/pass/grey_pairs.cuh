// SPDX-License-Identifier: Apache-2.0
// Pixels of one channel into an array, by warps whose lanes have eights of two rows.
#pragma once

#include "stages/pass/grey_texels.cuh"
#include "stages/pass/row_pairs.cuh"

namespace cuimg {

/// Pixels x + from to x + to - 1 of eight from column x on: all lanes of a warp together, which
/// have eights in the order of part_of_lane().
/// @tparam keeps_nan as GreyTarget::store_some()'s.
template <bool keeps_nan = false>
__device__ inline void store_in_array(const GreyTarget& target, int x, int y,
                                      const Pixel<4> (&pixels)[2], int from, int to) {
  // Eights of others than floats are a word each, or less.
  if (target.pixel_bytes != sizeof(float))
    return target.store_some<keeps_nan>(x, y, pixels, from, to);
  constexpr int together = GreyTarget::together;
  const int own = min(max(from, 0), together) | min(max(to, 0), together) << 4;
  const int others = __shfl_xor_sync(0xffffffffu, own, 1);
  exchange_words(pixels[0], pixels[1], [&](Pixel<4> four, int distance, int which) {
    const int range = distance == 0 ? own : others;
    const int first = (range & 15) - 4 * which, end = (range >> 4) - 4 * which;
    const int byte = (x + together * distance + 4 * which - target.left) * 4, row = y - target.top;
    if constexpr (!keeps_nan)
#pragma unroll
      for (float& v : four.v) v = canonical_nan(v);
    if (first <= 0 && end >= 4 && byte % 16 == 0)
      return target.memory.array.store(byte, row, __builtin_bit_cast(uint4, four));
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (i >= first && i < end) target.memory.array.store(byte + 4 * i, row, four.v[i]);
  });
}

}  // namespace cuimg
