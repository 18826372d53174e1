// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/card_bands.h"

#include <algorithm>

#include "pipeline/execute/card_frames.h"

namespace cuimg {
namespace {

// A band's launches and copies take some tenths of a millisecond, whatever its size.
constexpr int least_rows = 256, most_bands = 16, rows_a_warp_writes = 32;
// What bands may read and make, against the whole.
constexpr double most_work = 1.25;

double pixels_of(const Regions& regions) {
  double pixels = 0;
  for (const Rect& region : regions) pixels += static_cast<double>(region.pixels());
  return pixels;
}

}  // namespace

std::optional<TileSize> bands_on_card(Steps steps, const Spec& source) {
  const Rect& from = source.data_window;
  if (steps.empty() || from.empty()) return std::nullopt;
  for (const PlannedStep& step : steps)
    if (step.wants_whole_input()) return std::nullopt;
  const Rect& window = operation(steps, steps.size() - 1).output().data_window;
  if (window.height < 2 * least_rows) return std::nullopt;
  const int share = (window.height + most_bands - 1) / most_bands;
  const int rows = std::max(
      least_rows, (share + rows_a_warp_writes - 1) / rows_a_warp_writes * rows_a_warp_writes);
  const Regions whole = needed_regions(steps, from, window);
  double work = 0;
  for (int top = window.y; top < window.bottom(); top += rows) {
    const Rect band = {window.x, top, window.width, std::min(rows, window.bottom() - top)};
    const Regions regions = needed_regions(steps, from, band);
    if (top == window.y && regions.front().bottom() > from.y + from.height / 2) return std::nullopt;
    work += pixels_of(regions);
  }
  if (work > most_work * pixels_of(whole)) return std::nullopt;
  return TileSize{window.width, rows};
}

}  // namespace cuimg
