// SPDX-License-Identifier: Apache-2.0
// Texts of files are UTF-8 here; PNG's plain ones, and EXIF's in practice, are ISO 8859-1.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace cuimg {

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

/// What is not UTF-8 is taken for ISO 8859-1.
inline std::string as_utf8(const std::string& text) {
  return is_utf8(text) ? text : utf8_of_latin1(text);
}

}  // namespace cuimg
