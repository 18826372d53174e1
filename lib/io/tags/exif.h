// SPDX-License-Identifier: Apache-2.0
// What cuimg reads from EXIF: which way up the picture is, and who made it, when and with what.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "image/spec.h"
#include "io/tags/orientation.h"

namespace cuimg {

/// How EXIF's segment of a JPEG file begins.
inline constexpr char jpeg_exif_name[] = {'E', 'x', 'i', 'f', 0, 0};

struct Exif {
  /// Tag 0x0112 of the first directory; nothing for a value other than 1 to 8.
  std::optional<Orientation> orientation;
  Metadata texts;     ///< Of the first directory, by the keys of text_tags().
  std::string other;  ///< What it holds besides and is left out, in words; empty: nothing.
};

/// @param tiff_block an EXIF block from its TIFF header ("II*\0" or "MM\0*") on.
/// If it is malformed, the result has what can be read.
Exif read_exif(std::span<const std::byte> tiff_block);

/// A block of the texts that `metadata` has; empty when it has none. An orientation is not in it:
/// pixels are upright.
std::vector<std::byte> make_exif(const Metadata& metadata);

}  // namespace cuimg
