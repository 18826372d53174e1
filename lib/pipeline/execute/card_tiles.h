// SPDX-License-Identifier: Apache-2.0
// Runs steps on a card in tiles if whole frames do not fit, and in bands of a single image, so that
// its first rows are encoded while its last ones are decoded.
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

/// Makes a corner of the result on the card and leaves it: a kernel's first launch loads it, which
/// takes some milliseconds, and others can go on with something else meanwhile. Nothing where the
/// corner is no small part of the work. @throws DeviceError, or what `flow.ready` failed with.
void load_kernels(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted);

/// Tiles under way at a time, at the most: one is copied to the card while another one's kernels
/// run, or its pixels go back.
inline constexpr int most_lanes = 2;

/// Tile after tile, from the top to the bottom. One for which the card has no memory is made when
/// no other is under way, and where that is not enough in parts.
/// @param lanes how many are under way at a time: 1 or most_lanes. Memory for so many is the
/// caller's matter. @throws DeviceError, or what `flow.ready` failed with.
void run_card_tiles(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted,
                    const TileSize& tile, int lanes);

}  // namespace cuimg
