// SPDX-License-Identifier: Apache-2.0
// Metadata on the light for which a picture was graded. Both entries are lists of numbers, under
// the names of PNG's chunks.
#pragma once

namespace cuimg {

/// The display on which it was graded, which describes the encoded colours.
inline constexpr const char* mastering_display_key = "mDCV";
/// The brightest pixel and the mean brightness, which describe the picture itself.
inline constexpr const char* content_light_key = "cLLI";

}  // namespace cuimg
