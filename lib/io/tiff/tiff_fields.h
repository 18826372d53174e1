// SPDX-License-Identifier: Apache-2.0
// Fields of EXIF's first directory in the directory of a page, which libtiff writes.
#pragma once

#include <tiffio.h>

#include "io/tags/exif_tree.h"

namespace cuimg {

/// Sets the field, declaring a tag that libtiff does not know.
/// @returns false where libtiff holds the tag in another type or number, or the value in none.
bool set_tiff_field(TIFF* tiff, const ExifField& field, bool big_endian);

}  // namespace cuimg
