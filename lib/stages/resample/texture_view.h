// SPDX-License-Identifier: Apache-2.0
// A host frame in the form that the software texture unit reads.
#pragma once

#include "device/cpu/texture_rows.h"
#include "device/frame.h"
#include "kernels/texture/border.h"
#include "options/values.h"

namespace cuimg {

/// The texel format of a stored type. @throws Error for u32, which the texture unit cannot filter.
TexelType texel_type(PixelType type);

/// @name The meaning of --border beyond an edge: for a texture, and for an image with windows.
/// @{
Address address_of(Border border);
BorderRule border_rule(Border border);
/// @}

/// The whole host frame, with its first pixel at 0, 0.
TextureView2D texture_view(const Frame& frame);

}  // namespace cuimg
