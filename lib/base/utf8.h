// SPDX-License-Identifier: Apache-2.0
// UTF-8 in file names and texts: finds the bytes of one character, and invalid text. Also classes
// of ASCII characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cuimg {

/// Bytes of the character that starts at `text[i]`; 0 if the bytes are not UTF-8.
inline std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const unsigned lead = byte(i);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xf0 && lead < 0xf5 ? 4
                                                           : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  const bool overlong =
      (lead == 0xe0 && byte(i + 1) < 0xa0) || (lead == 0xf0 && byte(i + 1) < 0x90);
  const bool surrogate = lead == 0xed && byte(i + 1) >= 0xa0;
  const bool too_large = lead == 0xf4 && byte(i + 1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/// @name Classes of ASCII characters, whatever the locale.
/// @{
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
/// @}

/// A text with the letters A to Z in lower case; other characters do not change.
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// A text without the byte order mark with which Windows editors begin a file.
inline std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

/// Converts ISO 8859-1, the encoding of PNG's plain texts and, in practice, EXIF's. Texts are UTF-8
/// in this project.
inline std::string utf8_of_latin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80)
      utf8 += c;
    else
      utf8 += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
  }
  return utf8;
}

inline bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

/// Text that is not UTF-8 is treated as ISO 8859-1.
inline std::string as_utf8(const std::string& text) {
  return is_utf8(text) ? text : utf8_of_latin1(text);
}

}  // namespace cuimg
