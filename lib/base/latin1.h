// SPDX-License-Identifier: Apache-2.0
// Texts of files are UTF-8 here; PNG's plain ones, and EXIF's in practice, are ISO 8859-1.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace cuimg
