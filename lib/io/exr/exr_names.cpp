// SPDX-License-Identifier: Apache-2.0
#include "io/exr/exr_names.h"

#include <algorithm>
#include <string_view>

namespace cuimg {
namespace {

constexpr std::string_view upper = "RGBA", lower = "rgba";

// The last word where that is a colour's letter, else npos.
std::size_t letter_of(const std::string& name, std::string_view letters) {
  const std::size_t last = name.size() - 1;
  const bool is_word = last == 0 || name[last - 1] == '.';
  return is_word ? letters.find(name[last]) : std::string_view::npos;
}

std::string with_letter(std::string name, char letter) {
  name.back() = letter;
  return name;
}

std::string lower_case(const std::string& name) {
  const std::size_t letter = letter_of(name, upper);
  return letter == std::string_view::npos ? name : with_letter(name, lower[letter]);
}

}  // namespace

std::string exr_image_name(const Imf::ChannelList& channels, const std::string& name) {
  const std::size_t letter = letter_of(name, lower);
  if (letter == std::string_view::npos) return name;
  const auto has = [&](char other) {
    return channels.findChannel(with_letter(name, other)) != nullptr;
  };
  if (!std::ranges::all_of(lower.substr(0, 3), has) || std::ranges::any_of(upper, has)) return name;
  return with_letter(name, upper[letter]);
}

std::string exr_file_name(const Spec& spec, const LayerSpec& layer, int channel) {
  const std::string name = layer.full_name(channel);
  return spec.storage.lower_case_layers.contains(layer.name) ? lower_case(name) : name;
}

std::string exr_name_among(const Imf::ChannelList& channels, const LayerSpec& layer, int channel) {
  const std::string name = layer.full_name(channel);
  return channels.findChannel(name) != nullptr ? name : lower_case(name);
}

}  // namespace cuimg
