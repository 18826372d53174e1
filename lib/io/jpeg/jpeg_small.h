// SPDX-License-Identifier: Apache-2.0
// Decodes a JPEG at a fraction of its size, in a fraction of the time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "image/image.h"

namespace cuimg {

/// The pixels as stored in the file, grey or RGB, without its profile.
/// @param least_side neither side of the result is shorter, unless the file's is.
/// @returns nothing for a file that cannot be decoded.
std::optional<Image> read_small_jpeg(std::span<const std::byte> file, int least_side);

}  // namespace cuimg
