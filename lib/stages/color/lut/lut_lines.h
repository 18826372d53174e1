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

/// A file's lines. Text after a # is a comment.
class LutLines {
 public:
  /// @param place for errors, "lut: --file look.cube". @param kind ".cube".
  /// @param longest the longest line, in bytes. @throws Error.
  LutLines(const std::string& path, std::string place, std::string kind,
           std::size_t longest = longest_line);

  /// The words of the next line that has any; false at the end. They are valid until the next call.
  /// @throws Error if the line is not text, or too long.
  bool next(std::vector<std::string_view>& words);
  /// The same, but it is an error if there is no such line. @param wanted names the line, for the
  /// error.
  std::vector<std::string_view> line(const std::string& wanted);

  /// A finite number; a number too small for a float becomes 0. @throws Error.
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
  /// The words after the first one, as `count` numbers. @throws Error.
  template <class T, std::size_t count>
  std::array<T, count> numbers(const std::vector<std::string_view>& words) const {
    if (words.size() != count + 1)
      fail(std::string(words.front()) + " has " + std::to_string(words.size() - 1) + " numbers",
           "give " + std::to_string(count));
    std::array<T, count> result;
    for (std::size_t i = 0; i < count; ++i) result[i] = number<T>(words[i + 1]);
    return result;
  }
  /// Red, green and blue of an entry. @param first the index of the first of its words.
  std::array<float, 3> entry(const std::vector<std::string_view>& words,
                             std::size_t first = 0) const;
  /// A size of 2 to `most`. @throws Error.
  int size(std::string_view word, int most) const;

  /// An error at the line that was read last.
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const;
  /// An error about the whole file.
  [[noreturn]] void fail_file(const std::string& problem, const std::string& advice = "") const;

 private:
  // The specification of .cube allows 250 bytes, but real titles and comments are longer.
  static constexpr std::size_t longest_line = 4096;

  std::ifstream file_;
  const std::string place_, kind_;
  std::vector<char> line_;
  int line_number_ = 0;
};

/// "LUT_3D_SIZE" for "lut_3d_size".
std::string in_upper_case(std::string_view word);

/// Whether the word begins like a keyword and is not a number such as "inf".
bool is_keyword(std::string_view word);

}  // namespace cuimg
