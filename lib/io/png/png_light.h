// SPDX-License-Identifier: Apache-2.0
// The chunks mDCV and cLLI (PNG, third edition): the display on which a picture was graded, and how
// bright the picture is. libpng has no interface for them before 1.6.46.
#pragma once

#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "image/spec.h"

namespace cuimg {

/// Whether the chunk of that name is one of the two.
bool is_png_light(std::string_view name);

/// The chunk's numbers: chromaticities, and brightness in cd/m^2. mDCV's are the x and y of red,
/// green, blue and white, then its largest and smallest luminance; cLLI's are the brightest pixel
/// and the brightest frame's mean. @returns nothing if it has another size.
std::optional<MetadataValue> png_light_value(std::string_view name, std::string_view data);

/// The data of the chunk; empty if it cannot hold the value.
Blob png_light_data(std::string_view name, const MetadataValue& value);

}  // namespace cuimg
