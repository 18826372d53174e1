// SPDX-License-Identifier: Apache-2.0
// Divides a plan if memory is short: decides which steps are executed together tile by tile, and
// which images are kept between them. The choice does not affect the pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/execute/planned_steps.h"
#include "pipeline/execute/tiles.h"

namespace cuimg {

/// Steps from one image to the next.
struct Stretch {
  std::size_t first, count;
  TileSize tile;
  bool is_whole;  ///< One step that runs once over whole images.
  int lanes = 1;  ///< On a card: the number of tiles in progress at a time.
};

/// The available memory.
struct Room {
  std::uint64_t memory_bytes;
  int threads;
  bool on_card = false;  ///< The memory is a card's.
  int lanes = 1;         ///< The most tiles that a card makes at a time.

  /// The memory for the frames of one tile; on a card, of all tiles in progress.
  std::int64_t tile_bytes() const;
};

/// Whether a source's or an output's rows are in memory a few at a time.
bool few_rows_fit(const Spec& image, int rows, const Room& room);

/// Compares making a whole image with making its parts several times, by estimated time. The images
/// between stretches, and the source, may be larger than memory (image/scratch.h).
std::vector<Stretch> stretches(Steps steps, const Spec& source, const Room& room);

}  // namespace cuimg
