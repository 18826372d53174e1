// SPDX-License-Identifier: Apache-2.0
// Pictures as the bytes that draw them on a terminal.
#pragma once

#include <string>

#include "image/image.h"

namespace cuimg {

/// @name An image of one 8-bit sRGB layer, RGB, as text that ends with a line end.
/// @{
/// Chunks of a PNG in base64.
std::string kitty_text(const Image& image);
/// Reduced to 6x7x6 colours, or 64 greys where there is no colour, by error diffusion (Floyd and
/// Steinberg 1976).
std::string sixel_text(const Image& image);
/// Two pixels, one above the other, in each character.
std::string blocks_text(const Image& image);
/// @}

}  // namespace cuimg
