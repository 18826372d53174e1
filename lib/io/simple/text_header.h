// SPDX-License-Identifier: Apache-2.0
// Numbers and words in the text headers of PNM, PFM and Radiance, parsed independently of the
// locale.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "base/number_text.h"
#include "io/byte_reader.h"

namespace cuimg {

constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/// The whole `text` as a number, or nothing; never NaN or infinite.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const std::optional<Number> value = number_of<Number>(text);
  if constexpr (std::is_floating_point_v<Number>)
    if (value && !std::isfinite(*value)) return std::nullopt;
  return value;
}

/// Skips white space, then reads the next word and the one white space after it. With `comments`,
/// '#' starts a comment up to the end of the line, even directly after the word.
inline std::string read_word(ByteReader& in, bool comments) {
  const auto next = [&] { return static_cast<char>(in.u8()); };
  char c = next();
  while (is_space(c) || (comments && c == '#')) {
    if (c == '#')
      while (c != '\n' && c != '\r') c = next();
    c = next();
  }
  std::string word;
  constexpr std::size_t longest = 64;
  for (; !is_space(c); c = next()) {
    if (comments && c == '#') {
      while (c != '\n' && c != '\r') c = next();
      break;
    }
    if (word.size() == longest) in.fail("the header is malformed");
    word += c;
  }
  return word;
}

/// A line without its end. @throws Error if it is longer than `longest` or has no end.
inline std::string read_line(ByteReader& in, std::size_t longest = 4096) {
  std::string line;
  for (char c = static_cast<char>(in.u8()); c != '\n'; c = static_cast<char>(in.u8())) {
    if (line.size() == longest) in.fail("a header line is longer than 4096 characters");
    line += c;
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

/// @throws Error unless the next word is a positive number.
inline int read_size(ByteReader& in, bool comments) {
  const std::string word = read_word(in, comments);
  const auto value = parse_number<int>(word);
  if (!value || *value < 1) in.fail("'" + word + "' is not a size");
  return *value;
}

}  // namespace cuimg
