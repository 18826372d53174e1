// SPDX-License-Identifier: Apache-2.0
// The rules of an output: its types, channels, encoding and windows.
#include "pipeline/output_spec.h"

#include <algorithm>

#include "base/error.h"

namespace cuimg {
namespace {

bool has(const Codec& codec, PixelType type) {
  const auto& types = codec.capabilities.types;
  return std::find(types.begin(), types.end(), type) != types.end();
}

std::string names_of(const std::vector<PixelType>& types) {
  std::string names;
  for (const PixelType type : types)
    names += (names.empty() ? "" : ", ") + std::string(name_of(type));
  return names;
}

// What a stored type becomes where a format lacks it, most wanted first.
std::vector<PixelType> substitutes(PixelType type) {
  using enum PixelType;
  switch (type) {
    case u8:
      return {u8, half, u16, f32};
    case u16:
      return {u16, f32, u8, half};
    case half:
      return {half, u8, f32, u16};
    case f32:
      return {f32, u8, half, u16};
    case u32:
      return {u32};
  }
  return {};
}

PixelType choose_type(PixelType stored, const Codec& codec, std::optional<PixelType> wanted) {
  if (wanted && stored != PixelType::u32) {
    if (has(codec, *wanted)) return *wanted;
    throw Error(std::string(codec.name),
                "--type " + std::string(name_of(*wanted)) + " cannot be stored in " +
                    std::string(codec.description),
                "use " + names_of(codec.capabilities.types));
  }
  // A format of floats alone keeps its light rather than 8 bits of it.
  for (const PixelType type : substitutes(stored))
    if (has(codec, type)) return type;
  throw Error(std::string(codec.name), std::string(codec.description) + " cannot hold " +
                                           std::string(name_of(stored)) + " channels");
}

// The one layer that a format without layers shows, of those that are chosen: the unnamed colour,
// else any colour, else the first.
int most_wanted_layer(const Spec& image, const std::vector<bool>& chosen) {
  const auto first = [&](const auto& fits) {
    for (std::size_t i = 0; i < image.layers.size(); ++i)
      if ((chosen.empty() || chosen[i]) && fits(image.layers[i])) return static_cast<int>(i);
    return -1;
  };
  const int layers[] = {
      first([](const LayerSpec& layer) { return layer.is_color() && layer.name.empty(); }),
      first([](const LayerSpec& layer) { return layer.is_color(); }),
      first([](const LayerSpec& layer) { return layer.type != PixelType::u32; }),
      first([](const LayerSpec&) { return true; })};
  const auto* const found =
      std::find_if(std::begin(layers), std::end(layers), [](int layer) { return layer >= 0; });
  return found == std::end(layers) ? 0 : *found;
}

// The input's encoding for an output of integers: pixels that only moved are then the input's.
std::optional<ColorEncoding> kept_encoding(const Spec& image, const Capabilities& can,
                                           const ColorEncoding& home) {
  ColorEncoding kept = home;
  kept.premultiplied = can.integer_encoding.premultiplied;
  kept.primaries = image.color.primaries;
  if (home.curve == Curve::raw || can.tells == nullptr || !can.tells(kept)) return std::nullopt;
  // Gone where decode has made light of a curve that the reader did not undo.
  kept.tag = image.color.tag;
  if (kept.tag) kept.tag->primaries = kept.primaries;
  return kept;
}

// The channels that a format of pictures gives a layer: Y, YA, RGB or RGBA.
std::vector<std::string> picture_channels(const LayerSpec& layer, const Capabilities& can) {
  const bool has_alpha = layer.alpha_index() >= 0 && can.alpha;
  const bool is_grey =
      can.grey && (layer.is_color() ? layer.channels.front() == "Y" : layer.channel_count() == 1);
  std::vector<std::string> channels = {"R", "G", "B"};
  if (is_grey) channels = {"Y"};
  if (has_alpha) channels.push_back("A");
  return channels;
}

// Reduces the choice to one layer, of a name and channels that the format has.
void choose_picture(const Spec& image, const Codec& codec, bool raw,
                    const std::vector<bool>& chosen, OutputChoice& choice) {
  const Capabilities& can = codec.capabilities;
  const int kept = most_wanted_layer(image, chosen);
  choice.sources = {kept};
  choice.spec.layers = {image.layers[static_cast<std::size_t>(kept)]};
  LayerSpec& layer = choice.spec.layers.front();
  const std::vector<std::string> channels = picture_channels(layer, can);
  if (!can.color && channels.front() != "Y")
    throw Error(std::string(codec.name), std::string(codec.description) + " cannot hold colour",
                "put grayscale before it, or write .ppm");
  const bool named_by_option = std::find(chosen.begin(), chosen.end(), false) != chosen.end();
  if (image.layers.size() > 1)
    choice.decisions.push_back("only layer " + layer.full_name(0) + " fits the format" +
                               (named_by_option ? ", which --layers names" : ""));
  if (layer.alpha_index() >= 0 && !can.alpha)
    choice.decisions.push_back(raw ? "alpha is dropped" : "alpha is composited over --background");
  layer.name.clear();
  layer.channels = channels;
}

void choose_color(const Spec& image, const Capabilities& can, bool integers,
                  const ColorEncoding* home, OutputChoice& choice) {
  ColorEncoding& color = choice.spec.color;
  color = integers ? can.integer_encoding : can.float_encoding;
  color.primaries = can.primaries ? image.color.primaries : std::nullopt;
  if (image.color.curve == Curve::raw) {
    color.curve = Curve::raw;
    color.tag = image.color.tag;
    color.primaries = image.color.primaries;
    choice.decisions.push_back("colour is written as a stage has encoded it");
    return;
  }
  if (integers && home != nullptr) {
    if (const auto kept = kept_encoding(image, can, *home)) {
      if (kept->curve != can.integer_encoding.curve ||
          kept->primaries.value_or(Chromaticities{}) != Chromaticities{})
        choice.decisions.push_back(
            "curve and primaries stay the input's, which the format can store");
      color = *kept;
      return;
    }
  }
  if (image.color.primaries && !can.primaries && image.color.primaries != Chromaticities{})
    choice.decisions.push_back("primaries become Rec.709's, which the format implies");
}

}  // namespace

OutputChoice choose_output(const Spec& image, const std::vector<PixelType>& stored,
                           const Codec& codec, std::optional<PixelType> type, bool raw,
                           const ColorEncoding* home, const std::vector<bool>& chosen) {
  const Capabilities& can = codec.capabilities;
  OutputChoice choice{image, {}, {}};
  Spec& spec = choice.spec;
  if (image.mip && !can.levels)
    throw Error("mip", std::string(codec.description) + " cannot hold mip levels", "write an EXR");
  if (can.layers) {
    for (std::size_t i = 0; i < image.layers.size(); ++i)
      choice.sources.push_back(static_cast<int>(i));
  } else {
    choose_picture(image, codec, raw, chosen, choice);
  }
  bool integers = false;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    layer.type = choose_type(stored[static_cast<std::size_t>(choice.sources[i])], codec, type);
    integers = integers || layer.type == PixelType::u8 || layer.type == PixelType::u16;
  }
  if (raw) {
    spec.color = image.color;
    spec.color.curve = Curve::raw;
  } else {
    choose_color(image, can, integers, home, choice);
  }
  if (!can.windows && spec.data_window != spec.display_window) {
    choice.decisions.push_back("the format has no windows: the display window is written");
    spec.data_window = spec.display_window;
  }
  return choice;
}

Spec file_spec(const Spec& planned, const Codec& codec) {
  Spec spec = planned;
  if (!codec.capabilities.windows) {
    spec.data_window.x = spec.data_window.y = 0;
    spec.display_window = spec.data_window;
  }
  return spec;
}

}  // namespace cuimg
