// SPDX-License-Identifier: Apache-2.0
// Moves a JPEG's blocks of coefficients for any sampling factors: TurboJPEG's tjTransform() refuses
// files that it has no name for, such as 1x4.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "image/pixel_turn.h"

namespace cuimg {

/// @returns a JPEG without the file's segments; nothing if an edge that moves ends inside a block,
/// or if the file is damaged. Its codes are Huffman's, progressive if the file is.
std::optional<std::vector<std::byte>> moved_blocks(std::span<const std::byte> file, PixelTurn turn);

}  // namespace cuimg
