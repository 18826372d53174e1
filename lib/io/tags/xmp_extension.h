// SPDX-License-Identifier: Apache-2.0
// XMP's packet and the extension that JPEG splits off, because a segment holds 64 KiB (XMP
// Specification, part 3, 1.1.3): joins them for formats with more room, and splits them again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "image/spec.h"

namespace cuimg {

/// Whether the properties of an extension can be moved into its packet.
bool can_join_xmp(const Blob& extension);
/// Moves them there; a packet that names no extension, or that cannot be joined, is not changed.
void join_xmp(std::string& packet, std::string_view extension);

struct SplitXmp {
  std::string packet, extension;
};
/// Moves whole descriptions, the last ones first, until the packet fits. If it does not fit with
/// the first one alone, moves single properties instead, the largest first.
/// @returns empty texts if that is not possible.
SplitXmp split_xmp(std::string_view packet, std::size_t most);

}  // namespace cuimg
