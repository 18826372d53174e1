// SPDX-License-Identifier: Apache-2.0
// A colour given on the command line as a layer's pixels have it.
#pragma once

#include <array>
#include <cstddef>

#include "image/spec.h"
#include "options/values.h"

namespace cuimg {

/// In the order of the layer's channels, float as given. Grey takes the red value.
std::array<float, 4> border_values(const Color& color, const LayerSpec& layer);

/// A texel as it lies; its first bytes count.
using StoredTexel = std::array<std::byte, 16>;

/// The colour as a layer stores it. Ids have none: 0.
StoredTexel stored_color(const Color& color, const Spec& spec, const LayerSpec& layer, bool raw);

}  // namespace cuimg
