// SPDX-License-Identifier: Apache-2.0
// The types that a stored channel can have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cuimg {

enum class PixelType : std::uint8_t { u8, u16, half, f32, u32 };

/// Bytes of one channel value.
constexpr std::size_t bytes_of(PixelType type) {
  constexpr std::size_t bytes[] = {1, 2, 2, 4, 4};
  return bytes[static_cast<std::size_t>(type)];
}

constexpr bool is_floating(PixelType type) {
  return type == PixelType::half || type == PixelType::f32;
}

/// Whether values are codes, which mean 0 to 1.
constexpr bool holds_codes(PixelType type) {
  return type == PixelType::u8 || type == PixelType::u16;
}

/// The name used on the command line: u8, u16, half, float, u32.
constexpr std::string_view name_of(PixelType type) {
  constexpr std::string_view names[] = {"u8", "u16", "half", "float", "u32"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace cuimg
