// SPDX-License-Identifier: Apache-2.0
// A table of results: aligned text for a reader, numbers for a program.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace cuimg::samples {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// One value of a table: its text, and the number for a program.
struct Cell {
  enum class Kind { words, number, nothing };

  Cell(const char* words) : shown(words) {}             // NOLINT: a cell is what is put there
  Cell(std::string words) : shown(std::move(words)) {}  // NOLINT
  Cell(std::integral auto value)                        // NOLINT
      : Cell(static_cast<double>(value), std::to_string(value)) {}
  /// @param decimals digits after the point; JSON gets all of them.
  Cell(double value, int decimals = 2);  // NOLINT
  Cell(double value, std::string as) : kind(Kind::number), shown(std::move(as)), number(value) {}

  /// A missing number, and the reason: "not performed". JSON gets null.
  static Cell none(std::string why);

  Kind kind = Kind::words;
  std::string shown;
  double number = 0;
};

/// The 32 bits of a float or an integer: 0x3dcccccd.
Cell hex(float value);
Cell hex(std::uint32_t bits);

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows = {};

  /// @pre as many cells as columns.
  void row(std::vector<Cell> cells) { rows.push_back(std::move(cells)); }
  /// With aligned columns, numbers to the right.
  std::string as_text() const;
};

}  // namespace cuimg::samples
