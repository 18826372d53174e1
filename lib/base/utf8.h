// SPDX-License-Identifier: Apache-2.0
// UTF-8, as names of files and texts in them are written: which bytes are one character.
#pragma once

#include <cstddef>
#include <string_view>

namespace cuimg {

/// Bytes of the character that starts at `text[i]`; 0 where the bytes are not UTF-8.
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

}  // namespace cuimg
