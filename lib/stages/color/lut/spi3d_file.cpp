// SPDX-License-Identifier: Apache-2.0
// Reads .spi3d files, Sony Imageworks' grids, as OpenColorIO documents and writes them: every entry
// gives its position, and entries come in any order.

#include "stages/color/lut/lut_file.h"
#include "stages/color/lut/lut_lines.h"

namespace cuimg {
namespace {

// Collects entries as they are read, so that a file's size field alone cannot make it allocate
// memory.
class Places {
 public:
  explicit Places(std::size_t count) : taken_(count) {}

  // False if the place is already taken.
  bool put(std::size_t place, const std::array<float, 3>& entry) {
    if (taken_[place]) return false;
    taken_[place] = true;
    entries_.emplace_back(place, entry);
    return true;
  }
  std::size_t count() const { return entries_.size(); }
  std::vector<std::array<float, 3>> in_order() const {
    std::vector<std::array<float, 3>> ordered(taken_.size());
    for (const auto& [place, entry] : entries_) ordered[place] = entry;
    return ordered;
  }

 private:
  std::vector<bool> taken_;
  std::vector<std::pair<std::size_t, std::array<float, 3>>> entries_;
};

}  // namespace

LutTables read_spi3d(const std::string& path, const std::string& place, LutExtent extent) {
  LutLines lines(path, place, ".spi3d");
  if (lines.line("SPILUT 1.0").front() != "SPILUT")
    lines.fail("it does not begin with SPILUT", "give a .spi3d file");
  const auto channels = lines.line("its numbers of channels, 3 3");
  if (channels.size() != 2 || channels[0] != "3" || channels[1] != "3")
    lines.fail("it is not from three channels to three", "use 3 3");
  const auto sizes = lines.line("its sizes");
  if (sizes.size() != 3 || sizes[0] != sizes[1] || sizes[0] != sizes[2])
    lines.fail("its axes differ in size", "give the same size three times");
  LutTables made;
  made.grid.size = lines.size(sizes[0], most_grid_entries);
  if (extent == LutExtent::before_grid) return made;

  const auto n = static_cast<std::size_t>(made.grid.size);
  Places places(n * n * n);
  std::vector<std::string_view> words;
  while (lines.next(words)) {
    const std::array<float, 3> entry = lines.entry(words, 3);
    std::size_t at = 0;
    for (std::size_t c = 3; c-- > 0;) {  // red changes fastest
      const int index = lines.number<int>(words[c]);
      if (index < 0 || index >= made.grid.size)
        lines.fail("'" + std::string(words[c]) + "' is no position",
                   "use 0 to " + std::to_string(made.grid.size - 1));
      at = at * n + static_cast<std::size_t>(index);
    }
    if (!places.put(at, entry)) lines.fail("that entry is there twice");
  }
  if (places.count() < n * n * n)
    lines.fail_file("it ends after " + std::to_string(places.count()) + " of " +
                    std::to_string(n * n * n) + " entries");
  made.grid.entries = places.in_order();
  return made;
}

}  // namespace cuimg
