// SPDX-License-Identifier: Apache-2.0
// A TIFF's resolution: pixels per inch, per centimetre, or per length without a unit.
#pragma once

#include "image/spec.h"
#include "io/tiff/tiff_handle.h"

namespace cuimg {

constexpr double cm_per_inch = 2.54;

/// Fills in the pixel aspect and the density. @param transposes the picture's x is the file's y.
/// @param facts gets a resolution without a unit, which metadata cannot represent.
void read_tiff_resolution(const TiffHandle& tiff, bool transposes, Spec& spec, Metadata& facts);

}  // namespace cuimg
