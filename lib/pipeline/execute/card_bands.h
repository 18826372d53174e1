// SPDX-License-Identifier: Apache-2.0
// Bands of one image on a card, so that its first rows are encoded while its last are decoded.
#pragma once

#include <optional>

#include "pipeline/execute/planned_steps.h"
#include "pipeline/execute/tiles.h"

namespace cuimg {

/// Bands in which the result can be made as the source's rows come. Nothing for a small image, and
/// where bands would do much work twice, or the first would wait for most of the source.
std::optional<TileSize> bands_on_card(Steps steps, const Spec& source);

}  // namespace cuimg
