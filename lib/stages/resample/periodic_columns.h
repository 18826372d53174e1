// SPDX-License-Identifier: Apache-2.0
// The horizontal pass of a resize whose weights repeat, on the CPU. Texels are sorted by their
// place in the period, so that outputs that share weights read neighbouring texels: what the
// vertical pass does to rows makes them, in whole vectors, with the bits of mix_columns().
#pragma once

#include <cstddef>
#include <vector>

#include "stages/resample/resample_table.h"

namespace cuimg {

class PeriodicColumns {
 public:
  /// Of output pixels [from, to) of rows.
  PeriodicColumns(const AxisTable& table, int channels, int from, int to);

  /// As mix_columns() without --clamp-ringing.
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
  int low_, high_;                     ///< Outputs that repeat, of those asked for.
  int first_ = 0, texels_ = 0;         ///< What these read.
  std::size_t plane_ = 0, phase_ = 0;  ///< Floats of the texels, and outputs, of one place.
  std::vector<float> planes_, phases_;
  std::vector<std::size_t> taps_;  ///< Where each tap of each place begins in `planes_`.
  std::vector<const float*> pointers_;
};

}  // namespace cuimg
