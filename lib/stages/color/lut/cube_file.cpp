// SPDX-License-Identifier: Apache-2.0
// Reads .cube files as written by Adobe, Iridas and DaVinci Resolve: the keywords of Adobe's "Cube
// LUT Specification" 1.0 (2013), and those that Resolve adds, INPUT_RANGE lines and curves before a
// grid. Some programs write keywords in lower case.
#include <optional>

#include "stages/color/lut/lut_file.h"
#include "stages/color/lut/lut_lines.h"

namespace cuimg {
namespace {

class CubeReader {
 public:
  CubeReader(const std::string& path, const std::string& place) : lines_(path, place, ".cube") {}

  LutTables read(LutExtent extent) {
    std::vector<std::string_view> words;
    while (lines_.next(words)) {
      if (is_keyword(words.front())) {
        keyword(words);
        continue;
      }
      if (extent == LutExtent::before_grid && is_at_grid()) return set_ranges();
      entry(words);
    }
    check_count();
    return set_ranges();
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const {
    lines_.fail(problem, advice);
  }

  void keyword(const std::vector<std::string_view>& words) {
    const std::string name = in_upper_case(words.front());
    if (!result_.curves.entries.empty() || !result_.grid.entries.empty())
      fail(name + " comes after the first entry", "put it before");
    if (name == "TITLE") return;
    if (name == "LUT_1D_SIZE")
      size(words, result_.curves, most_curve_entries);
    else if (name == "LUT_3D_SIZE")
      size(words, result_.grid, most_grid_entries);
    else if (name == "DOMAIN_MIN")
      once(domain_min_, lines_.numbers<double, 3>(words));
    else if (name == "DOMAIN_MAX")
      once(domain_max_, lines_.numbers<double, 3>(words));
    else if (name == "LUT_1D_INPUT_RANGE")
      once(curve_range_, lines_.numbers<double, 2>(words));
    else if (name == "LUT_3D_INPUT_RANGE")
      once(grid_range_, lines_.numbers<double, 2>(words));
    else
      fail("'" + std::string(words.front()) + "' is no keyword of .cube files",
           "TITLE, DOMAIN_MIN, DOMAIN_MAX, LUT_1D_SIZE, LUT_3D_SIZE, LUT_1D_INPUT_RANGE and "
           "LUT_3D_INPUT_RANGE are");
  }

  void size(const std::vector<std::string_view>& words, LutTable& table, int most) {
    if (table.size != 0) fail(std::string(words.front()) + " is given twice");
    const std::string_view text = words.back();
    table.size = lines_.size(words.size() == 2 ? text : words.front(), most);
  }

  template <class T>
  void once(std::optional<T>& slot, const T& value) {
    if (slot) fail("it is given twice");
    slot = value;
  }

  void entry(const std::vector<std::string_view>& words) {
    const std::array<float, 3> made = lines_.entry(words);
    LutTable& curves = result_.curves;
    const bool of_curves = curves.entries.size() < static_cast<std::size_t>(curves.size);
    LutTable& table = of_curves ? curves : result_.grid;
    if (table.size == 0 && curves.size == 0)
      fail("an entry comes before LUT_1D_SIZE or LUT_3D_SIZE", "put the size before");
    if (table.entries.size() == wanted(table))
      fail("there are more entries than the " + std::to_string(wanted_in_all()) +
           " that the size asks for");
    table.entries.push_back(made);
  }

  // Whether the next entry belongs to the grid, after all entries of the curves.
  bool is_at_grid() const {
    return result_.grid.size > 0 && result_.curves.entries.size() == wanted(result_.curves);
  }

  std::size_t wanted(const LutTable& table) const {
    const auto n = static_cast<std::size_t>(table.size);
    return &table == &result_.grid ? n * n * n : n;
  }
  std::size_t wanted_in_all() const { return wanted(result_.curves) + wanted(result_.grid); }

  void check_count() const {
    const std::size_t found = result_.curves.entries.size() + result_.grid.entries.size();
    if (wanted_in_all() == 0)
      lines_.fail_file("it has neither LUT_1D_SIZE nor LUT_3D_SIZE", "give a .cube file");
    if (found != wanted_in_all())
      lines_.fail_file("it ends after " + std::to_string(found) + " of " +
                       std::to_string(wanted_in_all()) + " entries");
  }

  LutTables set_ranges() {
    const bool both = result_.curves.size > 0 && result_.grid.size > 0;
    if (both && (domain_min_ || domain_max_))
      lines_.fail_file("DOMAIN_MIN or DOMAIN_MAX is given with two tables",
                       "use LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE");
    set_range(result_.curves, curve_range_, "LUT_1D_INPUT_RANGE");
    set_range(result_.grid, grid_range_, "LUT_3D_INPUT_RANGE");
    return std::move(result_);
  }

  void set_range(LutTable& table, const std::optional<std::array<double, 2>>& range,
                 const std::string& keyword) {
    if (table.size == 0) {
      if (range) lines_.fail_file(keyword + " is given, but there is no such table");
      return;
    }
    if (range && (domain_min_ || domain_max_))
      lines_.fail_file("DOMAIN_MIN or DOMAIN_MAX is given with " + keyword, "use one of them");
    if (domain_min_) table.lowest = *domain_min_;
    if (domain_max_) table.highest = *domain_max_;
    if (range) {
      table.lowest.fill((*range)[0]);
      table.highest.fill((*range)[1]);
    }
    for (std::size_t c = 0; c < 3; ++c)
      if (!(table.lowest[c] < table.highest[c]))
        lines_.fail_file("its input's range is empty", "let the lowest be below the highest");
  }

  LutLines lines_;
  LutTables result_;
  std::optional<std::array<double, 3>> domain_min_, domain_max_;
  std::optional<std::array<double, 2>> curve_range_, grid_range_;
};

}  // namespace

LutTables read_cube(const std::string& path, const std::string& place, LutExtent extent) {
  return CubeReader(path, place).read(extent);
}

}  // namespace cuimg
