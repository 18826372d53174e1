// SPDX-License-Identifier: Apache-2.0
#include "pipeline/difference.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace cuimg {
namespace {

template <class T>
std::int64_t stored(const std::byte* value) {
  T result;
  std::memcpy(&result, value, sizeof result);
  return result;
}

// Maps sign and magnitude to ordered integers, in which neighbouring values are one ulp apart.
std::int64_t ordered(std::int64_t bits, std::int64_t sign_bit) {
  return bits & sign_bit ? -(bits & (sign_bit - 1)) - 1 : bits;
}

std::int64_t position(PixelType type, const std::byte* value) {
  switch (type) {
    case PixelType::u8:
      return stored<std::uint8_t>(value);
    case PixelType::u16:
      return stored<std::uint16_t>(value);
    case PixelType::u32:
      return stored<std::uint32_t>(value);
    case PixelType::half:
      return ordered(stored<std::uint16_t>(value), 0x8000);
    case PixelType::f32:
      return ordered(stored<std::uint32_t>(value), 0x80000000);
  }
  return 0;
}

}  // namespace

std::optional<std::string> difference(const Image& a, const Image& b) {
  const Spec& spec = a.spec();
  const Rect& window = spec.data_window;
  std::int64_t count = 0, largest = -1;
  std::string where;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const LayerSpec& layer = spec.layer(l);
    const std::size_t bytes = bytes_of(layer.type);
    for (int y = window.y; y < window.bottom(); ++y) {
      const std::byte *row_a = a.row(l, y), *row_b = b.row(l, y);
      if (std::memcmp(row_a, row_b, a.row_bytes(l)) == 0) continue;
      for (std::size_t i = 0; i < a.row_bytes(l) / bytes; ++i) {
        const std::int64_t distance = std::abs(position(layer.type, row_a + i * bytes) -
                                               position(layer.type, row_b + i * bytes));
        count += distance != 0;
        if (distance <= largest || distance == 0) continue;
        largest = distance;
        const int channels = layer.channel_count();
        where = fmt::format("{} at {},{}", layer.full_name(static_cast<int>(i) % channels),
                            window.x + static_cast<int>(i) / channels, y);
      }
    }
  }
  if (count == 0) return std::nullopt;
  return fmt::format("{} values differ, the most by {} ulp in {}", count, largest, where);
}

}  // namespace cuimg
