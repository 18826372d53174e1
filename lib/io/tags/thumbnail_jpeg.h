// SPDX-License-Identifier: Apache-2.0
// A thumbnail as the JPEG that EXIF holds.
#pragma once

#include <cstddef>

#include "image/spec.h"
#include "io/tags/thumbnail.h"

namespace cuimg {

/// A baseline JPEG without markers of applications, as EXIF demands, over black.
/// @returns the best one of no more than `most` bytes; empty where none has so few.
Blob thumbnail_jpeg(const Thumbnail& thumbnail, std::size_t most);

}  // namespace cuimg
