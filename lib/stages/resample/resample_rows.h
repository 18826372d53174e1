// SPDX-License-Identifier: Apache-2.0
// The two passes of a resize over rows of floats on the CPU: kernels/stencil/resample.h's
// arithmetic, many lanes at a time.
#pragma once

#include <cstddef>

#include "stages/resample/resample_table.h"

namespace cuimg {

/// target[i] = sum over k of weights[k] * rows[k][i], for `count` floats: the vertical pass.
/// @param clamp_ringing keep each within the range of its taps.
void mix_rows(const float* const* rows, const float* weights, int taps, std::size_t count,
              bool clamp_ringing, float* target);

/// The rows given to mix_row_pair() that one target row mixes.
struct RowTaps {
  const float* weights;
  int first, count;
};

/// Makes two target rows like mix_rows() without clamp_ringing, but reads the rows that both mix
/// only once.
/// @param upper, lower their rows overlap; lower neither begins nor ends before upper.
void mix_row_pair(const float* const* rows, const RowTaps& upper, const RowTaps& lower,
                  std::size_t count, float* upper_target, float* lower_target);

/// Output pixels [from, to) of one row: the horizontal pass.
/// @param source the pixel at absolute coordinate 0 of the row; the pixels in the table's reach,
/// and three floats after them, must be readable.
/// @param target the pixel at `from`; exactly (to - from) * channels floats are written.
void mix_columns(const float* source, int channels, const AxisTable& table, int from, int to,
                 bool clamp_ringing, float* target);

}  // namespace cuimg
