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
  switch (type) {
    case PixelType::u8:
      return 1;
    case PixelType::u16:
    case PixelType::half:
      return 2;
    case PixelType::f32:
    case PixelType::u32:
      return 4;
  }
  return 0;
}

constexpr bool is_floating(PixelType type) {
  return type == PixelType::half || type == PixelType::f32;
}

/// The name used on the command line: u8, u16, half, float, u32.
constexpr std::string_view name_of(PixelType type) {
  switch (type) {
    case PixelType::u8:
      return "u8";
    case PixelType::u16:
      return "u16";
    case PixelType::half:
      return "half";
    case PixelType::f32:
      return "float";
    case PixelType::u32:
      return "u32";
  }
  return "?";
}

}  // namespace cuimg
