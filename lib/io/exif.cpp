// SPDX-License-Identifier: Apache-2.0
// A walk through EXIF's first directory, every offset checked.
#include "io/exif.h"

#include <cstdint>

namespace cuimg {
namespace {

// Numbers of either byte order; reads past the end are 0, which no valid directory needs.
struct TiffNumbers {
  std::span<const std::byte> bytes;
  bool big_endian;

  std::uint32_t number(std::size_t at, std::size_t count) const {
    if (at > bytes.size() || count > bytes.size() - at) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = big_endian ? i : count - 1 - i;
      value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + k]);
    }
    return value;
  }
};

}  // namespace

std::optional<Orientation> exif_orientation(std::span<const std::byte> tiff_block) {
  if (tiff_block.size() < 8) return std::nullopt;
  const auto mark = std::to_integer<char>(tiff_block[0]);
  if (mark != std::to_integer<char>(tiff_block[1]) || (mark != 'I' && mark != 'M'))
    return std::nullopt;
  const TiffNumbers tiff{tiff_block, mark == 'M'};
  if (tiff.number(2, 2) != 42) return std::nullopt;
  const std::size_t directory = tiff.number(4, 4);
  const std::uint32_t entries = tiff.number(directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + std::size_t{12} * i;
    if (entry + 12 > tiff_block.size()) return std::nullopt;
    if (tiff.number(entry, 2) != 0x0112) continue;
    constexpr std::uint32_t type_short = 3;
    if (tiff.number(entry + 2, 2) != type_short || tiff.number(entry + 4, 4) != 1)
      return std::nullopt;
    const std::uint32_t value = tiff.number(entry + 8, 2);
    if (value < 1 || value > 8) return std::nullopt;
    return Orientation{static_cast<int>(value)};
  }
  return std::nullopt;
}

}  // namespace cuimg
