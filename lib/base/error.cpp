// SPDX-License-Identifier: Apache-2.0
// Makes an error's one line, and makes text fit for it.
#include "base/error.h"

#include <cstddef>

namespace cuimg {
namespace {

// Bytes of the UTF-8 sequence that starts at `text[i]`, or 0 when it is malformed.
std::size_t utf8_length(const std::string& text, std::size_t i) {
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
  const bool c1_control = lead == 0xc2 && byte(i + 1) < 0xa0;
  return overlong || surrogate || too_large || c1_control ? 0 : length;
}

}  // namespace

std::string printable(const std::string& text) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x20 || byte == 0x7f ? 0 : utf8_length(text, i);
    if (length == 0) {
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
  for (const std::string& known : names)
    if (line.starts_with(printable(known) + ":")) return line;
  return printable(name) + ": " + line;
}

Error::Error(const std::string& place, const std::string& problem, const std::string& advice)
    : std::runtime_error(
          printable(place + ": " + problem + (advice.empty() ? "" : ": " + advice))) {}

}  // namespace cuimg
