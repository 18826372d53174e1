// SPDX-License-Identifier: Apache-2.0
// --border-color: when it is allowed, and the colour in the form of a layer's pixels.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "image/spec.h"
#include "options/values.h"

namespace cuimg {

/// For stages that show the colour only beyond the picture's edges.
/// @param stage its name. @param option the colour's option. @throws Error if a colour is given
/// that would not be visible.
void check_border_color(const std::string& stage, Border border, const Color& color,
                        const std::string& option = "border-color");

/// The help text for such a colour.
inline constexpr const char* border_color_help =
    "colour for --border border: R,G,B,A, linear, premultiplied, in the picture's primaries; a "
    "grey picture uses its luminance";

/// In the order of the layer's channels, as given in float. Grey gets the colour's luminance, by
/// the picture's primaries. @throws Error if these have no luminance.
std::array<float, 4> border_values(const Color& color, const Spec& spec, const LayerSpec& layer);

/// A texel as stored; only its first bytes are used.
using StoredTexel = std::array<std::byte, 16>;

/// The colour as a layer stores it. Ids have no colour, so it is 0.
StoredTexel stored_color(const Color& color, const Spec& spec, const LayerSpec& layer, bool raw);

}  // namespace cuimg
