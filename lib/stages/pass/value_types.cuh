// SPDX-License-Identifier: Apache-2.0
// Dispatches from a PixelType to the C++ type of a stored channel inside a kernel, like
// image/dispatch.h outside.
#pragma once

#include <cstdint>

#include "image/pixel_type.h"
#include "kernels/math/half.h"

namespace cuimg::detail {

/// use(T()) with the type, for types that a texture can filter. @param type any except u32.
template <class Use>
__device__ void with_texel(PixelType type, const Use& use) {
  switch (type) {
    case PixelType::u8:
      return use(std::uint8_t());
    case PixelType::u16:
      return use(std::uint16_t());
    case PixelType::half:
      return use(Half());
    default:
      return use(float());
  }
}

/// The same for every type.
template <class Use>
__device__ void with_stored(PixelType type, const Use& use) {
  if (type == PixelType::u32) return use(std::uint32_t());
  with_texel(type, use);
}

}  // namespace cuimg::detail
