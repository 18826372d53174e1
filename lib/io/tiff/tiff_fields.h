// SPDX-License-Identifier: Apache-2.0
// Adds fields of EXIF's first directory to the directory of a page, which libtiff writes.
#pragma once

#include <tiffio.h>

#include "io/tags/exif_tree.h"

namespace cuimg {

/// Sets the field, declaring a tag that libtiff does not know.
/// @returns false if libtiff requires another type or count for the tag, or cannot represent the
/// value.
bool set_tiff_field(TIFF* tiff, const ExifField& field, bool big_endian);

}  // namespace cuimg
