// SPDX-License-Identifier: Apache-2.0
// A picture small enough to be embedded in the list's data.
#pragma once

#include <string>

#include "image/image.h"

namespace cuimg {

/// The first colour layer, otherwise the first layer, as a JPEG of at most 128 x 96 pixels in a
/// `data:` address. Translucent colours are shown over grey; NaN is magenta.
/// @returns empty for an image without pixels.
std::string thumbnail(const Image& image);

}  // namespace cuimg
