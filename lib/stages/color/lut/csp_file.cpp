// SPDX-License-Identifier: Apache-2.0
// Reading .csp files, Cinespace's "LUT File Format" 1.0: a shaper for each channel, followed by
// curves or a grid. Only shapers with two points, which are straight lines, are supported.
#include "base/message_text.h"
#include "stages/color/lut/lut_file.h"
#include "stages/color/lut/lut_lines.h"

namespace cuimg {
namespace {

class CspReader {
 public:
  CspReader(const std::string& path, const std::string& place) : lines_(path, place, ".csp") {}

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
    if (words_.size() != 1 || words_[0] != "2")
      lines_.fail("a shaper of '" + std::string(words_.front()) + "' points",
                  "write the table with shapers of two, or as a .cube file");
    const auto pair = [&](const std::string& what) {
      const auto words = lines_.line(what);
      if (words.size() != 2)
        lines_.fail("a shaper of two points has " + counted(std::ssize(words), "number"), "give 2");
      return std::array<double, 2>{lines_.number<double>(words[0]),
                                   lines_.number<double>(words[1])};
    };
    const std::array<double, 2> from = pair("a shaper's inputs");
    if (!(from[0] < from[1]))
      lines_.fail("a shaper's input is an empty range", "let the first be below the second");
    shaper_.lowest[channel] = from[0];
    shaper_.highest[channel] = from[1];
    const std::array<double, 2> to = pair("a shaper's outputs");
    for (std::size_t i = 0; i < 2; ++i) shaper_.entries[i][channel] = static_cast<float>(to[i]);
    words_ = lines_.line(channel < 2 ? "its next shaper" : "its size");
  }

  bool shapes_to_one() const {
    return shaper_.entries[0] == std::array<float, 3>{0, 0, 0} &&
           shaper_.entries[1] == std::array<float, 3>{1, 1, 1};
  }

  LutTables curves() {
    if (!shapes_to_one())
      lines_.fail_file("a shaper of curves does not end at 0 and 1",
                       "write the table with one that does, or as a .cube file");
    LutTables made;
    if (words_.size() != 1) lines_.fail("its size has " + std::to_string(words_.size()) + " words");
    made.curves.size = lines_.size(words_[0], most_curve_entries);
    made.curves.lowest = shaper_.lowest;
    made.curves.highest = shaper_.highest;
    made.curves.entries = entries(static_cast<std::size_t>(made.curves.size));
    return made;
  }

  // If the shaper does more than give a range, it becomes curves before the grid.
  LutTables grid(LutExtent extent) {
    if (words_.size() != 3 || words_[0] != words_[1] || words_[0] != words_[2])
      lines_.fail("its axes differ in size", "give the same size three times");
    LutTables made;
    made.grid.size = lines_.size(words_[0], most_grid_entries);
    if (shapes_to_one()) {
      made.grid.lowest = shaper_.lowest;
      made.grid.highest = shaper_.highest;
    } else {
      made.curves = shaper_;
    }
    const auto n = static_cast<std::size_t>(made.grid.size);
    if (extent == LutExtent::all) made.grid.entries = entries(n * n * n);
    return made;
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
  LutTable shaper_ = {2, {}, {}, {{}, {}}};
};

}  // namespace

LutTables read_csp(const std::string& path, const std::string& place, LutExtent extent) {
  return CspReader(path, place).read(extent);
}

}  // namespace cuimg
