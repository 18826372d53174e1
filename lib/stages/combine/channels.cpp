// SPDX-License-Identifier: Apache-2.0
// Channels picked, renamed, reordered and filled.
#include "stages/combine/channels.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "device/on_device.h"
#include "image/cryptomatte.h"
#include "image/dispatch.h"
#include "stages/combine/channel_list.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

struct Channels {
  std::vector<std::string> pick;
};

bool is_color_name(const std::string& full_name) {
  const std::size_t dot = full_name.rfind('.');
  const std::string channel = dot == std::string::npos ? full_name : full_name.substr(dot + 1);
  return channel == "R" || channel == "G" || channel == "B" || channel == "Y" || channel == "A";
}

std::string prefix_of(const std::string& full_name) {
  const std::size_t dot = full_name.rfind('.');
  return dot == std::string::npos ? "" : full_name.substr(0, dot);
}

// The type of each channel of the result: its own. A constant takes that of the closest channel:
// one with its prefix first, then a colour. Colours of one layer with several types become float.
std::vector<PixelType> types_of(const std::vector<ChannelChoice>& choices, const Spec& input) {
  const auto type = [&](const ChannelChoice& c) { return input.layer(c.layer).type; };
  const auto beside = [&](const ChannelChoice& a, const ChannelChoice& b) {
    return prefix_of(a.name) == prefix_of(b.name);
  };
  std::vector<PixelType> types;
  for (const ChannelChoice& choice : choices) {
    if (choice.layer >= 0) {
      types.push_back(type(choice));
      continue;
    }
    PixelType found = input.layers.front().type;
    int best = 0;
    for (const ChannelChoice& other : choices) {
      if (other.layer < 0 || type(other) == PixelType::u32) continue;
      const int closeness =
          1 + (beside(choice, other) ? 2 : 0) + (is_color_name(other.name) ? 1 : 0);
      if (closeness > best) best = closeness, found = type(other);
    }
    types.push_back(best == 0 && found == PixelType::u32 ? PixelType::f32 : found);
  }
  std::vector<PixelType> result = types;
  for (std::size_t i = 0; i < choices.size(); ++i)
    for (std::size_t j = 0; j < choices.size(); ++j)
      if (is_color_name(choices[i].name) && is_color_name(choices[j].name) &&
          beside(choices[i], choices[j]) && types[i] != types[j] && types[i] != PixelType::u32 &&
          types[j] != PixelType::u32)
        result[i] = PixelType::f32;
  return result;
}

// Channels of the input, by the names that they have in the result.
std::set<std::string> renamed(const std::set<std::string>& names,
                              const std::vector<ChannelChoice>& choices, const Spec& input) {
  std::set<std::string> result;
  for (const ChannelChoice& choice : choices)
    if (choice.layer >= 0 && names.contains(input.layer(choice.layer).full_name(choice.channel)))
      result.insert(choice.name);
  return result;
}

Widening widening(PixelType from, PixelType to) {
  if (from == to) return Widening::none;
  return from == PixelType::half ? Widening::half
         : from == PixelType::u8 ? Widening::unorm8
                                 : Widening::unorm16;
}

// A constant as the layer stores it. Colours are light, unless values are raw.
std::uint32_t stored_constant(float value, const Spec& spec, const LayerSpec& layer, int channel,
                              bool raw) {
  if (layer.type == PixelType::u32) return float_to_uint32(value);
  Spec encoding;
  encoding.color = spec.color;
  encoding.color.premultiplied = true;  // alpha divides nothing here
  std::array<float, 4> light{};
  const auto c = static_cast<std::size_t>(channel);
  light[c] = value;
  alignas(16) std::array<std::byte, 64> row{};  // rows may be written in vectors
  store_light(encoding, layer, raw, light.data(), row.data());
  std::uint32_t bits = 0;
  std::memcpy(&bits, row.data() + c * bytes_of(layer.type), bytes_of(layer.type));
  return bits;
}

