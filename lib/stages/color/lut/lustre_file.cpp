// SPDX-License-Identifier: Apache-2.0
// Reads .3dl files as written by Autodesk Lustre, Autodesk Flame and Kodak: the positions of a
// grid's entries on its axes as integers, then the entries, blue fastest.
#include <algorithm>
#include <optional>

#include "base/message_text.h"
#include "stages/color/lut/lut_file.h"
#include "stages/color/lut/lut_lines.h"

namespace cuimg {
namespace {

constexpr int largest_code = 65535;

class LustreReader {
 public:
  LustreReader(const std::string& path, const std::string& place) : lines_(path, place, ".3dl") {}

  LutTables read(LutExtent extent) {
    LutTables made;
    made.grid.size = read_head();
    if (extent == LutExtent::before_grid) return made;
    const auto n = static_cast<std::size_t>(made.grid.size);
    read_codes(n * n * n);
    const auto scale = static_cast<double>((1 << depth()) - 1);
    std::vector<std::array<float, 3>> entries;
    entries.reserve(codes_.size());
    for (const auto& code : codes_) {
      std::array<float, 3>& entry = entries.emplace_back();
      for (std::size_t c = 0; c < 3; ++c)
        entry[c] = static_cast<float>(static_cast<double>(code[c]) / scale);
    }
    made.grid.entries = with_red_fastest(entries, made.grid.size);
    return made;
  }

 private:
  int code(std::string_view word) const {
    const int value = lines_.number<int>(word);
    if (value < 0 || value > largest_code)
      lines_.fail("'" + std::string(word) + "' is no code", "use 0 to 65535");
    return value;
  }

  // Finds the grid's size from the line of positions.
  int read_head() {
    while (true) {
      const auto words = lines_.line("the places on its axes");
      if (!is_keyword(words.front()) && words.front() != "3DMESH") return places(words);
      const std::string name = in_upper_case(words.front());
      if (name == "MESH")
        depth_ = lines_.numbers<int, 2>(words)[1];
      else if (name != "3DMESH")
        lines_.fail("'" + std::string(words.front()) + "' is no keyword of .3dl files",
                    "3DMESH and Mesh are");
      if (depth_ && (*depth_ < 8 || *depth_ > 16))
        lines_.fail("its entries have " + std::to_string(*depth_) + " bits", "use 8 to 16");
    }
  }

  // Checks that positions are evenly spaced from 0 to the largest. They may be off by 2, as
  // programs round them.
  int places(const std::vector<std::string_view>& words) const {
    const int size = lines_.size(std::to_string(words.size()), most_grid_entries);
    std::vector<int> at;
    for (const std::string_view word : words) at.push_back(code(word));
    for (int i = 0; i < size; ++i) {
      const double even = static_cast<double>(at.back()) * i / (size - 1);
      const double place = at[static_cast<std::size_t>(i)];
      if (at.back() < size - 1 || place < even - 2 || place > even + 2)
        lines_.fail("the places on its axes are not in even steps from 0",
                    "write the table with even steps, or as a .cube file");
    }
    return size;
  }

  void read_codes(std::size_t wanted) {
    std::vector<std::string_view> words;
    while (lines_.next(words)) {
      if (is_keyword(words.front())) return read_tail(words);
      if (words.size() != 3)
        lines_.fail("an entry of " + counted(std::ssize(words), "number"),
                    "give red, green and blue");
      if (codes_.size() == wanted)
        lines_.fail("there are more entries than the " + std::to_string(wanted) + " of its axes");
      codes_.push_back({code(words[0]), code(words[1]), code(words[2])});
      largest_ = std::max({largest_, codes_.back()[0], codes_.back()[1], codes_.back()[2]});
    }
    if (codes_.size() < wanted)
      lines_.fail_file("it ends after " + std::to_string(codes_.size()) + " of " +
                       std::to_string(wanted) + " entries");
  }

  // Lustre writes these lines after the entries, and they change nothing: "LUT8" and "gamma 1.0".
  void read_tail(std::vector<std::string_view> words) {
    do {
      const std::string name = in_upper_case(words.front());
      const bool is_gamma = name == "GAMMA" && words.size() == 2;
      if (!(name.starts_with("LUT") && words.size() == 1) &&
          !(is_gamma && lines_.number<double>(words[1]) == 1.0))
        lines_.fail("'" + std::string(words.front()) + "' is not understood after the entries",
                    "LUT8 and gamma 1.0 are");
    } while (lines_.next(words));
  }

  // A file without a Mesh line does not state its depth. As in OpenColorIO, it is the least of 8,
  // 10, 12, 14 and 16 bits for which the largest code is less than twice white.
  int depth() const {
    if (depth_) return *depth_;
    int bits = 8;
    while (bits < 16 && largest_ > (2 << bits) - 1) bits += 2;
    return bits;
  }

  LutLines lines_;
  std::optional<int> depth_;
  std::vector<std::array<int, 3>> codes_;
  int largest_ = 0;
};

}  // namespace

LutTables read_3dl(const std::string& path, const std::string& place, LutExtent extent) {
  return LustreReader(path, place).read(extent);
}

}  // namespace cuimg
