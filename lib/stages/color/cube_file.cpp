// SPDX-License-Identifier: Apache-2.0
// Reading .cube files strictly. Keywords: Adobe's "Cube LUT Specification" 1.0 (2013) and what
// Resolve adds, the INPUT_RANGE lines and curves before a grid. Some programs write them in lower
// case.
#include "stages/color/cube_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/number_text.h"
#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr int most_curve_entries = 65536, most_grid_entries = 256;
// The specification's limit is 250 bytes; titles and comments in the wild pass it.
constexpr std::size_t longest_line = 4096;

std::string upper(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

// A line of a picture, an archive or a program, by what comes before a comment.
bool is_binary(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r';
  };
  return std::ranges::any_of(line, is_control) ||
         (!line.empty() && static_cast<unsigned char>(line.front()) >= 0x80);
}

class CubeReader {
 public:
  CubeReader(const std::string& path, std::string place) : file_(path), place_(std::move(place)) {
    if (file_) return;
    if (errno == ENOENT) throw Error(place_, "no such file");
    fail_with_errno(place_, "cannot read", errno);
  }

  CubeFile read(CubeExtent extent) {
    std::vector<std::string_view> words;
    while (next(words)) {
      if (is_keyword(words.front())) {
        keyword(words);
        continue;
      }
      if (extent == CubeExtent::before_grid && is_at_grid()) return set_ranges();
      entry(words);
    }
    check_count();
    return set_ranges();
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const {
    throw Error(place_ + ": line " + std::to_string(line_number_), problem, advice);
  }

  // The words of the next line that has any, without its comment.
  bool next(std::vector<std::string_view>& words) {
    while (file_.getline(line_.data(), static_cast<std::streamsize>(line_.size())) ||
           file_.gcount() > 0) {
      ++line_number_;
      const bool has_end = !file_.eof() && !file_.fail();  // it is counted, and 0 in its place
      std::string_view rest(line_.data(),
                            static_cast<std::size_t>(file_.gcount()) - (has_end ? 1 : 0));
      if (line_number_ == 1) rest = without_byte_order_mark(rest);
      if (is_binary(rest))
        throw Error(place_, "it is no text, as .cube files are", "give a .cube file");
      if (file_.fail()) fail("it is longer than " + std::to_string(longest_line) + " bytes");
      words.clear();
      while (true) {
        const std::size_t begin = rest.find_first_not_of(" \t\r");
        if (begin == std::string_view::npos || rest[begin] == '#') break;
        rest.remove_prefix(begin);
        words.push_back(rest.substr(0, rest.find_first_of(" \t\r")));
        rest.remove_prefix(words.back().size());
        if (upper(words.front()) == "TITLE") break;
      }
      if (!words.empty()) return true;
    }
    if (file_.bad()) throw Error(place_, "it cannot be read to its end");
    return false;
  }

  static bool is_keyword(std::string_view word) {
    const char c = word.front();
    return ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) && !number_of<double>(word);
  }

  void keyword(const std::vector<std::string_view>& words) {
    const std::string name = upper(words.front());
    if (!result_.curves.entries.empty() || !result_.grid.entries.empty())
      fail(name + " comes after the first entry", "put it before");
    if (name == "TITLE") return;
    if (name == "LUT_1D_SIZE")
      size(words, result_.curves, most_curve_entries);
    else if (name == "LUT_3D_SIZE")
      size(words, result_.grid, most_grid_entries);
    else if (name == "DOMAIN_MIN")
      once(domain_min_, numbers<3>(words));
    else if (name == "DOMAIN_MAX")
      once(domain_max_, numbers<3>(words));
    else if (name == "LUT_1D_INPUT_RANGE")
      once(curve_range_, numbers<2>(words));
    else if (name == "LUT_3D_INPUT_RANGE")
      once(grid_range_, numbers<2>(words));
    else
      fail("'" + std::string(words.front()) + "' is no keyword of .cube files",
           "TITLE, DOMAIN_MIN, DOMAIN_MAX, LUT_1D_SIZE, LUT_3D_SIZE, LUT_1D_INPUT_RANGE and "
           "LUT_3D_INPUT_RANGE are");
  }

  void size(const std::vector<std::string_view>& words, CubeTable& table, int most) {
    const std::string name(words.front());
    if (table.size != 0) fail(name + " is given twice");
    const std::string_view text = words.back();
    table.size = number_of<int>(text).value_or(0);
    if (words.size() != 2 || table.size < 2 || table.size > most)
      fail("'" + std::string(text) + "' is not a size", "use 2 to " + std::to_string(most));
  }

