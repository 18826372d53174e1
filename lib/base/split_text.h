// SPDX-License-Identifier: Apache-2.0
// Splits text at separators and into words, and trims it.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace cuimg {

/// The parts of a text between characters of `separators`. There is at least one; parts may be
/// empty.
inline std::vector<std::string_view> split_at(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find_first_of(separators);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// The words of a text, with any number of characters of `blanks` between them.
inline std::vector<std::string_view> split_words(std::string_view text,
                                                 std::string_view blanks = " \t\r\n") {
  std::vector<std::string_view> words = split_at(text, blanks);
  std::erase(words, std::string_view());
  return words;
}

/// A text without characters of `blanks` at its ends.
inline std::string_view trim_ends(std::string_view text, std::string_view blanks = " \t\r\n") {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace cuimg
