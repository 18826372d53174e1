// SPDX-License-Identifier: Apache-2.0
// Names of colours in files. Stages use R, G, B and A; a file may call a layer's colours r, g, b
// and a, like Blender's Cryptomatte, or red, green, blue and alpha, like Nuke.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "image/spec.h"

namespace cuimg {

/// Red, green, blue and alpha.
using ColorWords = std::array<std::string_view, 4>;
inline constexpr ColorWords color_letters = {"R", "G", "B", "A"};

/// The other names. If a layer has two complete sets, the first one in this list is used as its
/// colours.
std::span<const ColorWords> color_spellings();

/// A channel's full name in two parts.
struct SplitName {
  std::string layer;  ///< Including the dot at its end.
  std::string word;

  explicit SplitName(const std::string& name)
      : layer(name, 0, name.rfind('.') + 1), word(name, layer.size()) {}
  std::string with(std::string_view other) const { return layer + std::string(other); }
};

/// A name in the words `from`, in the words `to`; other names are unchanged.
std::string respelled(const SplitName& name, const ColorWords& from, const ColorWords& to);

/// The file's words for the colours of the layer of `name`; color_letters unless red_names says
/// otherwise.
const ColorWords& words_in_file(const FileStorage& file, const SplitName& name);

/// The name that the file has for a channel of the image: "diffuse.r" for "diffuse.R".
std::string name_in_file(const FileStorage& file, const std::string& name);

/// The name that the image has for a channel of the file: the reverse.
std::string name_in_image(const FileStorage& file, const std::string& name);

}  // namespace cuimg
