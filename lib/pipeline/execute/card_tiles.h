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

/// The approximate memory that a card needs at a time to make the last region.
std::int64_t bytes_on_card(Steps steps, const Spec& source, const Regions& regions);

/// The bands in which the result can be made as the source's rows arrive. Nothing for a small
/// image, and if bands would do much work twice, or if the first would wait for most of the source.
std::optional<TileSize> bands_on_card(Steps steps, const Spec& source);

/// Makes a corner of the result on the card and discards it: a kernel's first launch loads it,
/// which takes some milliseconds, during which other threads can continue. Does nothing if the
/// corner is not a small part of the work. @throws DeviceError, or the error of `flow.ready`.
void load_kernels(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted);

/// The most tiles in progress at a time: one is copied to the card while another one's kernels run,
/// or its pixels are copied back.
inline constexpr int most_lanes = 2;

/// Makes tile after tile, from the top to the bottom. A tile for which the card has no memory is
/// made when no other is in progress, and if that is not enough, in parts.
/// @param lanes the number of tiles in progress at a time: 1 or most_lanes. The caller must make
/// sure that there is memory for them. @throws DeviceError, or the error of `flow.ready`.
void run_card_tiles(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted,
                    const TileSize& tile, int lanes);

}  // namespace cuimg
