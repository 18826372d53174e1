// SPDX-License-Identifier: Apache-2.0
// The one thing that cuimg reads from EXIF: which way up the picture is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "io/orientation.h"

namespace cuimg {

/// @param tiff_block an EXIF block from its TIFF header ("II*\0" or "MM\0*") on.
/// @returns tag 0x0112 of the first directory; nothing when the block is malformed, has no such
/// tag, or a value other than 1 to 8.
std::optional<Orientation> exif_orientation(std::span<const std::byte> tiff_block);

}  // namespace cuimg
