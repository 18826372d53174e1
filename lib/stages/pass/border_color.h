// SPDX-License-Identifier: Apache-2.0
// --border-color: when it may be given, and the colour as a layer's pixels have it.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "image/spec.h"
#include "options/values.h"

namespace cuimg {

/// For stages that show the colour beyond the picture's edges alone.
/// @param stage its name. @param option the colour's. @throws Error for a colour that is given and
/// would not be seen.
void check_border_color(const std::string& stage, Border border, const Color& color,
                        const std::string& option = "border-color");

/// The help text for such a colour.
inline constexpr const char* border_color_help =
    "colour for --border border: R,G,B,A, linear, premultiplied, in the picture's primaries; a "
    "grey picture uses its luminance";

/// In the order of the layer's channels, float as given. Grey takes the colour's luminance, by the
/// picture's primaries. @throws Error where these have none.
std::array<float, 4> border_values(const Color& color, const Spec& spec, const LayerSpec& layer);

/// A texel as it lies; its first bytes count.
using StoredTexel = std::array<std::byte, 16>;

/// The colour as a layer stores it. Ids have none: 0.
StoredTexel stored_color(const Color& color, const Spec& spec, const LayerSpec& layer, bool raw);

}  // namespace cuimg
