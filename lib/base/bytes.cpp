// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

namespace cuimg {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

void append_number(std::vector<std::byte>& to, std::uint64_t value, std::size_t count,
                   bool big_endian) {
  to.resize(to.size() + count);
  put_number(std::span(to).last(count), value, big_endian);
}

void append_bytes(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

std::string base64(std::span<const std::byte> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? std::to_integer<unsigned>(bytes[i]) : 0u;
  };
  for (std::size_t i = 0, to = 0; i < bytes.size(); i += 3, to += 4) {
    const unsigned three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text[to] = digits[three >> 18];
    text[to + 1] = digits[three >> 12 & 63];
    if (i + 1 < bytes.size()) text[to + 2] = digits[three >> 6 & 63];
    if (i + 2 < bytes.size()) text[to + 3] = digits[three & 63];
  }
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  // Finds wrong padding and bits that are left over.
  if (base64(std::as_bytes(std::span(bytes))) != text) return std::nullopt;
  return bytes;
}

}  // namespace cuimg
