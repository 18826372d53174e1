// SPDX-License-Identifier: Apache-2.0
// Look-up tables as text: lines of words, read strictly.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cuimg {

/// A file's lines. What is behind a # is a comment.
class LutLines {
 public:
  /// @param place for errors, "lut: --file look.cube". @param kind ".cube". @throws Error.
  LutLines(const std::string& path, std::string place, std::string kind);

  /// The words of the next line that has any; false at the end. They last until the next call.
  /// @throws Error where it is no text, or too long.
  bool next(std::vector<std::string_view>& words);
  /// The same where the file must have such a line. @param wanted what it is, for the error.
  std::vector<std::string_view> line(const std::string& wanted);

  /// A finite number; one too small for a float is 0. @throws Error.
  template <class T>
  T number(std::string_view word) const {
    T value = 0;
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if constexpr (std::is_same_v<T, float>)
      if (error == std::errc::result_out_of_range && std::abs(number<double>(word)) < 1.0) return 0;
    bool is_finite = true;
    if constexpr (std::is_floating_point_v<T>) is_finite = std::isfinite(value);
    if (error != std::errc() || end != digits.data() + digits.size() || !is_finite)
      fail("'" + std::string(word) + "' is not a number");
    return value;
  }
  /// The words behind the first as `count` numbers. @throws Error.
  template <class T, std::size_t count>
  std::array<T, count> numbers(const std::vector<std::string_view>& words) const {
    if (words.size() != count + 1)
      fail(std::string(words.front()) + " has " + std::to_string(words.size() - 1) + " numbers",
           "give " + std::to_string(count));
    std::array<T, count> result;
    for (std::size_t i = 0; i < count; ++i) result[i] = number<T>(words[i + 1]);
    return result;
  }
  /// Red, green and blue of an entry. @param first the first of those words.
  std::array<float, 3> entry(const std::vector<std::string_view>& words,
                             std::size_t first = 0) const;
  /// A size of 2 to `most`. @throws Error.
  int size(std::string_view word, int most) const;

  /// An error at the line that was read last.
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const;
  /// One of the whole file.
  [[noreturn]] void fail_file(const std::string& problem, const std::string& advice = "") const;

 private:
  // The specification of .cube allows 250 bytes; titles and comments in the wild pass it.
  static constexpr std::size_t longest_line = 4096;

  std::ifstream file_;
  const std::string place_, kind_;
  std::array<char, longest_line + 2> line_;
  int line_number_ = 0;
};

/// "LUT_3D_SIZE" of "lut_3d_size".
std::string in_upper_case(std::string_view word);

/// Whether it begins as a keyword does, and is no number such as "inf".
bool is_keyword(std::string_view word);

}  // namespace cuimg
