// SPDX-License-Identifier: Apache-2.0
// Reads bytes of files as numbers in either byte order, or as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuimg {

/// An unsigned number of `count` bytes; 0 if it passes the end.
inline std::uint64_t number_at(std::span<const std::byte> bytes, std::uint64_t at,
                               std::size_t count, bool big_endian) {
  if (at > bytes.size() || count > bytes.size() - at) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = big_endian ? i : count - 1 - i;
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(at) + k]);
  }
  return value;
}

inline void put_number(std::span<std::byte> to, std::uint64_t value, bool big_endian) {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[big_endian ? to.size() - 1 - i : i] = static_cast<std::byte>(value >> 8 * i & 255);
}

void append_number(std::vector<std::byte>& to, std::uint64_t value, std::size_t count,
                   bool big_endian);
void append_bytes(std::vector<std::byte>& to, std::span<const std::byte> bytes);

inline std::string_view text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline std::vector<std::byte> bytes_of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// RFC 4648, with its padding.
std::string base64(std::span<const std::byte> bytes);
/// The bytes of which base64() makes this text; nothing for another text.
std::optional<std::string> bytes_of_base64(std::string_view text);

inline bool begins_with(std::span<const std::byte> bytes, std::string_view text) {
  return text_of_bytes(bytes).starts_with(text);
}

}  // namespace cuimg
