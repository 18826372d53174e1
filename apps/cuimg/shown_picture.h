// SPDX-License-Identifier: Apache-2.0
// Converts any picture to one that a terminal can show: scaled down, 8-bit sRGB, over a
// checkerboard.
#pragma once

#include <optional>
#include <string>

#include "image/image.h"
#include "stages/color/tonemap.h"
#include "terminal.h"

namespace cuimg {

/// Room for pictures, in the pixels of a protocol; half blocks have one per column and two per
/// line.
struct ShownSpace {
  int width = 0, height = 0;
  int cell_width = 1;  ///< Of a character, in those pixels.
};

/// @param columns the maximum width in characters, with any height; absent: the terminal's size.
/// @param lines_left lines of the terminal to keep free: for the prompt and a caption.
ShownSpace space_on(const Terminal& terminal, Protocol protocol, std::optional<int> columns,
                    int lines_left);

/// The size at which the whole picture fits, not larger than the picture.
Rect shown_size(const Spec& spec, const ShownSpace& space);

/// Whether a float colour layer contains light above 1.
bool passes_white(const Image& image);

/// The layer that a PNG would show, as 8-bit sRGB of that size; light above 1 is cut off.
/// @param curve tone-maps the light first.
Image shown_picture(const Image& image, const Rect& size, float exposure_stops,
                    std::optional<ToneCurve> curve, int threads);

/// The text that draws an image with one 8-bit sRGB layer, RGB. @param protocol any except
/// `automatic`.
std::string terminal_text(const Image& picture, Protocol protocol);

}  // namespace cuimg
