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

/// @param orientation what to do with the stored pixels. @param turned the picture that becomes of
/// it, whose metadata the file gets; its ICC profile is the input's.
/// @param unknown blocks of the input that the file gets too.
/// @returns a file; nothing where an edge that moves ends inside a block, and where the input is
/// damaged.
std::optional<std::vector<std::byte>> turn_jpeg(std::span<const std::byte> file,
                                                Orientation orientation, const Spec& turned,
                                                const JpegUnknown& unknown);

/// The same with all blocks where they are, and an orientation that turns them when they are shown.
/// @param upright the picture as it is shown, whose metadata the file gets.
/// @returns nothing where the input is damaged.
std::optional<std::vector<std::byte>> keep_jpeg(std::span<const std::byte> file,
                                                Orientation orientation, const Spec& upright,
                                                const JpegUnknown& unknown);

}  // namespace cuimg