  template <class T>
  void once(std::optional<T>& slot, const T& value) {
    if (slot) fail("it is given twice");
    slot = value;
  }

  template <std::size_t count>
  std::array<double, count> numbers(const std::vector<std::string_view>& words) {
    if (words.size() != count + 1)
      fail(std::string(words.front()) + " has " + std::to_string(words.size() - 1) + " numbers",
           "give " + std::to_string(count));
    std::array<double, count> result;
    for (std::size_t i = 0; i < count; ++i) result[i] = number<double>(words[i + 1]);
    return result;
  }

  template <class T>
  T number(std::string_view word) const {
    T value = 0;
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if constexpr (std::is_same_v<T, float>)
      if (error == std::errc::result_out_of_range && std::abs(number<double>(word)) < 1.0)
        return 0;  // too small for a float
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
      fail("'" + std::string(word) + "' is not a number");
    return value;
  }

  void entry(const std::vector<std::string_view>& words) {
    if (words.size() != 3)
      fail("an entry of " + std::to_string(words.size()) + " numbers", "give red, green and blue");
    CubeTable& curves = result_.curves;
    const bool of_curves = curves.entries.size() < static_cast<std::size_t>(curves.size);
    CubeTable& table = of_curves ? curves : result_.grid;
    if (table.size == 0 && curves.size == 0)
      fail("an entry comes before LUT_1D_SIZE or LUT_3D_SIZE", "put the size before");
    if (table.entries.size() == wanted(table))
      fail("there are more entries than the " + std::to_string(wanted_in_all()) +
           " that the size asks for");
    table.entries.push_back(
        {number<float>(words[0]), number<float>(words[1]), number<float>(words[2])});
  }

  // Whether the next entry is one of the grid, after all of the curves.
  bool is_at_grid() const {
    return result_.grid.size > 0 && result_.curves.entries.size() == wanted(result_.curves);
  }

  std::size_t wanted(const CubeTable& table) const {
    const auto n = static_cast<std::size_t>(table.size);
    return &table == &result_.grid ? n * n * n : n;
  }
  std::size_t wanted_in_all() const { return wanted(result_.curves) + wanted(result_.grid); }

  void check_count() const {
    const std::size_t found = result_.curves.entries.size() + result_.grid.entries.size();
    if (wanted_in_all() == 0)
      throw Error(place_, "it has neither LUT_1D_SIZE nor LUT_3D_SIZE", "give a .cube file");
    if (found != wanted_in_all())
      throw Error(place_, "it ends after " + std::to_string(found) + " of " +
                              std::to_string(wanted_in_all()) + " entries");
  }

  CubeFile set_ranges() {
    const bool both = result_.curves.size > 0 && result_.grid.size > 0;
    if (both && (domain_min_ || domain_max_))
      throw Error(place_, "DOMAIN_MIN or DOMAIN_MAX stands beside two tables",
                  "use LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE");
    set_range(result_.curves, curve_range_, "LUT_1D_INPUT_RANGE");
    set_range(result_.grid, grid_range_, "LUT_3D_INPUT_RANGE");
    return std::move(result_);
  }

  void set_range(CubeTable& table, const std::optional<std::array<double, 2>>& range,
                 const std::string& keyword) {
    if (table.size == 0) {
      if (range) throw Error(place_, keyword + " is given for a table that it lacks");
      return;
    }
    if (range && (domain_min_ || domain_max_))
      throw Error(place_, "DOMAIN_MIN or DOMAIN_MAX stands beside " + keyword, "use one of them");
    if (domain_min_) table.lowest = *domain_min_;
    if (domain_max_) table.highest = *domain_max_;
    if (range) {
      table.lowest.fill((*range)[0]);
      table.highest.fill((*range)[1]);
    }
    for (std::size_t c = 0; c < 3; ++c)
      if (!(table.lowest[c] < table.highest[c]))
        throw Error(place_, "its input's range is empty", "let the lowest be below the highest");
  }

  std::ifstream file_;
  std::string place_;
  std::array<char, longest_line + 2> line_;
  int line_number_ = 0;
  CubeFile result_;
  std::optional<std::array<double, 3>> domain_min_, domain_max_;
  std::optional<std::array<double, 2>> curve_range_, grid_range_;
};

}  // namespace

CubeFile read_cube(const std::string& path, const std::string& place, CubeExtent extent) {
  return CubeReader(path, place).read(extent);
}

}  // namespace cuimg
