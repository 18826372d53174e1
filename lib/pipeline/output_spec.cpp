// SPDX-License-Identifier: Apache-2.0
// The rules of an output: its types, channels, encoding and windows.
#include "pipeline/output_spec.h"

#include <algorithm>

#include "base/contains.h"
#include "base/error.h"
#include "base/message_text.h"
#include "io/flat_image.h"
#include "io/tags/cicp.h"

namespace cuimg {
namespace {

bool has(const Codec& codec, PixelType type) {
  const auto& types = codec.capabilities.types;
  return contains(types, type);
}

// For the types that --type accepts.
std::string names_of(const std::vector<PixelType>& types) {
  std::string names;
  for (const PixelType type : types)
    if (type != PixelType::u32) add_item(names, name_of(type));
  return names;
}

// The types that can replace a stored type in a format that lacks it, in order of preference.
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

PixelType choose_type(const LayerSpec& layer, PixelType stored, const Codec& codec,
                      std::optional<PixelType> wanted) {
  if (layer.is_matte) {
    if (codec.capabilities.layers) return PixelType::f32;
    throw Error(std::string(codec.name),
                std::string(codec.description) + " cannot hold the ids of Cryptomatte",
                "write an EXR, or pick coverages by channels");
  }
  if (wanted && stored != PixelType::u32) {
    if (has(codec, *wanted)) return *wanted;
    throw Error(std::string(codec.name),
                "--type " + std::string(name_of(*wanted)) + " cannot be stored in " +
                    std::string(codec.description),
                "use " + names_of(codec.capabilities.types));
  }
  if (const auto type = stored_type(stored, codec)) return *type;
  throw Error(std::string(codec.name), std::string(codec.description) + " cannot hold " +
                                           std::string(name_of(stored)) + " channels");
}

// The only layer that a format without layers shows, among the chosen ones; ids only if there is
// nothing else.
int most_wanted_layer(const Spec& image, const std::vector<bool>& chosen) {
  if (const int shown = image.shown_layer(chosen); shown >= 0) return shown;
  const auto first = std::ranges::find(chosen, true);
  return first == chosen.end() ? 0 : static_cast<int>(first - chosen.begin());
}

Chromaticities primaries_of(const ColorEncoding& color) {
  return color.primaries.value_or(Chromaticities{});
}

bool describes(const Capabilities& can, const ColorEncoding& color, bool grey) {
  return can.describes != nullptr && can.describes(color, grey);
}

// The input's encoding for an output of integers, so that pixels that only moved equal the input's.
// Parts of the encoding that a stage has changed are not kept.
ColorEncoding kept_encoding(const Spec& image, const ColorEncoding& own,
                            const ColorEncoding& home) {
  ColorEncoding kept = home;
  kept.premultiplied = own.premultiplied;
  kept.primaries = image.color.primaries;
  kept.alpha_covers = image.color.alpha_covers;
  if (primaries_of(kept) != primaries_of(home)) kept.profile.reset();
  // Absent if decode has linearised a curve that the reader did not undo, or if a stage has brought
  // light into a display's range.
  kept.tag = image.color.tag;
  if (kept.tag) kept.tag->primaries = kept.primaries;
  const bool brought_down = is_hdr(home.curve) && !kept.tag;
  if (brought_down || (home.curve == Curve::profile && !kept.profile)) {
    kept.curve = own.curve;
    kept.profile.reset();
  }
  return kept;
}

// That encoding, or the part of it that the format can express.
std::optional<ColorEncoding> sayable_encoding(const Spec& image, const Capabilities& can, bool grey,
                                              const ColorEncoding* home) {
  std::vector<ColorEncoding> tried;
  if (home != nullptr && home->curve != Curve::raw) {
    tried.push_back(kept_encoding(image, can.integer_encoding, *home));
    if (tried.back().profile) {
      tried.push_back(tried.back());
      tried.back().profile.reset();
    }
  }
  tried.push_back(can.integer_encoding);
  tried.back().primaries = image.color.primaries;
  tried.back().alpha_covers = image.color.alpha_covers;
  for (const ColorEncoding& color : tried)
    if (describes(can, color, grey)) return color;
  return std::nullopt;
}

// Reduces the choice to one layer, with a name and channels that the format supports.
void choose_picture(const Spec& image, const Codec& codec, bool raw,
                    const std::vector<bool>& chosen, OutputChoice& choice) {
  const Capabilities& can = codec.capabilities;
  const int kept = most_wanted_layer(image, chosen);
  choice.sources = {kept};
  choice.spec.layers = {image.layer(kept)};
  LayerSpec& layer = choice.spec.layers.front();
  const std::vector<std::string> channels = picture_channels(layer, can);
  if (!can.color && channels.front() != "Y")
    throw Error(std::string(codec.name), std::string(codec.description) + " cannot hold colour",
                "put grayscale before it, or write .ppm");
  const bool named_by_option = contains(chosen, false);
  if (image.layers.size() > 1) {
    std::string names;
    for (int i = 0; i < layer.channel_count(); ++i) add_item(names, layer.full_name(i), " ");
    choice.decisions.push_back("only layer " + names + " fits the format" +
                               (named_by_option ? ", which --layers names" : ""));
    if (!named_by_option)
      choice.warnings.push_back(std::to_string(image.layers.size()) + " layers; only " + names +
                                " is written, " + std::string(codec.description) +
                                " holds one; --layers chooses");
  }
  if (layer.alpha_index() >= 0 && !can.alpha)
    choice.decisions.push_back(raw || !image.color.alpha_covers
                                   ? "alpha is dropped"
                                   : "alpha is composited over --background");
  layer.name.clear();
  layer.channels = channels;
}

// Warns of values that a stage has encoded, in a format that other programs interpret differently.
void warn_of_unsaid_curve(const Codec& codec, const ColorEncoding& color, bool integers, bool grey,
                          OutputChoice& choice) {
  const Capabilities& can = codec.capabilities;
  const ColorTag tag = tag_of(color);
  const ColorTag own = tag_of(integers ? can.integer_encoding : can.float_encoding);
  if (tag.curve == CurveCode::unspecified || tag.curve == own.curve || describes(can, color, grey))
    return;
  choice.warnings.push_back(std::string(codec.description) + " cannot say that values are " +
                            name_of(tag.curve) + ": other programs read them as " +
                            name_of(own.curve));
}

void choose_color(const Spec& image, const Codec& codec, bool integers, bool grey,
                  const ColorEncoding* home, OutputChoice& choice) {
  const Capabilities& can = codec.capabilities;
  ColorEncoding& color = choice.spec.color;
  color = integers ? can.integer_encoding : can.float_encoding;
  color.primaries = can.primaries ? image.color.primaries : std::nullopt;
  color.alpha_covers = image.color.alpha_covers;
  if (image.color.curve == Curve::raw) {
    color.curve = Curve::raw;
    color.tag = image.color.tag;
    color.primaries = image.color.primaries;
    choice.decisions.push_back("colour is written as a stage encoded it");
    warn_of_unsaid_curve(codec, color, integers, grey, choice);
    return;
  }
  if (integers) {
    if (const auto kept = sayable_encoding(image, can, grey, home)) {
      color = *kept;
      if (color.profile)
        choice.decisions.push_back("the input's ICC profile is kept");
      else if (color.curve != can.integer_encoding.curve || primaries_of(color) != Chromaticities{})
        choice.decisions.push_back("the curve and primaries stay, since the format can store them");
    }
    if (home != nullptr && is_hdr(home->curve) && image.color.tag && !is_hdr(color.curve))
      choice.warnings.push_back(std::string(codec.description) + " cannot say " +
                                (home->curve == Curve::pq ? "PQ" : "HLG") + ": " +
                                (can.integer_encoding.curve == Curve::srgb ? "sRGB" : "light") +
                                " is written, and light above 1 is cut off");
  }
  if (primaries_of(image.color) != Chromaticities{} && primaries_of(color) == Chromaticities{})
    choice.decisions.push_back(
        "colours are converted to Rec.709's primaries, which the format implies");
}

// Raw values are written with the input's description, as far as the format can express it.
void choose_raw_color(const Spec& image, const Codec& codec, bool grey, OutputChoice& choice) {
  ColorEncoding& color = choice.spec.color;
  color = image.color;
  color.curve = Curve::raw;
  if (!color.profile || describes(codec.capabilities, color, grey)) return;
  color.profile.reset();
  choice.warnings.push_back(
      std::string(codec.description) +
      " cannot hold the input's ICC profile; without it the values mean other colours");
}

}  // namespace

std::optional<PixelType> stored_type(PixelType type, const Codec& codec) {
  // A format with only floats keeps its light instead of 8 bits of it.
  for (const PixelType other : substitutes(type))
    if (has(codec, other)) return other;
  return std::nullopt;
}

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
    layer.type =
        choose_type(layer, stored[static_cast<std::size_t>(choice.sources[i])], codec, type);
    layer.stays_premultiplied = false;
    integers = integers || holds_codes(layer.type);
    const std::string halves = halves_of(image.storage, image.layer(choice.sources[i]));
    if (!halves.empty() && !can.layers && !type && layer.type == PixelType::f32)
      choice.notes.push_back(halves + ": half becomes float, as the layer's other channels are");
  }
  const bool grey = !spec.layers.empty() && spec.layers.front().is_color() &&
                    spec.layers.front().channels.front() == "Y";
  if (raw)
    choose_raw_color(image, codec, grey, choice);
  else
    choose_color(image, codec, integers, grey, home, choice);
  if (!can.windows && spec.data_window != spec.display_window) {
    choice.decisions.push_back("the format has no windows: the display window is written");
    spec.data_window = spec.display_window;
  }
  return choice;
}

std::string halves_of(const FileStorage& file, const LayerSpec& layer) {
  std::string names;
  for (int i = 0; i < layer.channel_count(); ++i)
    if (file.type_of(layer, i) != layer.type) add_item(names, layer.full_name(i));
  return names;
}

Spec file_spec(const Spec& planned, const Codec& codec, std::optional<PixelType> type) {
  Spec spec = planned;
  if (type) spec.storage.half_channels.clear();
  if (!codec.capabilities.windows) {
    spec.data_window.x = spec.data_window.y = 0;
    spec.display_window = spec.data_window;
  }
  return spec;
}

}  // namespace cuimg
