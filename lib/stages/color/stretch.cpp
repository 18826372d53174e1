// SPDX-License-Identifier: Apache-2.0
#include "stages/color/stretch.h"

#include <cmath>

#include "stages/color/line_through.h"

namespace cuimg {
namespace {

double slope_of(const Stretch& stretch) {
  // The difference is computed as the pixels' arithmetic computes it, so that `high` becomes
  // exactly `to_high`.
  return (stretch.to_high - stretch.to_low) / static_cast<double>(stretch.high - stretch.low);
}

// The power of two by which values are multiplied first; 1 if the line's floats are exact enough.
float first_factor(const Stretch& stretch) {
  constexpr double most = 0x1p100;
  const double span = static_cast<double>(stretch.high) - static_cast<double>(stretch.low);
  const double steepness = std::abs((stretch.to_high - stretch.to_low) / span);
  if (steepness > most) return 0x1p64f;
  if (steepness > 0 && steepness < 1 / most) return 0x1p-64f;
  // so that no finite value's difference from `low` overflows
  return std::isfinite(span) && std::abs(static_cast<double>(stretch.low)) > most ? 0x1p-32f : 1.0f;
}

}  // namespace

void append_stretch(std::uint8_t channels, std::array<Stretch, 4> of, std::vector<PixelOp>& ops) {
  for (;;) {
    std::array<float, 4> factors = {1, 1, 1, 1};
    std::uint8_t scaled = 0;
    for (int c = 0; c < 4; ++c) {
      const auto at = static_cast<std::size_t>(c);
      if (has_channel(channels, c)) factors[at] = first_factor(of[at]);
      if (factors[at] != 1) scaled = static_cast<std::uint8_t>(scaled | (1 << c));
      of[at].low *= factors[at];
      of[at].high *= factors[at];
    }
    if (scaled == 0) break;
    ops.push_back(line_of(scaled, [&](int c) -> LineThrough {
      return {0, static_cast<double>(factors[static_cast<std::size_t>(c)]), 0};
    }));
  }
  ops.push_back(line_of(channels, [&](int c) -> LineThrough {
    const Stretch& stretch = of[static_cast<std::size_t>(c)];
    return {static_cast<double>(stretch.low), slope_of(stretch), stretch.to_low};
  }));
}

}  // namespace cuimg
