// SPDX-License-Identifier: Apache-2.0
// The check of functions that read an image's pixels.
#pragma once

#include <string>

#include "base/error.h"
#include "image/image.h"

namespace cuimg {

/// @param place the beginning of the error. @throws Error if the image has no memory.
inline void require_memory(const Image& image, const std::string& place) {
  if (!image.has_memory())
    throw Error(place, "the image has no memory", "call Image::allocate() first");
}

}  // namespace cuimg
