// SPDX-License-Identifier: Apache-2.0
// A host frame as the software texture unit sees it.
#pragma once

#include "device/cpu/texture_rows.h"
#include "device/frame.h"
#include "options/values.h"

namespace cuimg {

/// The texel format of a stored type. @throws Error for u32, which the texture unit cannot filter.
TexelType texel_type(PixelType type);

/// How a texture is read beyond its edge for --border.
Address address_of(Border border);

/// All of a host frame, its first pixel at 0, 0.
TextureView2D texture_view(const Frame& frame);

}  // namespace cuimg
