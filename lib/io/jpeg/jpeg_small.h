// SPDX-License-Identifier: Apache-2.0
// A JPEG decoded at a fraction of its size, which takes a fraction of the time.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "image/image.h"

namespace cuimg {

/// As the file stores the pixels, grey or RGB, without its profile.
/// @param least_side of neither side less is made, unless the file has less itself.
/// @returns nothing for a file that cannot be decoded.
std::optional<Image> read_small_jpeg(std::span<const std::byte> file, int least_side);

}  // namespace cuimg
