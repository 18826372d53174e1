// SPDX-License-Identifier: Apache-2.0
// channels: picks, renames, reorders and fills channels.
#include "stages/combine/channels.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "device/on_device.h"
#include "image/cryptomatte.h"
#include "image/dispatch.h"
#include "stages/combine/append.h"
#include "stages/combine/channel_list.h"
#include "stages/combine/second_options.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

struct Channels : SecondOptions {
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

bool is_alpha_name(const std::string& full_name) {
  return full_name.substr(full_name.rfind('.') + 1) == "A";
}

// The type of each channel of the result is its own. A constant takes the type of the closest
// channel: preferably one with its prefix, then a colour. Colours of one layer that have several
// types become float.
// @param first the type of the input's first layer. @param type (const ChannelChoice&) ->
// PixelType, for channels that are not constants.
template <class TypeOf>
std::vector<PixelType> types_of(const std::vector<ChannelChoice>& choices, PixelType first,
                                const TypeOf& type) {
  const auto same_prefix = [&](const ChannelChoice& a, const ChannelChoice& b) {
    return prefix_of(a.name) == prefix_of(b.name);
  };
  std::vector<PixelType> types;
  for (const ChannelChoice& choice : choices) {
    if (choice.layer >= 0) {
      types.push_back(type(choice));
      continue;
    }
    PixelType found = first;
    int best = 0;
    for (const ChannelChoice& other : choices) {
      if (other.layer < 0 || type(other) == PixelType::u32) continue;
      const int closeness =
          1 + (same_prefix(choice, other) ? 2 : 0) + (is_color_name(other.name) ? 1 : 0);
      if (closeness > best) best = closeness, found = type(other);
    }
    types.push_back(best == 0 && found == PixelType::u32 ? PixelType::f32 : found);
  }
  std::vector<PixelType> result = types;
  for (std::size_t i = 0; i < choices.size(); ++i)
    for (std::size_t j = 0; j < choices.size(); ++j)
      if (is_color_name(choices[i].name) && is_color_name(choices[j].name) &&
          same_prefix(choices[i], choices[j]) && types[i] != types[j] &&
          types[i] != PixelType::u32 && types[j] != PixelType::u32)
        result[i] = PixelType::f32;
  return result;
}

// The names in the result of the given channels of the input.
std::set<std::string> renamed(const std::set<std::string>& names,
                              const std::vector<ChannelChoice>& choices, const Spec& input) {
  std::set<std::string> result;
  for (const ChannelChoice& choice : choices)
    if (choice.layer >= 0 && !choice.from_second &&
        names.contains(input.layer(choice.layer).full_name(choice.channel)))
      result.insert(choice.name);
  return result;
}

Widening widening(PixelType from, PixelType to) {
  if (from == to) return Widening::none;
  return from == PixelType::half ? Widening::half
         : from == PixelType::u8 ? Widening::unorm8
                                 : Widening::unorm16;
}

// A constant as the layer stores it. Constants of colours are light, unless values are raw.
std::uint32_t stored_constant(float value, const Spec& spec, const LayerSpec& layer, int channel,
                              bool raw) {
  if (layer.type == PixelType::u32) return float_to_uint32(value);
  Spec encoding;
  encoding.color = spec.color;
  encoding.color.premultiplied = true;  // nothing is divided by alpha here
  std::array<float, 4> light{};
  const auto c = static_cast<std::size_t>(channel);
  light[c] = value;
  alignas(16) std::array<std::byte, 64> row{};  // rows may be written in vectors
  store_light(encoding, layer, raw, light.data(), row.data());
  std::uint32_t bits = 0;
  std::memcpy(&bits, row.data() + c * bytes_of(layer.type), bytes_of(layer.type));
  return bits;
}

// The pixels of a whole region: zero where the frame has none.
Frame covering(const Queue& queue, const Frame& frame, const LayerSpec& layer, const Rect& region) {
  if (frame.region().contains(region)) return frame;
  const Frame made = queue.allocate({region, layer.type, layer.channel_count(), Storage::pitched});
  const Placed placed{region, frame};
  on_device<place_on_cpu, place_on_cuda>(queue, std::span(&placed, 1), StoredTexel{}, made);
  return made;
}

class PickOperation final : public Operation {
 public:
  PickOperation(const Channels& p, const Spec& before, const StageContext& context)
      : input_window_(before.data_window) {
    const std::vector<Values> values = layers_in_file(before, context);
    input_ = working_spec(before, values, context);
    if (!p.with.empty()) second_.emplace(p.with, context);
    const Spec* const second = second_ ? &second_->spec() : nullptr;
    std::vector<ChannelChoice> choices = choose_channels(p.pick, input_, second);
    const std::set<std::string> red_names = spell_as_in_files(choices, input_, second);
    std::vector<std::string> names;
    for (const ChannelChoice& choice : choices) names.push_back(choice.name);
    if (second_) open_views(p, choices, context);
    plan_.output = input_;
    plan_.output.layers = group_channels(
        names, types_of(choices, input_.layers.front().type,
                        [&](const auto& choice) { return source_layer(choice).type; }));
    FileStorage& storage = plan_.output.storage;
    storage.red_names = red_names;
    storage.half_channels = renamed(input_.storage.half_channels, choices, input_);
    storage.linear_channels = renamed(input_.storage.linear_channels, choices, input_);
    keep_true_views(choices, input_, plan_.output.metadata);
    if (second_) grow(p, choices);
    mark_mattes(plan_.output.metadata, plan_.output.layers);
    plan_.cost_ns = second_ ? 4 : 2;
    for (const LayerSpec& layer : plan_.output.layers) add_layer(layer, choices, values, context);
  }

