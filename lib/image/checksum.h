// SPDX-License-Identifier: Apache-2.0
// One number for the pixels of an image, whatever file they came from.
#pragma once

#include <string>

#include "image/image.h"

namespace cuimg {

/// SHA-256 in hexadecimal over the data window's width and height (32 bits each, little-endian) and
/// for each layer its type's name, each channel's full name (each text followed by a zero byte),
/// and its rows as stored, little-endian, top to bottom. Positions of windows, encoding and
/// metadata are not included.
std::string pixel_checksum(const Image& image);

}  // namespace cuimg
