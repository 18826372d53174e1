// SPDX-License-Identifier: Apache-2.0
// Transfer curves and powers as per-pixel operations. Each curve is a separate type, so that it is
// selected once for a row instead of once for a value.
#pragma once

#include "kernels/color/pixel_op.h"
#include "kernels/color/transfer.h"

namespace cuimg {

/// Stored values to light.
template <TransferCurve curve>
struct DecodeCurve {
  std::uint8_t channels = 0;
  CUIMG_HD float value(float x) const { return decode(Transfer{curve}, x); }
};

/// Light to stored values.
template <TransferCurve curve>
struct EncodeCurve {
  std::uint8_t channels = 0;
  CUIMG_HD float value(float x) const { return encode(Transfer{curve}, x); }
};

/// |x|^exponent with the sign of x.
struct MirroredPower {
  LogFactor exponent;
  std::uint8_t channels = 0;
  CUIMG_HD float value(float x) const { return mirrored_power(x, exponent); }
};

/// The same for exponents below 1.
struct MirroredRoot {
  LogFactor exponent;
  std::uint8_t channels = 0;
  CUIMG_HD float value(float x) const { return mirrored_root(x, exponent); }
};

}  // namespace cuimg