  Rect needed(const Rect& region) const override { return intersection(region, input_window_); }

  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const Way& way = ways_[static_cast<std::size_t>(layer)];
    const std::vector<int>& inputs = plan_.layer(layer).sources;
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      frames.push_back(covering(queue, sources[i], input_.layer(inputs[i]), target.region()));
    for (const SecondLayer& from : way.seconds) {
      const SecondImage::View& view = from.is_converted ? *converted_ : *stored_;
      const Frame found = view.frame(queue, from.layer, moved(target.region(), -dx_, -dy_));
      const Rect& r = found.region();
      frames.push_back(
          covering(queue, found.moved_to(r.x + dx_, r.y + dy_), layer_of(from), target.region()));
    }
    on_device<pick_on_cpu, pick_on_cuda>(queue, way.pick, frames, target);
  }

 private:
  // A layer of the second image, and whether its colours are encoded as in the picture's file.
  struct SecondLayer {
    int layer;
    bool is_converted;
    friend bool operator==(const SecondLayer&, const SecondLayer&) = default;
  };
  // How a layer is made: its channels come from the plan's sources, then from these.
  struct Way {
    ChannelPick pick;
    std::vector<SecondLayer> seconds;
  };

  // Colours that become colours are converted to the picture's encoding if theirs differs.
  SecondLayer second_layer(const ChannelChoice& choice) const {
    const LayerSpec& layer = second_->spec().layer(choice.layer);
    const bool is_color = !layer.holds_ids() && layer.is_color() &&
                          choice.channel != layer.alpha_index() && is_color_name(choice.name) &&
                          !is_alpha_name(choice.name);
    return {choice.layer, converts_ && is_color};
  }

  LayerSpec layer_of(const SecondLayer& from) const {
    LayerSpec layer = second_->spec().layer(from.layer);
    if (from.is_converted) layer.type = PixelType::f32;
    return layer;
  }

  LayerSpec source_layer(const ChannelChoice& choice) const {
    return choice.from_second ? layer_of(second_layer(choice)) : input_.layer(choice.layer);
  }

  void open_views(const Channels& p, const std::vector<ChannelChoice>& choices,
                  const StageContext& context) {
    if (std::ranges::none_of(choices, &ChannelChoice::from_second))
      throw Error("channels",
                  "--with " + p.with + " is given, and --pick takes none of its channels",
                  "write with:NAME or NEW=with:NAME");
    const ColorEncoding& color = input_.color;
    // If a stage has encoded the picture's values, a file's values count as encoded in the same
    // way.
    converts_ = !context.raw && color.curve != Curve::raw && second_->spec().color != color;
    stored_ = second_->own_view({}, context.raw);
    if (converts_) converted_ = second_->own_view(color, context.raw);
    const bool any = std::ranges::any_of(choices, [&](const ChannelChoice& choice) {
      return choice.from_second && second_layer(choice).is_converted;
    });
    plan_.explanation.push_back(
        any ? "--with: colours are converted to the encoding of the picture's file"
            : "--with: values are used as the file stores them");
  }

  // Enlarges the result to pixels that only the second image has, within the picture's frame.
  void grow(const Channels& p, const std::vector<ChannelChoice>& choices) {
    CombineRules rules;
    p.place_second("channels", input_, *second_, rules);
    if (!rules.is_placed) check_place("channels", input_.display_window, second_->spec());
    dx_ = rules.shift_x, dy_ = rules.shift_y;
    const Rect frame = bounding(input_.display_window, input_window_);
    plan_.output.data_window =
        bounding(input_window_, intersection(moved(second_->spec().data_window, dx_, dy_), frame));
    // Ids keep the names that the second image has for them.
    const bool has_mattes = std::ranges::any_of(choices, [&](const ChannelChoice& choice) {
      return choice.from_second && second_->spec().layer(choice.layer).is_matte;
    });
    for (const auto& [key, value] : second_->spec().metadata)
      if (has_mattes && key.starts_with("cryptomatte/")) plan_.output.metadata.emplace(key, value);
  }

