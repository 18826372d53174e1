// SPDX-License-Identifier: Apache-2.0
// Small letters for names in pictures.
#pragma once

#include <string>
#include <string_view>

namespace cuimg::bitmap_font {

inline constexpr int width = 5, height = 8;  ///< Of a letter, tails included.
inline constexpr int advance = width + 1;    ///< From one letter to the next.

/// Whether the letter has ink there. Others than printable ASCII are a box.
bool has_ink(unsigned char letter, int x, int y);

/// A text as letters of this font, a box for every other character of UTF-8.
std::string letters_of(std::string_view text);

/// At most `most` letters, two dots in the place of those in the middle.
std::string shortened(const std::string& letters, std::size_t most);

}  // namespace cuimg::bitmap_font
