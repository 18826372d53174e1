// SPDX-License-Identifier: Apache-2.0
// Dispatches from a PixelType to the C++ type of a stored channel.
#pragma once

#include <cstdint>
#include <type_traits>

#include "image/pixel_type.h"
#include "kernels/math/half.h"

namespace cuimg {

/// use(T) with the type of a stored channel as a std::type_identity: `[&](auto t) { run_on<typename
/// decltype(t)::type>(...); }`. For types that a texture can filter. @param type any except u32.
template <class Use>
decltype(auto) with_texel_type(PixelType type, const Use& use) {
  switch (type) {
    case PixelType::u8:
      return use(std::type_identity<std::uint8_t>{});
    case PixelType::u16:
      return use(std::type_identity<std::uint16_t>{});
    case PixelType::half:
      return use(std::type_identity<Half>{});
    default:
      return use(std::type_identity<float>{});
  }
}

/// The same for every type.
template <class Use>
decltype(auto) with_stored_type(PixelType type, const Use& use) {
  if (type == PixelType::u32) return use(std::type_identity<std::uint32_t>{});
  return with_texel_type(type, use);
}

/// use(T) with the unsigned integer of the same size as a stored channel, for code that only moves
/// values.
template <class Use>
decltype(auto) with_word_type(PixelType type, const Use& use) {
  switch (bytes_of(type)) {
    case 1:
      return use(std::type_identity<std::uint8_t>{});
    case 2:
      return use(std::type_identity<std::uint16_t>{});
    default:
      return use(std::type_identity<std::uint32_t>{});
  }
}

}  // namespace cuimg
