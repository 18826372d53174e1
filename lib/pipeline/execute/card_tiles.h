// SPDX-License-Identifier: Apache-2.0
// Steps on a card in tiles, where whole frames have no room, and in bands of one image, so that its
// first rows are encoded while its last are decoded.
#pragma once

#include <cstdint>
#include <optional>

#include "device/queue.h"
#include "pipeline/execute/card_frames.h"
#include "pipeline/execute/tiles.h"

namespace cuimg {

/// About what a card holds at a time while it makes the last region.
std::int64_t bytes_on_card(Steps steps, const Spec& source, const Regions& regions);

/// Bands in which the result can be made as the source's rows come. Nothing for a small image, and
/// where bands would do much work twice, or the first would wait for most of the source.
std::optional<TileSize> bands_on_card(Steps steps, const Spec& source);

/// Tile after tile. One for which the card has no memory is made in parts.
/// @throws DeviceError, or what `flow.ready` failed with.
void run_card_tiles(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted,
                    const TileSize& tile);

}  // namespace cuimg
