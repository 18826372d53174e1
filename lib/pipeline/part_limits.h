// SPDX-License-Identifier: Apache-2.0
// The limit on the pixels of all parts of a file together: a file of a few kilobytes can describe
// gigapixels, one frame after another.
#pragma once

#include <cstdint>

#include "io/byte_source.h"

namespace cuimg {

/// Parts are decoded one after another, so many of them take time but not memory: together they may
/// have this multiple of --limit-pixels.
inline constexpr std::uint64_t pixels_of_parts_in_limit = 16;
/// Beyond --limit-pixels the file must have one byte for this many pixels. The shortest frame of a
/// GIF has about 25 bytes: if a screen of 1920x1080 hardly changes, that is a byte for 83000
/// pixels.
inline constexpr std::uint64_t pixels_of_parts_in_byte = 131072;

/// @param pixels of the parts counted so far. @param limit as --limit-pixels. @throws Error.
void check_pixels_of_parts(std::uint64_t pixels, const ByteSource& source, std::uint64_t limit);

}  // namespace cuimg
