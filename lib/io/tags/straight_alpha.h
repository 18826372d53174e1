// SPDX-License-Identifier: Apache-2.0
// Integer files with associated alpha store encoded colour times alpha: the curve was applied
// first. Dividing after undoing the curve would darken colours, so decoders divide the stored
// values.
#pragma once

#include <cstddef>

#include "image/pixel_type.h"

namespace cuimg {

/// The fact that describes such alpha, and the warning if a colour was cut off.
inline constexpr const char* divided_alpha_fact = "associated; colours are divided by it";
inline constexpr const char* cut_light_warning =
    "colours above their alpha are cut off: integers are read with alpha divided out, which cannot "
    "represent such light (glows, flames); --raw reads them as stored";

/// Divides the colours of `pixels` pixels by their alpha, the last of 2 or 4 channels: rounded to
/// nearest, half up, and limited to the type's largest value. Where alpha is 0 colours do not
/// change: their straight values are unknown, and so the stored ones are not lost.
///
/// Colours that are at most their alpha can be recovered: the straight colour has an error of at
/// most a half, and multiplication by alpha makes it less than a half, so multiplying and rounding
/// gives the stored value.
/// @param type u8 or u16.
/// @returns whether all colours are at most their alpha: light that covers less than it shines
/// (glows, flames) has no straight colour and is cut off.
bool make_alpha_straight(std::byte* row, std::size_t pixels, int channels, PixelType type);

}  // namespace cuimg
