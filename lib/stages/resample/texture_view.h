// SPDX-License-Identifier: Apache-2.0
// A host frame as the software texture unit sees it.
#pragma once

#include "device/cpu/texture_rows.h"
#include "device/frame.h"
#include "kernels/texture/border.h"
#include "options/values.h"

namespace cuimg {

/// The texel format of a stored type. @throws Error for u32, which the texture unit cannot filter.
TexelType texel_type(PixelType type);

/// @name What --border means beyond an edge: of a texture, and of an image with windows.
/// @{
Address address_of(Border border);
BorderRule border_rule(Border border);
/// @}

/// All of a host frame, its first pixel at 0, 0.
TextureView2D texture_view(const Frame& frame);

}  // namespace cuimg
