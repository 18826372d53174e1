// SPDX-License-Identifier: Apache-2.0
// Where strips of a picture are cut into the parts that blocks of threads make. A part reads a
// window's rows more than it makes, so parts should be high; but blocks end at different times, and
// what is left of the card then is best filled by low parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "kernels/math/platform.h"

namespace cuimg {

/// High parts, then low ones, or all of one height. All strips are cut alike.
struct StripCuts {
  int high = 1, low = 1;  ///< Heights, in rows.
  int high_parts = 0;

  /// The first row of a part, or the one after the last's end.
  CUIMG_HD int begin(int part) const {
    return part < high_parts ? part * high : high_parts * high + (part - high_parts) * low;
  }
  int parts(int rows) const { return high_parts + (rows - begin(high_parts) + low - 1) / low; }
};

/// For large pictures: as many high parts as fill the card twice, and six low ones a strip.
/// @param at_once blocks that a card has. @param unit of heights. @param low height of low parts.
/// @param most height of a part. @returns nothing where high parts would not fill it evenly.
inline std::optional<StripCuts> high_parts_of(int strips, int rows, int at_once, int unit, int low,
                                              int most) {
  constexpr int low_parts = 6;
  const int high_parts = std::max(1, 2 * at_once / strips);
  const int high = (rows - low_parts * low) / high_parts / unit * unit;
  const bool fill = std::abs(2 * at_once - high_parts * strips) <= at_once / 4;
  if (!fill || high < 2 * low || high > most) return std::nullopt;
  return StripCuts{high, low, high_parts};
}

/// @param at_once blocks that a card has. @param unit of heights. @param lost rows' time that a
/// part takes more than its own. @param least height of a part.
inline StripCuts cuts_of(int strips, int rows, int at_once, int unit, int lost, int least) {
  const auto in_units = [&](int height) { return (height + unit - 1) / unit * unit; };
  // In place of parts of one height high and low ones save erosions by a radius of 5 to 7 5 % of
  // their time, boxes of floats by a radius of 12 9 %; with parts so low as windows of three rows
  // want, these take 3 % more (card_chains, an H200, 2026-11-30).
  const int low = in_units(4 * lost);
  if (low > 5 * unit)
    if (const auto cuts = high_parts_of(strips, rows, at_once, unit, low, rows)) return *cuts;
  // Others: the card is half idle for about one part at the end.
  StripCuts cuts;
  std::int64_t shortest = INT64_MAX;
  for (int parts = 1; parts <= std::max(1, rows / least); ++parts) {
    const int height = in_units((rows + parts - 1) / parts);
    const std::int64_t time = (std::int64_t{2} * strips * parts + at_once) * (height + lost);
    if (time >= shortest) continue;
    shortest = time;
    cuts = {height, height};
  }
  return cuts;
}

}  // namespace cuimg
