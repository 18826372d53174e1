// SPDX-License-Identifier: Apache-2.0
// Names and groups channels.
#include "image/spec.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace cuimg {
namespace {

// Channels that belong together, in stored order.
constexpr std::array<std::string_view, 10> canonical_order = {"R", "G", "B", "X", "Y",
                                                              "U", "V", "Z", "W", "A"};

std::size_t canonical_rank(const std::string& channel) {
  const auto found = std::ranges::find(canonical_order, channel);
  return static_cast<std::size_t>(found - canonical_order.begin());
}

// The parts of a channel's full name: "V.UV" and "U".
struct NamedChannel {
  std::string prefix, channel;

  explicit NamedChannel(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    prefix = dot == std::string::npos ? "" : name.substr(0, dot);
    channel = dot == std::string::npos ? name : name.substr(dot + 1);
  }
};

// A word without a dot, which renderers use for a single number per pixel: "AO" and "mask" have
// nothing in common. Single letters such as X and Y may belong together.
bool is_layer_by_itself(const NamedChannel& n) { return n.prefix.empty() && n.channel.size() > 1; }

// `luminance` is a Y next to R, G or B.
enum class ChannelKind : std::uint8_t { color, luminance, other };

// The channels in a file, of which there may be tens of thousands.
class ChannelSet {
 public:
  explicit ChannelSet(const std::vector<std::string>& names) : names_(names.begin(), names.end()) {}

  /// Y is a coordinate if there is an X, and a layer of its own if there are R, G or B; A belongs
  /// to colours if its prefix has any.
  ChannelKind kind_of(const NamedChannel& n) const {
    const bool has_rgb = has(n.prefix, "R") || has(n.prefix, "G") || has(n.prefix, "B");
    const bool has_grey = has(n.prefix, "Y") && !has(n.prefix, "X");
    if (n.channel == "Y" && has_grey) return has_rgb ? ChannelKind::luminance : ChannelKind::color;
    const bool is_color = n.channel == "R" || n.channel == "G" || n.channel == "B" ||
                          (n.channel == "A" && (has_rgb || has_grey));
    return is_color ? ChannelKind::color : ChannelKind::other;
  }

 private:
  bool has(const std::string& prefix, const char* channel) const {
    return names_.contains(prefix.empty() ? channel : prefix + "." + channel);
  }
  const std::unordered_set<std::string> names_;
};

}  // namespace

bool LayerSpec::is_color() const {
  // If there is an X, Y is a coordinate.
  if (holds_ids() || channel_index("X") >= 0) return false;
  return std::ranges::any_of(
      channels, [](const std::string& c) { return c == "R" || c == "G" || c == "B" || c == "Y"; });
}

bool LayerSpec::holds_depth() const {
  if (channel_index("X") >= 0 || channel_index("Y") >= 0) return false;
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
  // Colour and its alpha are stored together; depth, ids and similar data are not in their layer.
  struct Named : NamedChannel {
    ChannelKind kind;
    PixelType type;
    bool is_color() const { return kind == ChannelKind::color; }
  };
  const ChannelSet all(names);
  std::vector<Named> named;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NamedChannel parts(names[i]);
    named.push_back({parts, all.kind_of(parts), types[i]});
  }
  // The alpha of other values joins them if there is room. (Clang 14 rejects the ranges:: form.)
  std::stable_partition(named.begin(), named.end(),
                        [](const Named& n) { return n.is_color() || n.channel != "A"; });
  std::unordered_set<std::string> of_floats;  // the prefixes of colours
  for (const Named& n : named)
    if (n.is_color() && n.type == PixelType::f32) of_floats.insert(n.prefix);

  std::vector<LayerSpec> layers;
  std::map<std::tuple<std::string, PixelType, ChannelKind>, std::size_t> last;  // for each kind
  for (const Named& n : named) {
    const bool joins_floats =
        n.is_color() && n.type == PixelType::half && of_floats.contains(n.prefix);
    const PixelType type = joins_floats ? PixelType::f32 : n.type;
    if (is_layer_by_itself(n)) {
      layers.push_back({"", {n.channel}, type});
      continue;
    }
    const auto [home, is_first] = last.try_emplace({n.prefix, type, n.kind}, layers.size());
    if (is_first || layers[home->second].channels.size() == 4) {
      home->second = layers.size();
      layers.push_back({n.prefix, {}, type});
    }
    layers[home->second].channels.push_back(n.channel);
  }
  for (LayerSpec& layer : layers)
    std::ranges::stable_sort(layer.channels, [](const std::string& a, const std::string& b) {
      return canonical_rank(a) < canonical_rank(b);
    });
  return layers;
}

}  // namespace cuimg
