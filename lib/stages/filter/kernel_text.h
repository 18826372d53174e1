// SPDX-License-Identifier: Apache-2.0
// A convolution kernel as it is written: on the command line or in a file.
#pragma once

#include <string>
#include <vector>

#include "stages/filter/convolution.h"

namespace cuimg {

inline constexpr int largest_kernel_side = 255;

/// Rows of weights from the top, all of one length.
struct KernelWeights {
  int width = 0, height = 0;
  std::vector<float> values;

  float at(int column, int row) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(column)];
  }
  /// Whether they add up to 0, but for the rounding of decimal fractions.
  bool adds_up_to_zero() const;
};

/// @param text "WxH:v,v,...", rows separated by semicolons "v,v;v,v", or the name of a file whose
/// lines are rows. Numbers are separated by commas or blanks, # begins a comment.
/// @throws Error "place: --kernel ...".
KernelWeights read_kernel(const std::string& text, const std::string& place);

/// The kernel, its centre at (width / 2, height / 2), as passes: two where it is exactly the
/// product of a column and a row that have no zeros inside.
/// @param normalize divide the weights by their sum, which is not 0, so that they add up to 1
/// exactly.
Convolution convolution_of(const KernelWeights& kernel, bool normalize);

}  // namespace cuimg
