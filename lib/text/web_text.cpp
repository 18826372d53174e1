// SPDX-License-Identifier: Apache-2.0
#include "text/web_text.h"

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "base/utf8.h"

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

std::string xml_text(std::string_view text) {
  // XML forbids these two characters, U+FFFE and U+FFFF.
  constexpr std::string_view forbidden[] = {"\xef\xbf\xbe", "\xef\xbf\xbf"};
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const char c = text[i];
    const std::string_view character = text.substr(i, length);
    if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7f ||
        contains(forbidden, character))
      safe += "\xef\xbf\xbd";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += character;
    i += std::max<std::size_t>(length, 1);
  }
  return safe;
}

}  // namespace cuimg
