// SPDX-License-Identifier: Apache-2.0
// Types of values in the directories of TIFF and EXIF.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuimg {

/// A field's type by its number in TIFF 6.0, section 2.
enum class TiffType : std::uint16_t {
  byte = 1,
  ascii = 2,
  u16 = 3,
  u32 = 4,
  rational = 5,
  undefined = 7,
  s16 = 8,
  s32 = 9,
  srational = 10,
  ifd = 13,
  ifd8 = 18
};

/// Bytes of one value, including both halves of a rational; 0 for types that TIFF does not have.
constexpr std::size_t tiff_value_bytes(std::uint16_t type) {
  constexpr unsigned char bytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < sizeof bytes ? bytes[type] : 0;
}

/// Bytes of one number in a value, the unit of the byte order.
constexpr std::size_t tiff_number_bytes(std::uint16_t type) {
  const bool halves = type == static_cast<std::uint16_t>(TiffType::rational) ||
                      type == static_cast<std::uint16_t>(TiffType::srational);
  return halves ? 4 : tiff_value_bytes(type);
}

}  // namespace cuimg
