// SPDX-License-Identifier: Apache-2.0
#include "compare/report/web_text.h"

namespace cuimg {

std::string json_for_page(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else if (c == '>')
      safe += "\\u003e";
    else if (c == '&')
      safe += "\\u0026";
    else
      safe += c;
  }
  return safe;
}

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

}  // namespace cuimg
