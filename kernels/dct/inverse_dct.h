// SPDX-License-Identifier: Apache-2.0
// Computes a block's samples from its quantised coefficients, in integers: the algorithm of
// Loeffler, Ligtenberg and Moschytz (1989) with constants of 13 bits, which libjpeg calls "islow".
#pragma once

#include <cstdint>

#include "kernels/dct/dct_constants.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// Eight coefficients to eight values, columns first and then rows. The values have dct_bits more
/// than their arguments, and a factor of the square root of 8.
CUIMG_HD inline void inverse_dct_line(int (&v)[8]) {
  using namespace dct;
  const int turned = (v[2] + v[6]) * c6;
  const int even2 = turned - v[6] * c2_and_c6, even3 = turned + v[2] * c2_less_c6;
  const int even0 = (v[0] + v[4]) * (1 << bits), even1 = (v[0] - v[4]) * (1 << bits);
  const int a0 = even0 + even3, a3 = even0 - even3, a1 = even1 + even2, a2 = even1 - even2;

  const int all = (v[7] + v[3] + v[5] + v[1]) * c3;
  const int outer = (v[7] + v[1]) * -outer_pair, inner = (v[5] + v[3]) * -inner_pair;
  const int low = (v[7] + v[3]) * -low_pair + all, high = (v[5] + v[1]) * -high_pair + all;
  const int b0 = v[7] * seventh + outer + low, b1 = v[5] * fifth + inner + high;
  const int b2 = v[3] * third + inner + low, b3 = v[1] * first + outer + high;

  v[0] = a0 + b3;
  v[7] = a0 - b3;
  v[1] = a1 + b2;
  v[6] = a1 - b2;
  v[2] = a2 + b1;
  v[5] = a2 - b1;
  v[3] = a3 + b0;
  v[4] = a3 - b0;
}

/// @param value is set to the nearest one in range. @returns whether it was in range:
/// libjpeg-turbo's variants for different processors agree as long as no sum of two exceeds 16
/// bits.
CUIMG_HD inline bool agreed_argument(int& value) {
  constexpr int most = (1 << 14) - 1;
  const int given = value;
  value = given < -most ? -most : given > most ? most : given;
  return value == given;
}

/// Samples of 8 x 8, row by row. @param steps of quantisation, in the order of the coefficients.
/// @returns whether all decoders agree on them. Sums of coefficients from an encoder are far from
/// the bounds; artificial coefficients may exceed them, and then the samples are unspecified.
CUIMG_HD inline bool inverse_dct(const std::int16_t (&coefficients)[64],
                                 const std::uint16_t (&steps)[64], std::uint8_t (&samples)[64]) {
  using namespace dct;
  bool agreed = true;
  int work[64];
  for (int x = 0; x < 8; ++x) {
    int line[8];
    for (int y = 0; y < 8; ++y) {
      line[y] = coefficients[8 * y + x] * static_cast<int>(steps[8 * y + x]);
      agreed &= agreed_argument(line[y]);
    }
    inverse_dct_line(line);
    for (int y = 0; y < 8; ++y) work[8 * y + x] = rounded_shift(line[y], bits - pass_bits);
  }
  for (int y = 0; y < 8; ++y) {
    int line[8];
    for (int x = 0; x < 8; ++x) {
      line[x] = work[8 * y + x];
      agreed &= agreed_argument(line[x]);
    }
    inverse_dct_line(line);
    for (int x = 0; x < 8; ++x) {
      const int value = rounded_shift(line[x], bits + pass_bits + 3);
      // Beyond that, some variants saturate and some wrap around.
      agreed &= value >= -512 && value <= 511;
      const int sample = value + 128;
      samples[8 * y + x] = static_cast<std::uint8_t>(sample < 0 ? 0 : sample > 255 ? 255 : sample);
    }
  }
  return agreed;
}

}  // namespace cuimg