  void add_layer(const LayerSpec& layer, const std::vector<ChannelChoice>& choices,
                 const std::vector<Values>& values, const StageContext& context) {
    LayerPlan& made = plan_.layers.emplace_back();
    Way& way = ways_.emplace_back();
    const auto place_in = [](auto& list, const auto& item) {
      auto known = std::ranges::find(list, item);
      if (known == list.end()) known = list.insert(known, item);
      return static_cast<std::int8_t>(known - list.begin());
    };
    for (const bool of_second : {false, true}) {
      for (int c = 0; c < layer.channel_count(); ++c) {
        const auto choice = std::ranges::find(choices, layer.full_name(c), &ChannelChoice::name);
        PickedChannel& channel = way.pick[static_cast<std::size_t>(c)];
        if (choice->from_second != of_second) continue;
        if (choice->layer < 0) {
          channel.constant = stored_constant(choice->constant, input_, layer, c, context.raw);
          continue;
        }
        if (of_second) {
          const auto before = static_cast<std::int8_t>(made.sources.size());
          channel.source =
              static_cast<std::int8_t>(before + place_in(way.seconds, second_layer(*choice)));
        } else {
          channel.source = place_in(made.sources, choice->layer);
          made.values = values[static_cast<std::size_t>(choice->layer)];
        }
        channel.channel = static_cast<std::int8_t>(choice->channel);
        channel.widening = widening(source_layer(*choice).type, layer.type);
      }
    }
    if (made.sources.empty() && !way.seconds.empty())
      made.stored_type = second_->spec().layer(way.seconds.front().layer).type;
  }

  Rect input_window_;
  Spec input_;
  std::optional<SecondImage> second_;
  std::optional<SecondImage::View> stored_, converted_;
  bool converts_ = false;
  int dx_ = 0, dy_ = 0;  // from the second image's position to the picture's
  std::vector<Way> ways_;
};

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
  return describe_second(
             describe<Channels>("channels", "pick, rename, reorder and fill channels", Kind::filter)
                 .param("pick", &Channels::pick, "the result's channels, separated by commas",
                        placeholder("LIST")),
             "a second image; --pick calls its channels with:NAME")
      .details(
          "Each item of --pick is one of\n\nNAME, a channel that is kept: R, diffuse.G; or its "
          "number, counted from 0 in the order of cuimg info; R, G and B of a grey picture are its "
          "Y; r or red is R in a file that says so, and is written again, unless NEW=NAME makes a "
          "new R, G or B in that layer;\n\nNEW=NAME, the same under another name: R=B,G,B=R swaps "
          "red and blue, R=diffuse.R,G=diffuse.G,B=diffuse.B makes a picture from a layer, Y=A "
          "makes one from alpha;\n\nNEW=NUMBER, a constant, if no channel has that name: "
          "A=1;\n\nLAYER or NEW=LAYER, all channels of a layer, whose name may change; =LAYER "
          "leaves the name out, and beauty=RGBA gives one to a layer that has none;\n\nwith:NAME, "
          "with:LAYER, NEW=with:NAME or NEW=with:LAYER, channels of the image that --with names: "
          "A=with:Y takes alpha from it. For a third image chain another channels stage.\n\nThe "
          "list is that of oiiotool --ch, extended by with:. Picture formats go by the names, so "
          "B,G,R is the same picture as R,G,B. Values are copied as the input's file holds them, "
          "in its encoding, and are not multiplied or divided by an alpha that is added or removed "
          "(premult does that). A constant gets the type of the channels next to it; for colours "
          "it is linear light, unless --raw is given. Colours of several types in one layer become "
          "float. An EXR's multiView then lists the views that are kept; it is left out if the new "
          "names do not name them.\n\nThe second image's values, such as coverage, are copied as "
          "its file stores them. Only its colours that become colours (R, G, B, Y) of a picture "
          "with another encoding are converted, so that they look the same; with --raw they are "
          "copied too. Without --gravity and --at, a second image of another size must have "
          "windows that say where it lies. Where one of the two images has no pixels, its channels "
          "are 0.")
      .example("cuimg channels --pick R,G,B,A=1 in.exr out.exr")
      .example("cuimg channels --pick R=B,G,B=R in.png swapped.png")
      .example("cuimg channels --with a.png --pick R,G,B,A=with:Y + premult in.exr out.exr")
      .example("cuimg channels --with rough.png --pick R=Y,G=with:Y occlusion.png two.png")
      .example("cuimg channels --with metal.png --pick R,G,B=with:Y two.png packed.png")
      .check([](const Channels& p) {
        if (p.pick.empty())
          throw Error("channels", "--pick is missing", "name the channels to keep, such as R,G,B");
        p.check_optional("channels");
      })
      .prepare([](const Channels& p, const Spec& input, const StageContext& context) {
        return std::make_unique<PickOperation>(p, input, context);
      });
}

}  // namespace cuimg
