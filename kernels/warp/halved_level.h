// SPDX-License-Identifier: Apache-2.0
// The halved pictures that footprints read. A side has half as many texels as before, rounded up,
// and they divide it evenly: all levels end where the picture does, so a border's rule applies to
// their texels in the same way. Only a side of one texel, if the other side is longer, is halved to
// a texel that extends beyond the picture: repeats are all equal, and a surrounding colour is mixed
// in.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/stencil/resample.h"
#include "kernels/warp/warp_position.h"

namespace cuimg {

/// The scale of a level along an axis.
struct LevelAxis {
  static constexpr int share_bits = 62;
  /// The part of a level's texel that one of the picture's texels covers, in units of 2^-62: at
  /// least 2^-level.
  std::int64_t share;
  float scale;  ///< That times 2^level: 1 if all sides were even, otherwise below 2.

  /// A position in texels of the level.
  CUIMG_HD std::int64_t operator()(std::int64_t position) const {
    constexpr std::int64_t half = std::int64_t{1} << 31;
    return product(position + half, share) - half;
  }

 private:
  /// a b / 2^62, rounded down.
  CUIMG_HD static std::int64_t product(std::int64_t a, std::int64_t b) {
#if defined(__CUDA_ARCH__)
    const auto low = static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
    const auto high = static_cast<std::uint64_t>(__mul64hi(a, b));
    return static_cast<std::int64_t>(high << (64 - share_bits) | low >> share_bits);
#else
    __extension__ using Wide = __int128;
    return static_cast<std::int64_t>(Wide{a} * b >> share_bits);
#endif
  }
};
struct LevelScale {
  LevelAxis columns, rows;

  /// Whether both sides were even on all levels: then a position is halved that many times.
  CUIMG_HD bool is_even() const { return columns.scale == 1.0f && rows.scale == 1.0f; }
  CUIMG_HD WarpPosition operator()(const WarpPosition& position) const {
    return {columns(position.x), rows(position.y)};
  }
};
/// The same if all sides were even.
CUIMG_HD inline WarpPosition halved_position(const WarpPosition& position, int level) {
  constexpr std::int64_t half = std::int64_t{1} << 31;
  return {((position.x + half) >> level) - half, ((position.y + half) >> level) - half};
}

/// The texels of a side of the picture after `level` halvings.
CUIMG_HD constexpr int halved_side(int side, int level) {
  return static_cast<int>((std::int64_t{side} + (std::int64_t{1} << level) - 1) >> level);
}

/// On the host. @param side of the picture, positive.
inline LevelAxis level_axis(int side, int level) {
  __extension__ using Wide = unsigned __int128;
  int even = 0;  // the last level whose texels end where the picture does
  while (even < level && halved_side(side, even) > 1) ++even;
  const int texels = halved_side(side, even);
  const auto share =
      (Wide(static_cast<unsigned>(texels)) << LevelAxis::share_bits) / static_cast<unsigned>(side);
  const double scale = static_cast<double>(std::int64_t{texels} << even) / side;
  return {static_cast<std::int64_t>(share) >> (level - even), static_cast<float>(scale)};
}

/// The weights of four texels in a texel of the next level, along an axis: a tent that is two of
/// the new texels wide, 1 3 3 1 for an even side, which leaves little above half the frequency.
/// Weights are multiples of 2^-23 with the sum 1, so opaque remains opaque.
struct TentTaps {
  int first;
  float weight[4];

  /// @param index a texel of the next level, possibly outside. @param side of this level.
  CUIMG_HD TentTaps(int index, int side)
      : first(2 * index - 1), weight{0.125f, 0.375f, 0.375f, 0.125f} {
    if (side % 2 == 0 || side == 1) return;
    // For a side of 2 m - 1 texels, each of the m next ones covers 2 - 1/m of them, and the tent of
    // texel j has its top (m (1 - 2 k) - 2 j - 1) / 2 m from the middle of texel 2 j + k.
    const int m = (side + 1) / 2;
    if (2 * index >= m) --first;
    std::int64_t share[4], sum = 0;
    for (int i = 0; i < 4; ++i) {
      const int k = first + i - 2 * index;
      const std::int64_t away = std::int64_t{m} * (1 - 2 * k) - 2 * std::int64_t{index} - 1;
      const std::int64_t height = 2 * std::int64_t{side} - (away < 0 ? -away : away);
      share[i] = height > 0 ? height : 0;
      sum += share[i];
    }
    // Floats between 1 and 2 are 2^-23 apart, so the sum rounds to that.
    const int rest = share[1] >= share[2] ? 1 : 2;
    weight[rest] = 1.0f;
    for (int i = 0; i < 4; ++i) {
      if (i == rest) continue;
      weight[i] = (1.0f + static_cast<float>(share[i]) / static_cast<float>(sum)) - 1.0f;
      weight[rest] -= weight[i];
    }
  }
};

/// A texel of the next level: rows first, then their sum, tap by tap in float.
/// @param fetch (x, y) -> Pixel<N> of this level, for any x and y.
template <int N, class Fetch>
CUIMG_HD inline Pixel<N> halved_texel(const TentTaps& columns, const TentTaps& rows,
                                      const Fetch& fetch) {
  TapSum<N> column;
  for (int j = 0; j < 4; ++j) {
    TapSum<N> row;
    for (int i = 0; i < 4; ++i)
      row.add(columns.weight[i], fetch(columns.first + i, rows.first + j));
    column.add(rows.weight[j], row.sum);
  }
  return column.result();
}

}  // namespace cuimg
