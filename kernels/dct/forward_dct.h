// SPDX-License-Identifier: Apache-2.0
// Computes a block's quantised coefficients from its samples: the reverse of inverse_dct.h.
#pragma once

#include <cstdint>

#include "kernels/dct/dct_constants.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Eight samples to eight coefficients. @param up bits gained by the two that need no
/// multiplication. @param down bits that the others lose of the 13 in their constants.
template <int up, int down>
CUIMG_HD inline void forward_dct_line(int (&v)[8]) {
  using namespace dct;
  const int s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
  const int d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];

  const int a0 = s0 + s3, a3 = s0 - s3, a1 = s1 + s2, a2 = s1 - s2;
  if constexpr (up > 0) {
    v[0] = (a0 + a1) * (1 << up);
    v[4] = (a0 - a1) * (1 << up);
  } else {
    v[0] = rounded_shift(a0 + a1, pass_bits);
    v[4] = rounded_shift(a0 - a1, pass_bits);
  }
  const int turned = (a2 + a3) * c6;
  v[2] = rounded_shift(turned + a3 * c2_less_c6, down);
  v[6] = rounded_shift(turned - a2 * c2_and_c6, down);

  const int all = (d3 + d1 + d2 + d0) * c3;
  const int outer = (d3 + d0) * -outer_pair, inner = (d2 + d1) * -inner_pair;
  const int low = (d3 + d1) * -low_pair + all, high = (d2 + d0) * -high_pair + all;
  v[7] = rounded_shift(d3 * seventh + outer + low, down);
  v[5] = rounded_shift(d2 * fifth + inner + high, down);
  v[3] = rounded_shift(d1 * third + inner + low, down);
  v[1] = rounded_shift(d0 * first + outer + high, down);
}

/// @param value 8 times a coefficient. @param step of quantisation.
CUIMG_HD inline std::int16_t quantised(int value, int step) {
  const int divisor = 8 * step, half = 4 * step;
  const int size = ((value < 0 ? -value : value) + half) / divisor;
  return static_cast<std::int16_t>(value < 0 ? -size : size);
}

/// Quantised coefficients of 8 x 8 samples, row by row. @param steps of quantisation, in the order
/// of the coefficients.
CUIMG_HD inline void forward_dct(const std::uint8_t (&samples)[64],
                                 const std::uint16_t (&steps)[64],
                                 std::int16_t (&coefficients)[64]) {
  using namespace dct;
  int work[64];
  for (int y = 0; y < 8; ++y) {
    int line[8];
    for (int x = 0; x < 8; ++x) line[x] = samples[8 * y + x] - 128;
    forward_dct_line<pass_bits, bits - pass_bits>(line);
    for (int x = 0; x < 8; ++x) work[8 * y + x] = line[x];
  }
  for (int x = 0; x < 8; ++x) {
    int line[8];
    for (int y = 0; y < 8; ++y) line[y] = work[8 * y + x];
    forward_dct_line<0, bits + pass_bits>(line);
    for (int y = 0; y < 8; ++y) coefficients[8 * y + x] = quantised(line[y], steps[8 * y + x]);
  }
}

}  // namespace cuimg
