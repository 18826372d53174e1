// SPDX-License-Identifier: Apache-2.0
#include "image/color_names.h"

#include <algorithm>

namespace cuimg {

std::span<const ColorWords> color_spellings() {
  static constexpr std::array<ColorWords, 4> spellings = {{{"r", "g", "b", "a"},
                                                           {"red", "green", "blue", "alpha"},
                                                           {"Red", "Green", "Blue", "Alpha"},
                                                           {"RED", "GREEN", "BLUE", "ALPHA"}}};
  return spellings;
}

std::string respelled(const SplitName& name, const ColorWords& from, const ColorWords& to) {
  const auto at = std::ranges::find(from, name.word);
  return name.with(at == from.end() ? name.word : to[std::size_t(at - from.begin())]);
}

const ColorWords& words_in_file(const FileStorage& file, const SplitName& name) {
  for (const ColorWords& words : color_spellings())
    if (file.red_names.contains(name.with(words.front()))) return words;
  return color_letters;
}

std::string name_in_file(const FileStorage& file, const std::string& name) {
  const SplitName split(name);
  return respelled(split, color_letters, words_in_file(file, split));
}

std::string name_in_image(const FileStorage& file, const std::string& name) {
  const SplitName split(name);
  return respelled(split, words_in_file(file, split), color_letters);
}

}  // namespace cuimg
