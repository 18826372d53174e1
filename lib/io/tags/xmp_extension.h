// SPDX-License-Identifier: Apache-2.0
// XMP's packet and the extension that JPEG splits off, because a segment holds 64 KiB (XMP
// Specification, part 3, 1.1.3): put together for formats with more room, and split again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "image/spec.h"

namespace cuimg {

/// Whether the properties of an extension can be put into the packet that it belongs to.
bool can_join_xmp(const Blob& extension);
/// Puts them there; a packet that names no extension, and one that cannot be joined, stays.
void join_xmp(std::string& packet, std::string_view extension);

struct SplitXmp {
  std::string packet, extension;
};
/// Moves whole descriptions, the last ones first, until the packet fits.
/// @returns empty texts where that is not possible.
SplitXmp split_xmp(std::string_view packet, std::size_t most);

}  // namespace cuimg
