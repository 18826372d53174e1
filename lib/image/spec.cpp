// SPDX-License-Identifier: Apache-2.0
// Naming and grouping of channels.
#include "image/spec.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cuimg {
namespace {

// Channels that belong together, in stored order.
constexpr std::array<std::string_view, 10> canonical_order = {"R", "G", "B", "X", "Y",
                                                              "U", "V", "Z", "W", "A"};

std::size_t canonical_rank(const std::string& channel) {
  const auto found = std::ranges::find(canonical_order, channel);
  return static_cast<std::size_t>(found - canonical_order.begin());
}

bool is_color_channel(const std::string& channel) {
  return channel == "R" || channel == "G" || channel == "B" || channel == "Y" || channel == "A";
}

}  // namespace

bool LayerSpec::is_color() const {
  // Beside an X, Y is a coordinate.
  if (holds_ids() || channel_index("X") >= 0) return false;
  return std::ranges::any_of(
      channels, [](const std::string& c) { return c == "R" || c == "G" || c == "B" || c == "Y"; });
}

bool LayerSpec::holds_depth() const {
  return channel_index("Z") >= 0 || channel_index("ZBack") >= 0;
}

int LayerSpec::channel_index(std::string_view channel) const {
  const auto found = std::ranges::find(channels, channel);
  return found == channels.end() ? -1 : static_cast<int>(found - channels.begin());
}

int LayerSpec::alpha_index() const { return is_matte ? -1 : channel_index("A"); }

std::string LayerSpec::full_name(int i) const {
  const std::string& channel = channels[static_cast<std::size_t>(i)];
  return name.empty() ? channel : name + "." + channel;
}

std::string LayerSpec::label() const {
  if (!name.empty()) return name;
  std::string label;
  for (const std::string& channel : channels) label += channel;
  return label;
}

PixelType FileStorage::type_of(const LayerSpec& layer, int channel) const {
  const bool is_half =
      layer.type == PixelType::f32 && half_channels.contains(layer.full_name(channel));
  return is_half ? PixelType::half : layer.type;
}

int Spec::first_color() const {
  const auto found = std::ranges::find_if(layers, &LayerSpec::is_color);
  return found == layers.end() ? -1 : static_cast<int>(found - layers.begin());
}

int Spec::shown_layer(const std::vector<bool>& chosen) const {
  const auto first = [&](const auto& fits) {
    for (std::size_t i = 0; i < layers.size(); ++i)
      if ((chosen.empty() || chosen[i]) && fits(layers[i])) return static_cast<int>(i);
    return -1;
  };
  const int unnamed =
      first([](const LayerSpec& layer) { return layer.is_color() && layer.name.empty(); });
  if (unnamed >= 0) return unnamed;
  const int color = first([](const LayerSpec& layer) { return layer.is_color(); });
  if (color >= 0) return color;
  return first([](const LayerSpec& layer) { return !layer.holds_ids(); });
}

std::optional<ChannelPlace> Spec::find_channel(const std::string& full_name) const {
  for (int l = 0; l < layer_count(); ++l)
    for (int c = 0; c < layer(l).channel_count(); ++c)
      if (layer(l).full_name(c) == full_name) return ChannelPlace{l, c};
  return std::nullopt;
}

std::size_t Spec::pixel_bytes() const {
  std::size_t bytes = 0;
  for (const LayerSpec& layer : layers)
    bytes += layer.pixel_bytes() * static_cast<std::size_t>(data_window.pixels());
  return bytes;
}

std::vector<LayerSpec> group_channels(const std::vector<std::string>& names,
                                      const std::vector<PixelType>& types) {
  // Colour and its alpha lie together; depth, ids and the like stay out of their layer. Beside an
  // X, Y is a coordinate.
  struct Named {
    std::string prefix, channel;
    bool color;
    PixelType type;
  };
  std::vector<Named> named;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t dot = names[i].rfind('.');
    const std::string prefix = dot == std::string::npos ? "" : names[i].substr(0, dot);
    const std::string channel = dot == std::string::npos ? names[i] : names[i].substr(dot + 1);
    const std::string x = prefix.empty() ? "X" : prefix + ".X";
    const bool has_x = std::ranges::find(names, x) != names.end();
    const bool color = is_color_channel(channel) && !(has_x && channel == "Y");
    named.push_back({prefix, channel, color, types[i]});
  }
  const auto joins_floats = [&](const Named& n) {
    return n.color && n.type == PixelType::half &&
           std::ranges::any_of(named, [&](const Named& other) {
             return other.color && other.prefix == n.prefix && other.type == PixelType::f32;
           });
  };

  std::vector<LayerSpec> layers;
  std::vector<bool> holds_color;
  for (const Named& n : named) {
    const auto& [prefix, channel, color, own_type] = n;
    const PixelType type = joins_floats(n) ? PixelType::f32 : own_type;
    auto home = std::ranges::find_if(layers, [&](const LayerSpec& layer) {
      return layer.name == n.prefix && layer.type == type && layer.channels.size() < 4 &&
             holds_color[static_cast<std::size_t>(&layer - layers.data())] == n.color;
    });
    if (home == layers.end()) {
      layers.push_back({prefix, {}, type});
      holds_color.push_back(color);
      home = layers.end() - 1;
    }
    home->channels.push_back(channel);
  }
  for (LayerSpec& layer : layers)
    std::ranges::stable_sort(layer.channels, [](const std::string& a, const std::string& b) {
      return canonical_rank(a) < canonical_rank(b);
    });
  return layers;
}

}  // namespace cuimg
