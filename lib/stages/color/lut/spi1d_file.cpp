// SPDX-License-Identifier: Apache-2.0
// Reads .spi1d files, Sony Imageworks' curves, as OpenColorIO documents and writes them.
#include <optional>

#include "base/message_text.h"
#include "stages/color/lut/lut_file.h"
#include "stages/color/lut/lut_lines.h"

namespace cuimg {
namespace {

class Spi1dReader {
 public:
  Spi1dReader(const std::string& path, const std::string& place) : lines_(path, place, ".spi1d") {}

  LutTables read() {
    read_head();
    LutTable& curves = made_.curves;
    const auto wanted = static_cast<std::size_t>(curves.size);
    while (true) {
      const auto words = lines_.line("its }, after " + std::to_string(curves.entries.size()) +
                                     " of " + std::to_string(wanted) + " entries");
      if (words.front() == "}") break;
      if (curves.entries.size() == wanted)
        lines_.fail("there are more entries than the " + std::to_string(wanted) + " of Length");
      curves.entries.push_back(entry(words));
    }
    if (curves.entries.size() < wanted)
      lines_.fail("there are " + std::to_string(curves.entries.size()) + " of the " +
                  std::to_string(wanted) + " entries of Length");
    std::vector<std::string_view> more;
    if (lines_.next(more)) lines_.fail("there is more after the }");
    return std::move(made_);
  }

 private:
  // Reads up to the {.
  void read_head() {
    std::optional<int> version, length, components;
    std::optional<std::array<double, 2>> from;
    const auto once = [&](auto& slot, const auto& value) {
      if (slot) lines_.fail("it is given twice");
      slot = value;
    };
    while (true) {
      const auto words = lines_.line("its {");
      const std::string_view name = words.front();
      if (name == "{") break;
      if (name == "From")
        once(from, lines_.numbers<double, 2>(words));
      else if (name == "Version" || name == "Length" || name == "Components")
        once(name == "Version"  ? version
             : name == "Length" ? length
                                : components,
             lines_.numbers<int, 1>(words)[0]);
      else
        lines_.fail("'" + std::string(name) + "' is no keyword of .spi1d files",
                    "Version, From, Length and Components are");
    }
    for (const auto& [slot, name] :
         {std::pair{&version, "Version"}, {&length, "Length"}, {&components, "Components"}})
      if (!*slot) lines_.fail(std::string(name) + " is missing before the {");
    if (*version != 1) lines_.fail_file("it is of version " + std::to_string(*version), "use 1");
    made_.curves.size = lines_.size(std::to_string(*length), most_curve_entries);
    components_ = *components;
    if (components_ != 1 && components_ != 3)
      lines_.fail_file("it has " + std::to_string(components_) + " components", "use 1 or 3");
    if (!from) return;
    made_.curves.lowest.fill((*from)[0]);
    made_.curves.highest.fill((*from)[1]);
    if (!((*from)[0] < (*from)[1]))
      lines_.fail_file("From is an empty range", "let the first be below the second");
  }

  std::array<float, 3> entry(const std::vector<std::string_view>& words) const {
    if (components_ == 3) return lines_.entry(words);
    if (words.size() != 1)
      lines_.fail("an entry of " + counted(std::ssize(words), "number"),
                  "give one, as Components says");
    const float value = lines_.number<float>(words[0]);
    return {value, value, value};
  }

  LutLines lines_;
  LutTables made_;
  int components_ = 1;
};

}  // namespace

LutTables read_spi1d(const std::string& path, const std::string& place, LutExtent) {
  return Spi1dReader(path, place).read();
}

}  // namespace cuimg