std::unique_ptr<Operation> picked(const Channels& p, const Spec& before,
                                  const StageContext& context) {
  const std::vector<Values> values = layers_in_file(before, context);
  const Spec input = working_spec(before, values, context);
  const std::vector<ChannelChoice> choices = choose_channels(p.pick, input);
  std::vector<std::string> names;
  for (const ChannelChoice& choice : choices) names.push_back(choice.name);
  OperationPlan plan;
  plan.output = input;
  plan.output.layers = group_channels(names, types_of(choices, input));
  FileStorage& storage = plan.output.storage;
  storage.red_names.clear();  // the names are those that are asked for
  storage.half_channels = renamed(input.storage.half_channels, choices, input);
  storage.linear_channels = renamed(input.storage.linear_channels, choices, input);
  mark_mattes(input.metadata, plan.output.layers);
  keep_true_views(choices, input, plan.output.metadata);
  plan.cost_ns = 2;
  std::vector<ChannelPick> picks;  // of each layer
  for (const LayerSpec& layer : plan.output.layers) {
    LayerPlan& made = plan.layers.emplace_back();
    std::vector<int>& sources = made.sources;
    ChannelPick& pick = picks.emplace_back();
    for (int c = 0; c < layer.channel_count(); ++c) {
      const auto choice = std::ranges::find(choices, layer.full_name(c), &ChannelChoice::name);
      PickedChannel& channel = pick[static_cast<std::size_t>(c)];
      if (choice->layer < 0) {
        channel.constant = stored_constant(choice->constant, input, layer, c, context.raw);
        continue;
      }
      auto known = std::ranges::find(sources, choice->layer);
      if (known == sources.end()) known = sources.insert(known, choice->layer);
      made.values = values[static_cast<std::size_t>(choice->layer)];
      channel.source = static_cast<std::int8_t>(known - sources.begin());
      channel.channel = static_cast<std::int8_t>(choice->channel);
      channel.widening = widening(input.layer(choice->layer).type, layer.type);
    }
  }
  return make_operation(
      std::move(plan), [](const Rect& region) { return region; },
      [picks = std::move(picks)](const Queue& queue, int layer, Frames sources,
                                 const Frame& target) {
        on_device<pick_on_cpu, pick_on_cuda>(queue, picks[static_cast<std::size_t>(layer)], sources,
                                             target);
      });
}

template <class From, class To>
void copy_channel(const PickedChannel& picked, const Frame& source, const Frame& target,
                  int channel) {
  const Rect& t = target.region();
  const int from_step = source.format().channels, to_step = target.format().channels;
  for (int y = t.y; y < t.bottom(); ++y) {
    const From* from = source.pixel_as<From>(t.x, y) + picked.channel;
    To* to = target.pixel_as<To>(t.x, y) + channel;
    for (std::ptrdiff_t x = 0; x < t.width; ++x)
      if constexpr (std::is_same_v<From, To>)
        to[x * to_step] = from[x * from_step];
      else
        to[x * to_step] = widened(picked.widening, from[x * from_step]);
  }
}

template <class To>
void fill_channel(std::uint32_t bits, const Frame& target, int channel) {
  const Rect& t = target.region();
  const int step = target.format().channels;
  for (int y = t.y; y < t.bottom(); ++y) {
    To* to = target.pixel_as<To>(t.x, y) + channel;
    for (int x = 0; x < t.width; ++x) to[std::ptrdiff_t{x} * step] = static_cast<To>(bits);
  }
}

template <class To>
void pick_channel(const PickedChannel& picked, Frames sources, const Frame& target, int channel) {
  if (picked.source == PickedChannel::nowhere)
    return fill_channel<To>(picked.constant, target, channel);
  const Frame& source = sources[static_cast<std::size_t>(picked.source)];
  if (picked.widening == Widening::none)
    return copy_channel<To, To>(picked, source, target, channel);
  if (picked.widening == Widening::unorm8)
    return copy_channel<std::uint8_t, To>(picked, source, target, channel);
  copy_channel<std::uint16_t, To>(picked, source, target, channel);
}

}  // namespace

void pick_on_cpu(const ChannelPick& pick, Frames sources, const Frame& target) {
  for (int c = 0; c < target.format().channels; ++c)
    with_word_type(target.format().type, [&](auto word) {
      pick_channel<typename decltype(word)::type>(pick[static_cast<std::size_t>(c)], sources,
                                                  target, c);
    });
}

StageDescription channels_stage() {
  return describe<Channels>("channels", "pick, rename, reorder and fill channels", Kind::filter)
      .param("pick", &Channels::pick, "the result's channels, separated by commas",
             placeholder("LIST"))
      .details(
          "Each item of --pick is one of\n\n"
          "NAME, a channel that is kept: R, diffuse.G; or its number, counted from 0 in the order "
          "of cuimg info; R, G and B of a grey picture are its Y;\n\n"
          "NEW=NAME, the same under another name: R=B,G,B=R swaps red and blue, "
          "R=diffuse.R,G=diffuse.G,B=diffuse.B makes a picture of a layer, Y=A one of alpha;\n\n"
          "NEW=NUMBER, a constant, where no channel is called so: A=1;\n\n"
          "LAYER or NEW=LAYER, all channels of a layer, whose name may change; =LAYER leaves the "
          "name out, and beauty=RGBA gives one to a layer that has none.\n\n"
          "This is the list that oiiotool --ch takes. Formats of pictures go by the names, so "
          "B,G,R is the same picture as R,G,B. Values are moved as the input's file has them, in "
          "its encoding, and are not multiplied or divided by an alpha that comes or goes. A "
          "constant takes the type of the channels beside it; for colours it is linear light, "
          "unless --raw. Colours of several types in one layer become float. An EXR's multiView "
          "lists the views that are kept, or is left out where the new names do not say them.")
      .example("cuimg channels --pick R,G,B,A=1 in.exr out.exr")
      .example("cuimg channels --pick R=B,G,B=R in.png swapped.png")
      .check([](const Channels& p) {
        if (p.pick.empty())
          throw Error("channels", "--pick is missing", "name the channels to keep, such as R,G,B");
      })
      .prepare(picked);
}

}  // namespace cuimg
