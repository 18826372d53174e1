// SPDX-License-Identifier: Apache-2.0
// Runs steps on the CPU: region by region of the output, each through all steps, so that no whole
// image is stored between two of them.
#pragma once

#include <cstdint>

#include "device/queue.h"
#include "pipeline/execute/execute.h"
#include "pipeline/execute/planned_steps.h"

namespace cuimg {

/// Regions of an output, one row of them after another. A band is a tile as wide as the picture.
struct TileSize {
  int width, height;
};

/// Enough rows that those which two neighbouring bands both need cost little, few enough that a
/// band's floats remain in the cache.
inline constexpr int band_rows = 32;

/// The approximate cost of making a region.
struct RegionCost {
  std::int64_t bytes = 1;  ///< Bytes of floats between the steps.
  double ns = 0;           ///< Time of one CPU core.
  Rect source;             ///< The region that it reads of the image before the first step.
};
RegionCost cost_of(Steps steps, Rect region);

/// The most rows of the source from the first one that is still needed to the last one that was
/// needed so far, while the tiles are made row after row.
int rows_held(Steps steps, const TileSize& tile);

/// @param tile_bytes limit on a tile's floats; larger tiles are made in parts.
void run_tiles(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted,
               const TileSize& tile, std::int64_t tile_bytes = INT64_MAX);

/// Bands of floats in progress at a time, whose total size is limited.
struct BandsUnderWay {
  int count;
  std::int64_t bytes;  ///< For all of them.
};
BandsUnderWay bands_under_way(Steps steps, int threads);

}  // namespace cuimg
