// SPDX-License-Identifier: Apache-2.0
// The curves and parameters of tonemap, also for code that displays pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "options/values.h"

namespace cuimg {

enum class ToneCurve : std::uint8_t { reinhard, reinhard_extended, hable, aces, agx, neutral };
std::span<const Choice<ToneCurve>> choices_of(ToneCurve);

struct Tonemap {
  ToneCurve curve = ToneCurve::agx;
  float exposure = 0;          ///< In stops, applied before the curve.
  std::optional<float> white;  ///< The light that becomes 1; absent: the curve's default.
};

}  // namespace cuimg
