// SPDX-License-Identifier: Apache-2.0
// The horizontal pass of a resize on the CPU if the weights repeat: at 50 % all output pixels have
// the same weights, at 150 % every third. Texels are sorted by their place in the period. Then
// outputs that share weights read neighbouring texels, and mix_rows() can compute them in whole
// vectors. The results have the same bits as those of mix_columns().
#pragma once

#include <cstddef>
#include <vector>

#include "device/frame.h"
#include "stages/resample/resample_table.h"

namespace cuimg {

class PeriodicColumns {
 public:
  /// For output pixels [from, to) of each row.
  PeriodicColumns(const AxisTable& table, int channels, int from, int to);

  /// Does the same as mix_columns() without clamp_ringing, for one row.
  void mix(const float* source, float* target);

 private:
  std::size_t floats(int pixels) const {
    return static_cast<std::size_t>(pixels) * static_cast<std::size_t>(channels_);
  }
  bool serves() const { return low_ < high_; }
  const float* sorted(const float* source);
  void mix_repeating(const float* source, float* target);

  const AxisTable& table_;
  const int channels_, from_, to_;
  int low_, high_;                     ///< Outputs [low_, high_) repeat; empty if none do.
  int first_ = 0, texels_ = 0;         ///< The texels that they read.
  std::size_t plane_ = 0, phase_ = 0;  ///< Floats for one place: texels and outputs.
  Frame planes_;                       ///< A row for each place.
  std::vector<float> phases_;
  std::vector<std::size_t> taps_;  ///< The position of each tap of each place in `planes_`.
  std::vector<const float*> pointers_;
};

}  // namespace cuimg
