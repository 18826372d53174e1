// SPDX-License-Identifier: Apache-2.0
// The description of remap, and the image of coordinates that it reads.
#include "stages/warp/remap.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/mapped_pages.h"
#include "device/on_device.h"
#include "image/row_convert.h"
#include "stages/description.h"
#include "stages/pass/border_color.h"
#include "stages/pass/conversion.h"
#include "stages/resample/texture_view.h"
#include "stages/shared_image.h"
#include "stages/warp/mip_levels.h"

namespace cuimg {
namespace {

struct Channel {
  int layer, index;
};

// Channels 0 and 1 by their usual names, otherwise the first two channels.
std::array<Channel, 2> coordinate_channels(const Spec& spec, const std::string& path) {
  std::vector<std::pair<std::string, Channel>> channels;
  for (int l = 0; l < spec.layer_count(); ++l)
    for (int c = 0; c < spec.layer(l).channel_count(); ++c)
      channels.push_back({spec.layer(l).channels[static_cast<std::size_t>(c)], {l, c}});
  const auto named = [&](std::string_view name) {
    return std::ranges::find_if(channels,
                                [&](const auto& channel) { return channel.first == name; });
  };
  constexpr std::pair<std::string_view, std::string_view> pairs[] = {
      {"R", "G"}, {"r", "g"}, {"red", "green"}, {"Red", "Green"}, {"RED", "GREEN"},
      {"X", "Y"}, {"x", "y"}, {"U", "V"},       {"u", "v"}};
  for (const auto& [x, y] : pairs) {
    const auto first = named(x), second = named(y);
    if (first != channels.end() && second != channels.end()) return {first->second, second->second};
  }
  if (channels.size() < 2)
    throw Error("remap", "--map " + path + " has one channel", "x and y need two");
  return {channels[0].second, channels[1].second};
}

// @param is_upward the second coordinate counts from the lower edge, with 1 at the upper edge.
Image map_image(const Image& file, const std::array<Channel, 2>& channels, bool is_upward) {
  const Spec& spec = file.spec();
  Image map(map_spec(spec.data_window, spec.display_window));
  std::vector<float> row;
  const auto width = static_cast<std::size_t>(spec.data_window.width);
  for (int y = spec.data_window.y; y < spec.data_window.bottom(); ++y) {
    keep_mapped_pages_few();
    for (std::size_t k = 0; k < 2; ++k) {
      const LayerSpec& layer = spec.layer(channels[k].layer);
      const auto count = static_cast<std::size_t>(layer.channel_count());
      row.resize(width * count);
      rows_to_working({layer.type, layer.channel_count(), {}}, file.row(channels[k].layer, y),
                      row.data(), width);
      auto* target = reinterpret_cast<float*>(map.row(0, y)) + k;
      for (std::size_t x = 0; x < width; ++x)
        target[2 * x] = row[x * count + static_cast<std::size_t>(channels[k].index)];
      if (k == 1 && is_upward)
        for (std::size_t x = 0; x < width; ++x) target[2 * x] = 1.0f - target[2 * x];
    }
  }
  return map;
}

// Integers in a file are read as 0 to 1, which as pixels would all be the corner of the first
// texel.
void warn_of_codes_as_pixels(const Remap& p, const Spec& map,
                             const std::array<Channel, 2>& channels, const StageContext& context) {
  const PixelType type = map.layer(channels[0].layer).type;
  if (p.coords == Coordinates::pixel && holds_codes(type) && context.decode.warn)
    context.decode.warn("remap: the coordinates in " + p.map +
                        " are integers, read as 0 to 1: did you mean --coords normalized?");
}

std::shared_ptr<const SharedImage> open_map(const Remap& p, const StageContext& context) {
  constexpr bool raw = true;  // coordinates are not colours
  const bool is_upward = p.coords == Coordinates::stmap;
  return SharedImage::open(
      p.map, raw, context,
      {is_upward ? "stmap" : "map", [&](const Spec& file) {
         const std::array<Channel, 2> channels = coordinate_channels(file, p.map);
         warn_of_codes_as_pixels(p, file, channels, context);
         return SharedImage::Extract{
             map_spec(file.data_window, file.display_window),
             [=](const Image& image) { return map_image(image, channels, is_upward); }};
       }});
}

// The border's colour as the file encodes it, in floats.
std::array<float, 4> stored_border(const Color& color, const Spec& input, LayerSpec layer) {
  layer.type = PixelType::f32;
  const StoredTexel texel = stored_color(color, input, layer, false);
  std::array<float, 4> values{};
  std::memcpy(values.data(), texel.data(), sizeof values);
  return values;
}

void read_layer(const Queue& queue, const TextureLookup& read, const Frame& source,
                const SharedImage& map, const Frame& target) {
  const bool has_levels = read.filter == ReadFilter::trilinear;
  const auto on_cpu = [&] {
    const Frame places = Frame::over_image(map.pixels(), 0);
    if (has_levels) return read_levels_on_cpu(queue, read, source, places, target);
    const Rect& all = target.region();
    queue.for_rows(all, 16, [&](int top, int bottom) {
      const Rect rows = rect_from_edges(all.x, top, all.right(), bottom);
      read_texture_on_cpu(read, source, places, target.cropped(rows));
    });
  };
  const auto on_card = [&] {
    // The level depends on the distance between the positions of neighbouring pixels.
    const Frame places =
        map.on_card(queue, 0, has_levels ? grown(target.region(), 1, 1) : target.region());
    if (has_levels) return read_levels_on_cuda(queue, read, source, places, target);
    read_texture_on_cuda(queue, read, source, places, target);
  };
  on_device(queue, on_cpu, on_card);
}

}  // namespace

Spec map_spec(const Rect& data_window, const Rect& display_window) {
  Spec spec;
  spec.data_window = data_window;
  spec.display_window = display_window;
  spec.layers = {{"", {"x", "y"}, PixelType::f32}};
  return spec;
}

std::unique_ptr<Operation> make_remap(const Remap& p, std::shared_ptr<const SharedImage> map,
                                      const Spec& input, bool raw) {
  OperationPlan plan(input);
  Spec& made = plan.output;
  made.data_window = map->spec().data_window;
  made.display_window = map->spec().display_window;
  plan.reads_scattered = true;
  plan.window = input.display_window;
  plan.cost_ns = 50.0 * static_cast<double>(made.layers.size());
  // As light, colours under a zero alpha would be black.
  const bool copies_colors =
      p.filter == ReadFilter::point && std::ranges::any_of(input.layers, [&](const auto& layer) {
        return layer.alpha_index() >= 0 && !is_light_as_stored(input, layer, raw);
      });
  std::vector<TextureLookup> reads;
  std::vector<bool> are_mattes;
  for (std::size_t i = 0; i < made.layers.size(); ++i) {
    LayerSpec& layer = made.layers[i];
    const bool is_id = layer.holds_ids();
    plan.layers[i].takes_nearest_ids = is_id;
    are_mattes.push_back(layer.is_matte);
    ReadFilter filter = is_id ? ReadFilter::point : p.filter;
    if (filter == ReadFilter::cubic && layer.holds_depth()) filter = ReadFilter::linear;
    const bool is_light = is_light_as_stored(input, layer, raw);
    const bool is_copied = is_id || copies_colors;
    reads.push_back(TextureLookup::make(p.coords, filter, p.border,
                                        copies_colors && !is_id && !is_light
                                            ? stored_border(p.border_color, input, layer)
                                            : border_values(p.border_color, input, layer)));
    const bool has_levels = filter == ReadFilter::trilinear;
    if (has_levels) {
      require_mip_sides("the picture", input.display_window.width, input.display_window.height);
      plan.runs_whole = true;  // the levels are made once for all rows
      plan.cost_ns += 150;
      plan.explanation = {"reads through the texture unit's trilinear filter"};
    }
    const bool is_made_linear = !is_copied && (has_levels || !is_light);
    if (is_made_linear) {
      plan.layers[i].values = Values::linear;
      if (layer.is_color()) made.color = mixed_color(input, raw);
    }
    const bool is_float = is_made_linear || layer.type == PixelType::f32;
    plan.layers[i].storage =
        is_float && (filter == ReadFilter::cubic || has_levels) ? Storage::pitched : Storage::array;
    if (!is_id) layer.type = PixelType::f32;
  }
  return make_operation(
      std::move(plan), [texture = input.display_window](const Rect&) { return texture; },
      [map = std::move(map), reads = std::move(reads), are_mattes](
          const Queue& queue, int layer, Frames sources, const Frame& target) {
        const auto i = static_cast<std::size_t>(layer);
        const Frame source = are_mattes[i] ? sources.front().as_words() : sources.front();
        const Frame to = are_mattes[i] ? target.as_words() : target;
        read_layer(queue, reads[i], source, *map, to);
      });
}

TextureLookup TextureLookup::make(Coordinates coords, ReadFilter filter, Border border,
                                  const std::array<float, 4>& border_color) {
  TextureLookup read;
  read.filter = filter;
  for (Address& address : read.sampler.address) address = address_of(border);
  const bool has_levels = filter == ReadFilter::trilinear;
  read.sampler.filter = filter == ReadFilter::linear || has_levels ? Filter::linear : Filter::point;
  read.are_normalized = coords != Coordinates::pixel;
  read.divide_by_size =
      !read.are_normalized && (border == Border::wrap || border == Border::mirror);
  read.sampler.normalized = read.are_normalized || read.divide_by_size || has_levels;
  std::copy(border_color.begin(), border_color.end(), read.sampler.border);
  return read;
}

std::span<const Choice<Coordinates>> choices_of(Coordinates) {
  static constexpr Choice<Coordinates> choices[] = {
      {Coordinates::pixel, "pixel", "texels, pixel centres at halves"},
      {Coordinates::normalized, "normalized", "0 to 1 across the picture, and down it"},
      {Coordinates::stmap, "stmap", "0 to 1 across it, and up it: Nuke's STMap"}};
  return choices;
}

StageDescription remap_stage() {
  return describe<Remap>("remap", "read pixels at the coordinates that another image holds",
                         Kind::filter)
      .ends_environment()
      .param("map", &Remap::map, "image of coordinates: channel 0 is x, channel 1 is y", file())
      .param("coords", &Remap::coords, "units of the coordinates")
      .param("filter", &Remap::filter, "how texels are read")
      .param("border", &Remap::border, "what lies beyond the picture's edge")
      .param("border-color", &Remap::border_color, border_color_help)
      .details(
          "The output has the map's size. Coordinates address the display window; pixel (0, 0) has "
          "its centre at 0.5, 0.5. Reads match the texture unit in every bit: linear rounds a "
          "position to 1/256 texel (cubic does not), a half texture is filtered in half, and with "
          "--raw an 8-bit one in 16 bits. With wrap and mirror, pixel coordinates are divided by "
          "the size first. NaN reads at 0. With --filter point, colours next to an alpha are "
          "copied as they are.\n\n--coords stmap is Nuke's STMap: 0, 0 is the picture's lower left "
          "corner, 1, 1 its upper right one, pixel centres half a pixel inside. It is read like "
          "normalized, with 1 minus its second channel. undistort, distort and other warps make "
          "maps with --make-map.\n\n--filter trilinear is for maps that shrink the picture, where "
          "the other filters skip texels. It reads between two levels of a chain of halved "
          "pictures, each the box mean of the one before. The level depends on how far apart, in "
          "texels, the map's neighbouring coordinates lie (log2 in 1/256): the nearer one of the "
          "two horizontal neighbours and the nearer one of the two vertical ones count, and of "
          "these two distances the longer. A neighbour that is NaN or infinite is ignored. Where "
          "nothing shrinks it is linear, in float. Sides may be up to 32768 pixels long.")
      .example("cuimg remap --map coords.exr --border mirror in.exr out.exr")
      .example("cuimg remap --map stmap.exr --coords stmap --border border in.exr out.exr")
      .check([](const Remap& p) {
        if (p.map.empty()) throw Error("remap", "--map is missing", "name an image of coordinates");
        check_border_color("remap", p.border, p.border_color);
      })
      .prepare([](const Remap& p, const Spec& input, const StageContext& context) {
        return make_remap(p, open_map(p, context), input, context.raw);
      });
}

}  // namespace cuimg
