// SPDX-License-Identifier: Apache-2.0
// The texture unit's bilinear rule for float texels, for any position between four of them.
#pragma once

#include <cstdint>

#include "kernels/texture/texture_cut.h"

namespace cuimg {

/// The weights of four texels, in units of 1/256, and their result for one channel.
struct PlainBilinear {
  int w00, w10, w01, w11;

  /// @param fx, fy the distance from the left and from the upper texels, in units of 1/256.
  CUIMG_HD PlainBilinear(int fx, int fy) {
    w11 = (fx * fy + 128) >> 8;
    w10 = fx - w11;
    w01 = fy - w11;
    w00 = 256 - fx - w01;
  }

  /// Whether each has a weight: on an edge, with a fraction of 0, two have none. A texel without a
  /// weight does not affect how finely the others are truncated.
  CUIMG_HD bool all_count() const { return w00 > 0 && w10 > 0 && w01 > 0 && w11 > 0; }

  /// The unit's result, if all_count() and if CutTexels::holds() for the texels.
  CUIMG_HD float operator()(float t00, float t10, float t01, float t11) const {
    const CutTexels cut(t00, t10, t01, t11);
    // The sum is below 2^36, and the last bits of such a number plus 1.5 * 2^52 equal the number.
    constexpr double middle = 0x1.8p52;
    std::int64_t sum = static_cast<std::int64_t>(bits_of(middle));
    sum += std::int64_t{w00} * cut.t00 + std::int64_t{w10} * cut.t10;
    sum += std::int64_t{w01} * cut.t01 + std::int64_t{w11} * cut.t11;
    return rounded_half_away(double_from_bits(static_cast<std::uint64_t>(sum)) - middle) *
           cut.unit(8);
  }
};

}  // namespace cuimg
