// SPDX-License-Identifier: Apache-2.0
// A JPEG's coefficients as stored in the file, from which a card computes pixels.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "image/dct_image.h"
#include "io/jpeg/jpeg_errors.h"

namespace cuimg {

/// The memory that the file's coefficients need; 0 for colours or sampling factors that kernels/dct
/// does not support. @param info after jpeg_read_header().
std::size_t jpeg_block_bytes(const jpeg_decompress_struct& info);

/// @returns nothing if decoding to pixels would fail, or would smooth blocks because a progressive
/// file lacks coefficients. @param file for which jpeg_block_bytes() is not 0.
std::optional<DctImage> read_jpeg_blocks(std::span<const std::byte> file);

}  // namespace cuimg
