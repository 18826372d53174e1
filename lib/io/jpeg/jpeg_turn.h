// SPDX-License-Identifier: Apache-2.0
// Turns a JPEG without decoding it, by moving its blocks of coefficients.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "image/spec.h"
#include "io/jpeg/jpeg_unknown.h"
#include "io/tags/orientation.h"

namespace cuimg {

/// @param orientation the turn of the stored pixels. @param turned the resulting picture, whose
/// metadata the file gets; its ICC profile is the input's.
/// @param unknown blocks of the input that the file also gets.
/// @returns a file; nothing if an edge that moves ends inside a block, or if the input is damaged.
std::optional<std::vector<std::byte>> turn_jpeg(std::span<const std::byte> file,
                                                Orientation orientation, const Spec& turned,
                                                const JpegUnknown& unknown);

/// The same without moving blocks, and with an orientation that turns the picture when it is
/// displayed.
/// @param upright the picture as displayed, whose metadata the file gets.
/// @returns nothing if the input is damaged.
std::optional<std::vector<std::byte>> keep_jpeg(std::span<const std::byte> file,
                                                Orientation orientation, const Spec& upright,
                                                const JpegUnknown& unknown);

}  // namespace cuimg
