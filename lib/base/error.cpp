// SPDX-License-Identifier: Apache-2.0
// Formats an error as one line, and escapes text for it.
#include "base/error.h"

#include <cstddef>
#include <iterator>
#include <string_view>

#include "base/contains.h"
#include "base/utf8.h"

namespace cuimg {
namespace {

// The characters of Unicode's property Bidi_Control (PropList.txt): they change the order in which
// the text around them is shown, so that one name can look like another.
bool is_bidi_control(std::string_view character) {
  constexpr std::string_view all[] = {"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c",
                                      "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"};
  return contains(all, character);
}

// Whether a character of `length` bytes would affect a terminal.
bool is_control(const std::string& text, std::size_t i, std::size_t length) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  return length == 1 ? byte(i) < 0x20 || byte(i) == 0x7f
                     : (length == 2 && byte(i) == 0xc2 && byte(i + 1) < 0xa0) ||
                           is_bidi_control(std::string_view(text).substr(i, length));
}

}  // namespace

std::string printable(const std::string& text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || is_control(text, i, length)) {
      if (byte == '\n') {
        result += "\\n";
      } else {
        result += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
      }
      ++i;
    } else {
      result.append(text, i, length);
      i += length;
    }
  }
  return result;
}

std::string naming(const std::string& name, const std::string& line,
                   const std::vector<std::string>& names) {
  for (const std::string& known : names) {
    if (line.starts_with(printable(known) + ":")) return line;
    if (known == "-" &&
        (line.starts_with("standard input:") || line.starts_with("standard output:")))
      return line;
  }
  return printable(name) + ": " + line;
}

Error::Error(const std::string& place, const std::string& problem, const std::string& advice)
    : std::runtime_error(
          printable(place + ": " + problem + (advice.empty() ? "" : ": " + advice))) {}

}  // namespace cuimg
