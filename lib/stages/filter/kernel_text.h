// SPDX-License-Identifier: Apache-2.0
// Parses a convolution kernel from the command line or a file.
#pragma once

#include <string>
#include <vector>

#include "stages/filter/convolution.h"

namespace cuimg {

inline constexpr int largest_kernel_side = 255;

/// Rows of weights from the top, all of the same length.
struct KernelWeights {
  int width = 0, height = 0;
  std::vector<float> values;

  float at(int column, int row) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(column)];
  }
  /// Whether they add up to 0, apart from the rounding of decimal fractions.
  bool adds_up_to_zero() const;
};

/// @param text "WxH:v,v,...", rows separated by semicolons "v,v;v,v", or the name of a file whose
/// lines are rows. Numbers are separated by commas or blanks, # starts a comment.
/// @throws Error "place: --kernel ...".
KernelWeights read_kernel(const std::string& text, const std::string& place);

/// The kernel as passes, with its centre at (width / 2, height / 2): two passes if it is exactly
/// the product of a column and a row without zeros inside.
/// @param normalize divides the weights by their sum, which is not 0, so that they add up to
/// exactly 1.
Convolution convolution_of(const KernelWeights& kernel, bool normalize);

}  // namespace cuimg
