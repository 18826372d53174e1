// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_names.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cuimg {
namespace {

using Words = std::array<std::string_view, 4>;

constexpr Words letters = {"R", "G", "B", "A"};

// Other names in files. If a layer has two complete sets, the first set in this list is used as its
// colours.
constexpr std::array<Words, 4> spellings = {{{"r", "g", "b", "a"},
                                             {"red", "green", "blue", "alpha"},
                                             {"Red", "Green", "Blue", "Alpha"},
                                             {"RED", "GREEN", "BLUE", "ALPHA"}}};

struct SplitName {
  std::string layer;  // Including the dot at its end.
  std::string word;

  explicit SplitName(const std::string& name)
      : layer(name, 0, name.rfind('.') + 1), word(name, layer.size()) {}
  std::string with(std::string_view other) const { return layer + std::string(other); }
};

// A name in letters converted to another spelling; other names are unchanged.
std::string spelled(const SplitName& name, const Words& spelling) {
  const auto at = std::ranges::find(letters, name.word);
  return name.with(at == letters.end() ? name.word : spelling[std::size_t(at - letters.begin())]);
}

}  // namespace

std::string exr_image_name(const Imf::ChannelList& channels, const std::string& name) {
  const SplitName split(name);
  const auto has = [&](std::string_view word) {
    return channels.findChannel(split.with(word)) != nullptr;
  };
  if (std::ranges::any_of(letters, has)) return name;
  for (const Words& spelling : spellings) {
    if (!std::all_of(spelling.begin(), spelling.begin() + 3, has)) continue;
    const auto at = std::ranges::find(spelling, split.word);
    return at == spelling.end() ? name : split.with(letters[std::size_t(at - spelling.begin())]);
  }
  return name;
}

void keep_exr_name(const Imf::ChannelList& channels, const std::string& name,
                   FileStorage& storage) {
  const SplitName split(name);
  if (split.word != "R" && exr_image_name(channels, name) == split.with("R"))
    storage.red_names.insert(name);
}

std::string exr_file_name(const Spec& spec, const LayerSpec& layer, int channel) {
  const std::string name = layer.full_name(channel);
  const SplitName split(name);
  for (const Words& spelling : spellings)
    if (spec.storage.red_names.contains(split.with(spelling.front())))
      return spelled(split, spelling);
  return name;
}

std::string exr_name_among(const Imf::ChannelList& channels, const LayerSpec& layer, int channel) {
  const std::string name = layer.full_name(channel);
  const auto has = [&](const std::string& other) { return channels.findChannel(other) != nullptr; };
  if (has(name)) return name;
  for (const Words& spelling : spellings)
    if (has(spelled(SplitName(name), spelling))) return spelled(SplitName(name), spelling);
  return name;
}

}  // namespace cuimg
