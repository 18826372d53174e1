// SPDX-License-Identifier: Apache-2.0
// Integer files with associated alpha hold encoded colour times alpha: the curve was applied first.
// Dividing after the curve is undone would darken them, so decoders divide what is stored.
#pragma once

#include <cstddef>

#include "image/pixel_type.h"

namespace cuimg {

/// What a file's facts say of such alpha, and what is warned of where a colour was cut off.
inline constexpr const char* divided_alpha_fact = "associated; colours are divided by it";
inline constexpr const char* cut_light_warning =
    "colours above their alpha are cut off: integers are read with alpha divided out, which cannot "
    "represent such light (glows, flames); --raw reads them as stored";

/// Divides the colours of `pixels` pixels by their alpha, the last of 2 or 4 channels: to the
/// nearest, half up, at most the type's largest value. Where alpha is 0 colours stay as they are:
/// nothing says what they were, and they are not lost.
///
/// Colours that are at most their alpha come back: the straight colour is off by at most a half,
/// alpha makes that less than a half, so that multiplying and rounding gives the stored value.
/// @param type u8 or u16.
/// @returns whether all colours are at most their alpha: light that covers less than it shines
/// (glows, flames) has no straight colour, and is cut off.
bool make_alpha_straight(std::byte* row, std::size_t pixels, int channels, PixelType type);

}  // namespace cuimg
