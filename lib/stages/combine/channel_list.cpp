// SPDX-License-Identifier: Apache-2.0
#include "stages/combine/channel_list.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/number_text.h"
#include "image/color_names.h"
#include "options/parameter.h"

namespace cuimg {
namespace {

std::vector<std::string> names_of(const Spec& spec) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : spec.layers)
    for (int c = 0; c < layer.channel_count(); ++c) names.push_back(layer.full_name(c));
  return names;
}

std::optional<ChannelPlace> channel_numbered(const Spec& spec, const std::string& text) {
  const auto number = number_of<int>(text);
  if (!number || *number < 0) return std::nullopt;
  int left = *number;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const int count = spec.layer(l).channel_count();
    if (left < count) return ChannelPlace{l, left};
    left -= count;
  }
  return std::nullopt;
}

std::string prefixed(const std::string& prefix, const std::string& channel) {
  return prefix.empty() ? channel : prefix + "." + channel;
}

bool has_layer(const Spec& spec, const std::string& label) {
  return std::ranges::find(spec.layers, label, &LayerSpec::label) != spec.layers.end();
}

constexpr std::string_view second_mark = "with:";

// A word of --pick, and the image that it refers to.
struct Named {
  const Spec& image;
  bool is_second;
  std::string name;
};

[[noreturn]] void unknown(const std::string& item, const Named& from) {
  const std::vector<std::string> names = names_of(from.image);
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  // A single letter would be close to every other letter.
  const auto near = from.name.size() < 2 ? std::nullopt : nearest(from.name, names);
  const std::string problem = "--pick " + (item.empty() ? "''" : item) + ": the " +
                              (from.is_second ? "second image" : "image") + " has no channel " +
                              (from.name.empty() ? "''" : from.name);
  if (!from.is_second && from.name.starts_with(second_mark))
    throw Error("channels", problem, "name the second image by --with");
  throw Error("channels", problem,
              (near ? "did you mean " + *near + "? It has " : "it has ") + all);
}

[[noreturn]] void named_twice(const std::string& name) {
  throw Error("channels", "--pick names " + name + " twice", "every channel is made once");
}

// The channel of that name, in the image or in its file.
std::optional<ChannelPlace> channel_called(const Spec& image, const std::string& name) {
  const auto place = image.find_channel(name);
  return place ? place : image.find_channel(name_in_image(image.storage, name));
}

class Chooser {
 public:
  Chooser(const Spec& spec, const Spec* second) : spec_(spec), second_(second) {}

  void add(const std::string& item) {
    // A name that contains = takes precedence over an assignment.
    const Named whole = named(item);
    const std::size_t equals =
        channel_called(whole.image, whole.name) ? std::string::npos : item.find('=');
    if (equals == std::string::npos) {
      const FileStorage& file = whole.image.storage;
      const auto keep = [&](const std::string& name, const ChannelPlace& place) {
        const std::string in_image = name_in_image(file, name);
        note(in_image);
        add(name, whole, place, name_in_file(file, in_image));
      };
      if (const auto place = place_of(whole)) return keep(whole.name, *place);
      if (add_layer(whole)) return;
      if (const auto place = channel_numbered(whole.image, whole.name))
        return keep(whole.image.layer(place->layer).full_name(place->channel), *place);
      unknown(item, whole);
    }
    const std::string name = item.substr(0, equals), text = item.substr(equals + 1);
    const Named from = named(text);
    if (add_layer(from, &name)) return;
    if (name.empty())
      throw Error("channels", "--pick " + item + " names nothing",
                  "write NEW=" + (text.empty() ? "NAME" : text));
    note(name);
    if (const auto place = place_of(from)) return add(name, from, *place, name);
    if (const auto number = number_of<float>(text); number && *number == *number)
      return choices_.push_back({name, -1, 0, *number, false, name});
    // Without the prefix a number is a constant.
    if (const auto place = from.is_second ? channel_numbered(from.image, from.name) : std::nullopt)
      return add(name, from, *place, name);
    unknown(item, from);
  }

  std::vector<ChannelChoice> take() { return std::move(choices_); }

 private:
  // The input's own names take precedence over the second image's.
  Named named(const std::string& word) const {
    if (second_ == nullptr || !word.starts_with(second_mark) || channel_called(spec_, word) ||
        has_layer(spec_, word))
      return {spec_, false, word};
    return {*second_, true, word.substr(second_mark.size())};
  }

  // R, G and B of a grey picture all mean its Y, since a folder may hold both grey and coloured
  // pictures.
  static std::optional<ChannelPlace> place_of(const Named& from) {
    constexpr std::array<std::string_view, 3> colors = {"R", "G", "B"};
    if (const auto place = channel_called(from.image, from.name)) return place;
    const bool has_colors = std::ranges::any_of(colors, [&](std::string_view color) {
      return from.image.find_channel(std::string(color)).has_value();
    });
    if (has_colors || std::ranges::find(colors, from.name) == colors.end()) return std::nullopt;
    const auto y = from.image.find_channel("Y");
    const bool is_grey = y && from.image.layer(y->layer).channel_index("X") < 0;  // not found
    return is_grey ? y : std::nullopt;
  }

  void note(const std::string& name) {
    if (!names_.insert(name).second) named_twice(name);
  }

