// SPDX-License-Identifier: Apache-2.0
// The texture unit's bilinear rule for float texels for enlarging a picture twofold. Every read is
// a quarter of the way between two texels on both axes, so the four texels of a cell are truncated
// once for its four results, and the weights are 9/16, 3/16, 3/16 and 1/16. The same bits as
// kernels/texture/texture_combine.h, in far fewer steps.
#pragma once

#include <cstdint>

#include "kernels/texture/texture_cut.h"

namespace cuimg {

/// One channel of a cell of four texels, read for a twofold enlargement.
class DoublingCell {
 public:
  /// @param t00 upper left, t10 upper right, t01 lower left, t11 lower right; CutTexels::holds()
  /// for them.
  CUIMG_HD DoublingCell(float t00, float t10, float t01, float t11) {
    const CutTexels cut(t00, t10, t01, t11);
    upper_[0] = whole(3 * cut.t00 + cut.t10);
    upper_[1] = whole(3 * cut.t10 + cut.t00);
    lower_[0] = whole(3 * cut.t01 + cut.t11);
    lower_[1] = whole(3 * cut.t11 + cut.t01);
    unit_ = cut.unit(4);
  }

  /// The unit's result for the left (0) or right (1) column of the upper (0) or lower (1) row.
  CUIMG_HD float result(int column, int row) const {
    const double near = row == 0 ? upper_[column] : lower_[column];
    const double far = row == 0 ? lower_[column] : upper_[column];
    return rounded_half_away(__builtin_fma(3.0, near, far)) * unit_;  // exact: below 2^33
  }

 private:
  // An int as a double without a conversion instruction, of which a card executes few at a time.
  CUIMG_HD static double whole(int value) {
    const std::uint32_t low = static_cast<std::uint32_t>(value) ^ 0x80000000u;
    return double_from_bits(0x4330000000000000u | low) - 0x1.000008p52;  // 2^52 + 2^31
  }

  double upper_[2], lower_[2];  ///< Three times the near texel plus the other, along a row.
  float unit_;                  ///< A sixteenth of the unit of a texel's last bit.
};

/// The same for texels that are not negative, and are all +0 or include one of at least 2^-86: the
/// decoded codes of integers. It uses integers of 32 bits: a sum is below 2^32, and at least 2^27
/// unless it is 0, so its last bit is never the only one that a float drops.
/// @tparam keeps_zero if false, four +0 give a tiny number, which is smaller than any code's.
template <bool keeps_zero>
class PositiveDoublingCell {
 public:
  CUIMG_HD PositiveDoublingCell(float t00, float t10, float t01, float t11) {
    const CutTexels cut = CutTexels::of_positive(t00, t10, t01, t11);
    const auto a = static_cast<std::uint32_t>(cut.t00), b = static_cast<std::uint32_t>(cut.t10);
    const auto c = static_cast<std::uint32_t>(cut.t01), d = static_cast<std::uint32_t>(cut.t11);
    upper_[0] = 3 * a + b;
    upper_[1] = 3 * b + a;
    lower_[0] = 3 * c + d;
    lower_[1] = 3 * d + c;
    unit_ = keeps_zero && (a | b | c | d) == 0 ? 0.0f : cut.unit(4);
  }

  /// As in DoublingCell.
  CUIMG_HD float result(int column, int row) const {
    const std::uint32_t near = row == 0 ? upper_[column] : lower_[column];
    const std::uint32_t far = row == 0 ? lower_[column] : upper_[column];
    // The last bit, far below a half, makes rounding to even round halves away from zero.
    return static_cast<float>((3 * near + far) | 1) * unit_;
  }

 private:
  std::uint32_t upper_[2], lower_[2];
  float unit_;
};

}  // namespace cuimg
