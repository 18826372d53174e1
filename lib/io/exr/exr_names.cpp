// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_names.h"

#include <algorithm>
#include <string_view>

#include "image/color_names.h"

namespace cuimg {

std::string exr_image_name(const Imf::ChannelList& channels, const std::string& name) {
  const SplitName split(name);
  const auto has = [&](std::string_view word) {
    return channels.findChannel(split.with(word)) != nullptr;
  };
  if (std::ranges::any_of(color_letters, has)) return name;
  for (const ColorWords& words : color_spellings())
    if (std::all_of(words.begin(), words.begin() + 3, has))
      return respelled(split, words, color_letters);
  return name;
}

void keep_exr_name(const Imf::ChannelList& channels, const std::string& name,
                   FileStorage& storage) {
  const SplitName split(name);
  if (split.word != "R" && exr_image_name(channels, name) == split.with("R"))
    storage.red_names.insert(name);
}

std::string exr_file_name(const Spec& spec, const LayerSpec& layer, int channel) {
  return name_in_file(spec.storage, layer.full_name(channel));
}

std::string exr_name_among(const Imf::ChannelList& channels, const LayerSpec& layer, int channel) {
  const std::string name = layer.full_name(channel);
  const auto has = [&](const std::string& other) { return channels.findChannel(other) != nullptr; };
  if (has(name)) return name;
  for (const ColorWords& words : color_spellings())
    if (const std::string other = respelled(SplitName(name), color_letters, words); has(other))
      return other;
  return name;
}

}  // namespace cuimg
