// SPDX-License-Identifier: Apache-2.0
// Converts text to numbers in the same way in every locale.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace cuimg {

/// All of `text` as a number, which may be infinite or NaN; nothing if it is not a number that
/// `Number` can represent.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace cuimg
