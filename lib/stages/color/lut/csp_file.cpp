// SPDX-License-Identifier: Apache-2.0
// Reading .csp files, Cinespace's "LUT File Format" 1.0: a shaper for each channel, followed by
// curves or a grid. A shaper is linear from point to point.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/message_text.h"
#include "stages/color/lut/lut_file.h"
#include "stages/color/lut/lut_lines.h"

namespace cuimg {
namespace {

struct CspShaper {
  std::vector<double> from, to;  ///< At least two; `from` ascends.

  /// The position of a point if the range is divided into equal steps.
  double place_of(std::size_t point, int steps) const {
    return (from[point] - from.front()) / (from.back() - from.front()) * steps;
  }
  std::int64_t step_of(std::size_t point, int steps) const {
    return std::llround(place_of(point, steps));
  }

  /// Whether the points lie on different ones of these steps, within the digits that files have: a
  /// millionth of the range.
  bool fits(int steps) const {
    constexpr double digits = 1e-6;
    for (std::size_t i = 1; i < from.size(); ++i) {
      const std::int64_t step = step_of(i, steps);
      if (std::abs(place_of(i, steps) - static_cast<double>(step)) > digits * steps ||
          step == step_of(i - 1, steps))
        return false;
    }
    return true;
  }
};
using CspShapers = std::array<CspShaper, 3>;

// The fewest steps on which the points of all shapers lie.
std::optional<int> steps_of(const CspShapers& shapers) {
  for (int steps = 1; steps < most_curve_entries; ++steps)
    if (std::ranges::all_of(shapers, [&](const CspShaper& shaper) { return shaper.fits(steps); }))
      return steps;
  return std::nullopt;
}

// A shaper's numbers are in one line.
constexpr std::size_t longest_line = std::size_t{1} << 20;

class CspReader {
 public:
  CspReader(const std::string& path, const std::string& place)
      : lines_(path, place, ".csp", longest_line) {}

  LutTables read(LutExtent extent) {
    const auto head = lines_.line("CSPLUTV100");
    if (head.size() != 1 || head.front() != "CSPLUTV100")
      lines_.fail("it does not begin with CSPLUTV100", "give a .csp file");
    const auto kind = lines_.line("1D or 3D");
    const bool is_grid = kind.front() == "3D";
    if (kind.size() != 1 || (!is_grid && kind.front() != "1D"))
      lines_.fail("'" + std::string(kind.front()) + "' is no kind of .csp file", "use 1D or 3D");
    skip_metadata();
    for (std::size_t c = 0; c < 3; ++c) shaper(c);
    return is_grid ? grid(extent) : curves();
  }

 private:
  void skip_metadata() {
    words_ = lines_.line("its shapers");
    if (words_.front() != "BEGIN") return;
    do words_ = lines_.line("END METADATA");
    while (words_.size() != 2 || words_[0] != "END" || words_[1] != "METADATA");
    words_ = lines_.line("its shapers");
  }

  // The first of a shaper's three lines has already been read.
  void shaper(std::size_t channel) {
    if (words_.size() != 1)
      lines_.fail("a shaper's number of points has " + std::to_string(words_.size()) + " words");
    const auto count = static_cast<std::size_t>(lines_.size(words_[0], most_curve_entries));
    CspShaper& shaper = shapers_[channel];
    shaper.from = numbers(count, "a shaper's inputs");
    if (std::ranges::adjacent_find(shaper.from, std::greater_equal()) != shaper.from.end())
      lines_.fail(
          count == 2 ? "a shaper's input is an empty range" : "a shaper's inputs do not ascend",
          "let the first be below the second");
    shaper.to = numbers(count, "a shaper's outputs");
    words_ = lines_.line(channel < 2 ? "its next shaper" : "its size");
  }

  std::vector<double> numbers(std::size_t count, const std::string& what) {
    const auto words = lines_.line(what);
    if (words.size() != count)
      lines_.fail("a shaper of " + std::to_string(count) + " points has " +
                      counted(std::ssize(words), "number"),
                  "give " + std::to_string(count));
    std::vector<double> made;
    for (const std::string_view word : words) made.push_back(lines_.number<double>(word));
    return made;
  }

  // Whether the shapers only give ranges.
  bool are_ranges() const {
    return std::ranges::all_of(shapers_, [](const CspShaper& shaper) {
      return shaper.to == std::vector<double>{0, 1};
    });
  }

  void set_ranges(LutTable& table) const {
    for (std::size_t c = 0; c < 3; ++c) {
      table.lowest[c] = shapers_[c].from.front();
      table.highest[c] = shapers_[c].from.back();
    }
  }

  LutTables curves() {
    if (!are_ranges())
      lines_.fail_file("a shaper of curves is more than a range that becomes 0 to 1",
                       "write the table with shapers of two points, or as a .cube file");
    LutTables made;
    if (words_.size() != 1) lines_.fail("its size has " + std::to_string(words_.size()) + " words");
    made.curves.size = lines_.size(words_[0], most_curve_entries);
    set_ranges(made.curves);
    made.curves.entries = entries(static_cast<std::size_t>(made.curves.size));
    return made;
  }

  // If the shaper does more than give a range, it becomes curves before the grid.
  LutTables grid(LutExtent extent) {
    if (words_.size() != 3 || words_[0] != words_[1] || words_[0] != words_[2])
      lines_.fail("its axes differ in size", "give the same size three times");
    LutTables made;
    made.grid.size = lines_.size(words_[0], most_grid_entries);
    set_ranges(are_ranges() ? made.grid : made.curves);
    if (!are_ranges()) shape(made.curves);
    const auto n = static_cast<std::size_t>(made.grid.size);
    if (extent == LutExtent::all) made.grid.entries = entries(n * n * n);
    return made;
  }

  // The shapers as curves of equal steps.
  void shape(LutTable& curves) const {
    const std::optional<int> steps = steps_of(shapers_);
    if (!steps)
      lines_.fail_file("the inputs of its shapers do not lie on " +
                           std::to_string(most_curve_entries) + " equal steps",
                       "write shapers whose inputs are evenly spaced");
    curves.size = *steps + 1;
    curves.entries.resize(static_cast<std::size_t>(curves.size));
    for (std::size_t c = 0; c < 3; ++c) {
      const CspShaper& shaper = shapers_[c];
      for (std::size_t i = 0; i + 1 < shaper.from.size(); ++i) {
        const std::int64_t first = shaper.step_of(i, *steps), last = shaper.step_of(i + 1, *steps);
        for (std::int64_t k = first; k <= last; ++k) {
          const double part = static_cast<double>(k - first) / static_cast<double>(last - first);
          curves.entries[static_cast<std::size_t>(k)][c] =
              static_cast<float>(std::lerp(shaper.to[i], shaper.to[i + 1], part));
        }
      }
    }
  }

  std::vector<std::array<float, 3>> entries(std::size_t wanted) {
    std::vector<std::array<float, 3>> made;
    while (lines_.next(words_)) {
      if (made.size() == wanted)
        lines_.fail("there are more entries than the " + std::to_string(wanted) +
                    " that the size asks for");
      made.push_back(lines_.entry(words_));
    }
    if (made.size() < wanted)
      lines_.fail_file("it ends after " + std::to_string(made.size()) + " of " +
                       std::to_string(wanted) + " entries");
    return made;
  }

  LutLines lines_;
  std::vector<std::string_view> words_;  ///< The words of the last line that was read.
  CspShapers shapers_;
};

}  // namespace

LutTables read_csp(const std::string& path, const std::string& place, LutExtent extent) {
  return CspReader(path, place).read(extent);
}

}  // namespace cuimg
