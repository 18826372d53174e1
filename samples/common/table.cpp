// SPDX-License-Identifier: Apache-2.0
#include "common/table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace cuimg::samples {

std::string text(const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string result(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::vsnprintf(result.data(), result.size() + 1, format, again);
  va_end(again);
  return result;
}

Cell::Cell(double value, int decimals) : Cell(value, text("%.*f", decimals, value)) {}

Cell Cell::none(std::string why) {
  Cell cell(std::move(why));
  cell.kind = Kind::nothing;
  return cell;
}

Cell hex(float value) { return hex(std::bit_cast<std::uint32_t>(value)); }
Cell hex(std::uint32_t bits) { return text("0x%08x", bits); }

std::string Table::as_text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = columns[c].size();
    for (const auto& row : rows) width = std::max(width, row[c].shown.size());
    widths.push_back(width);
  }
  // A column of numbers is aligned to the right with its heading.
  std::vector<bool> right;
  for (std::size_t c = 0; c < columns.size(); ++c)
    right.push_back(std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row[c].kind == Cell::Kind::number;
    }));
  std::string result = title.empty() ? "" : title + "\n";
  const auto line = [&](const auto& shown) {
    std::string words;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string padding(widths[c] - shown(c).size(), ' ');
      words += "  " + (right[c] ? padding + shown(c) : shown(c) + padding);
    }
    words.erase(words.find_last_not_of(' ') + 1);
    result += words + "\n";
  };
  line([&](std::size_t c) -> const std::string& { return columns[c]; });
  for (const auto& row : rows)
    line([&](std::size_t c) -> const std::string& { return row[c].shown; });
  return result;
}

}  // namespace cuimg::samples
