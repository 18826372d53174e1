// SPDX-License-Identifier: Apache-2.0
// A logarithm and a reciprocal for curves over light, for which an error of a few ulp is good
// enough. They take a third of exp_log.h's work and have no branch, unlike a card's correctly
// rounded division.
#pragma once

#include <cstdint>

#include "kernels/math/math.h"
#include "kernels/math/platform.h"

namespace cuimg {

/// log2(x) for finite x of at least 2^-126, with an error of at most 1e-7 plus half an ulp of the
/// result.
/// The polynomial is the minimax fit of log2(1 + f) / f over [sqrt(1/2) - 1, sqrt(2) - 1], weighted
/// by f.
CUIMG_HD inline float log2_short(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t exponent =
      static_cast<std::uint32_t>(static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23);
  const float f = float_from_bits(bits - (exponent << 23)) - 1.0f;
  // The exponent as a float, through the last bits of 1.5 * 2^23.
  const float e = float_from_bits(0x4b400000u + exponent) - 0x1.8p23f;
  float p = 0x1.e85a56p-4f;
  p = fma(p, f, -0x1.aa5fe2p-3f);
  p = fma(p, f, 0x1.bffc14p-3f);
  p = fma(p, f, -0x1.e94656p-3f);
  p = fma(p, f, 0x1.267270p-2f);
  p = fma(p, f, -0x1.715b60p-2f);
  p = fma(p, f, 0x1.ec77f2p-2f);
  p = fma(p, f, -0x1.715474p-1f);
  p = fma(p, f, 0x1.715472p+0f);
  return fma(p, f, e);
}

/// 1 / x, error at most 1 ulp, for x from 2^-100 to 2^120.
/// A linear function of the bits has an error of 5 %; each step then cubes the error.
CUIMG_HD inline float reciprocal_short(float x) {
  float y = float_from_bits(0x7ef127eau - bits_of(x));
  const float error = fma(-x, y, 1.0f);
  y = fma(fma(error, error, error), y, y);
  const float rest = fma(-x, y, 1.0f);
  y = fma(fma(rest, rest, rest), y, y);
  return y;
}

/// a / b to within a rounding of the last bit, for b as above and quotients that are normal or 0.
CUIMG_HD inline float quotient_short(float a, float b) {
  const float per = reciprocal_short(b);
  const float q = a * per;
  return fma(fma(-b, q, a), per, q);
}

}  // namespace cuimg