  void add(const std::string& name, const Named& from, const ChannelPlace& place,
           const std::string& spelled) {
    choices_.push_back({name, place.layer, place.channel, 0, from.is_second, spelled});
  }

  // Adds all channels of the layers with that prefix or label, with a new prefix if given. Names of
  // channels take precedence.
  bool add_layer(const Named& from, const std::string* new_prefix = nullptr) {
    if (from.name.empty() || channel_called(from.image, from.name)) return false;
    bool any = false;
    for (int l = 0; l < from.image.layer_count(); ++l) {
      const LayerSpec& layer = from.image.layer(l);
      if (layer.label() != from.name) continue;
      any = true;
      const std::string& prefix = new_prefix != nullptr ? *new_prefix : layer.name;
      for (int c = 0; c < layer.channel_count(); ++c) {
        const std::string name = prefixed(prefix, layer.channels[static_cast<std::size_t>(c)]);
        const SplitName in_file(name_in_file(from.image.storage, layer.full_name(c)));
        note(name);
        add(name, from, {l, c}, prefixed(prefix, in_file.word));
      }
    }
    return any;
  }

  const Spec& spec_;
  const Spec* second_;
  std::vector<ChannelChoice> choices_;
  std::set<std::string> names_;
};

// The words that files have for colours instead of the letters.
std::vector<ColorWords> words_in_use(const Spec& spec, const Spec* second) {
  std::vector<ColorWords> words;
  for (const Spec* const image : {&spec, second})
    for (const ColorWords& spelling : color_spellings())
      if (image != nullptr && std::ranges::any_of(image->storage.red_names, [&](const auto& name) {
            return SplitName(name).word == spelling.front();
          }))
        words.push_back(spelling);
  return words;
}

// Whether a layer has red, green and blue in these words. Readers take no fewer for colours, except
// letters.
bool are_colors_in(const ColorWords& words, const std::vector<ChannelChoice*>& layer) {
  const auto has = [&](std::string_view word) {
    return std::ranges::any_of(layer, [&](const ChannelChoice* choice) {
      return SplitName(choice->spelled).word == word;
    });
  };
  return std::all_of(words.begin(), words.begin() + 3, has) &&
         std::none_of(color_letters.begin(), color_letters.begin() + 3, has);
}

using Views = std::vector<std::string>;

// Follows OpenEXR's ImfMultiView.h: names without a layer belong to the first view, others to the
// view that is named like the last layer in their name; empty: they belong to no view.
std::string view_of(const std::string& channel, const Views& views) {
  const std::size_t end = channel.rfind('.');
  if (end == std::string::npos) return views.front();
  const std::size_t dot = end == 0 ? std::string::npos : channel.rfind('.', end - 1);
  const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
  const std::string layer = channel.substr(begin, end - begin);
  return std::ranges::find(views, layer) == views.end() ? "" : layer;
}

}  // namespace

std::vector<ChannelChoice> choose_channels(const std::vector<std::string>& items, const Spec& spec,
                                           const Spec* second) {
  Chooser chooser(spec, second);
  for (const std::string& item : items) chooser.add(item);
  return chooser.take();
}

std::set<std::string> spell_as_in_files(std::vector<ChannelChoice>& choices, const Spec& spec,
                                        const Spec* second) {
  std::map<std::string, std::vector<ChannelChoice*>> layers;
  for (ChannelChoice& choice : choices) layers[SplitName(choice.spelled).layer].push_back(&choice);
  std::set<std::string> red_names, names;
  for (const ColorWords& words : words_in_use(spec, second))
    for (const auto& [layer, members] : layers) {
      if (!are_colors_in(words, members)) continue;
      for (ChannelChoice* const choice : members)
        choice->name = respelled(SplitName(choice->spelled), words, color_letters);
      red_names.insert(layer + std::string(words.front()));
    }
  for (const ChannelChoice& choice : choices)
    if (!names.insert(choice.name).second) named_twice(choice.spelled);
  return red_names;
}

void keep_true_views(const std::vector<ChannelChoice>& choices, const Spec& input,
                     Metadata& metadata) {
  constexpr const char* key = "multiView";
  const Views* const before = find_entry<Views>(metadata, key);
  if (before == nullptr || before->empty()) return;
  struct Shown {
    std::string name, view;
  };
  std::vector<Shown> channels;
  std::string first = before->front();
  for (const ChannelChoice& choice : choices) {
    if (choice.layer < 0) continue;  // constants belong to every view
    if (choice.from_second) {
      channels.push_back({choice.name, ""});
      continue;
    }
    const std::string source = input.layer(choice.layer).full_name(choice.channel);
    channels.push_back({choice.name, view_of(source, *before)});
    if (choice.name.find('.') == std::string::npos) first = channels.back().view;
  }
  Views after = {first};
  for (const std::string& view : *before)
    if (view != first && std::ranges::find(channels, view, &Shown::view) != channels.end())
      after.push_back(view);
  const bool is_true = std::ranges::all_of(
      channels, [&](const Shown& channel) { return view_of(channel.name, after) == channel.view; });
  if (is_true && !first.empty())
    metadata[key] = std::move(after);
  else
    metadata.erase(key);
}

}  // namespace cuimg
