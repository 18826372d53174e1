// SPDX-License-Identifier: Apache-2.0
// `cuimg probe`: prints the texture unit's results at given coordinates. It reads through remap
// with a map of these coordinates, so the values equal those that remap writes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <iostream>

#include "base/error.h"
#include "base/json.h"
#include "base/message_text.h"
#include "commands.h"
#include "options/layer_names.h"
#include "pipeline/difference.h"
#include "pipeline/execute/execute.h"
#include "pipeline/layers.h"
#include "pipeline/plan.h"
#include "stages/pass/border_color.h"
#include "stages/shared_image.h"
#include "stages/warp/remap.h"

namespace cuimg {

// The positions to read. Unlike in a Point they may be NaN or infinite, and each --at adds one.
struct Positions {
  std::vector<std::array<float, 2>> all;
  void gather(Positions&& more) { all.insert(all.end(), more.all.begin(), more.all.end()); }
};

namespace {

constexpr std::string_view blanks = " \t\r";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
}

bool take_number(std::string_view& text, float& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

// @returns nothing unless the text is two numbers separated by a comma or blanks.
std::optional<std::array<float, 2>> read_position(std::string_view text) {
  std::array<float, 2> position{};
  skip_blanks(text);
  if (!take_number(text, position[0])) return std::nullopt;
  const std::size_t before = text.size();
  skip_blanks(text);
  if (text.starts_with(',')) text.remove_prefix(1);
  if (text.size() == before) return std::nullopt;
  skip_blanks(text);
  if (!take_number(text, position[1])) return std::nullopt;
  skip_blanks(text);
  if (!text.empty()) return std::nullopt;
  return position;
}

}  // namespace

// The description finds this function by the type.
void parse_value(const std::string& text, const Range&, Positions& value) {
  const auto position = read_position(text);
  if (!position) throw BadValue{"is not a position", "use X,Y, such as 12.5,7.5"};
  value.all.push_back(*position);
}
std::string format_value(const Positions& value) {
  std::string text;
  for (const auto& [x, y] : value.all) add_item(text, fmt::format("{},{}", x, y), " ");
  return text;
}
TypeName type_name(const Positions&) { return {"point", "X,Y"}; }

namespace {

struct Probe {
  Positions at;
  Coordinates coords = Remap{}.coords;
  ReadFilter filter = Remap{}.filter;
  Border border = Remap{}.border;
  Color border_color = Remap{}.border_color;
};

Positions read_positions() {
  Positions positions;
  std::string line;
  for (int number = 1; std::getline(std::cin, line); ++number) {
    const std::string_view text = std::string_view(line).substr(0, line.find('#'));
    if (text.find_first_not_of(blanks) == std::string_view::npos) continue;
    const auto position = read_position(text);
    if (!position)
      throw Error("probe",
                  fmt::format("standard input: line {}: {} is not a position", number, line),
                  "use X,Y or X Y");
    positions.all.push_back(*position);
  }
  if (positions.all.empty())
    throw Error("probe", "no position", "give --at X,Y, or one pair a line on standard input");
  return positions;
}

// Positions are stored in rows of a map; unused ones read at 0, 0 and are not printed.
constexpr std::size_t row_length = 1024;

std::shared_ptr<const SharedImage> map_of(Positions positions, Coordinates coords) {
  // As remap does for a map that counts from the lower edge.
  if (coords == Coordinates::stmap)
    for (auto& [x, y] : positions.all) y = 1.0f - y;
  const std::size_t count = positions.all.size();
  const std::size_t width = std::min(count, row_length), height = (count + width - 1) / width;
  const Rect window = {0, 0, static_cast<int>(width), static_cast<int>(height)};
  Image map(map_spec(window, window));
  for (std::size_t y = 0; y < height; ++y) {
    std::byte* row = map.row(0, static_cast<int>(y));
    const std::size_t first = y * width, pairs = std::min(width, count - first);
    std::memset(row, 0, map.row_bytes(0));
    std::memcpy(row, positions.all.data() + first, pairs * sizeof positions.all.front());
  }
  return std::make_shared<const SharedImage>(std::move(map));
}

// A few reads are not worth a card's start-up, so auto means the CPU.
Image sampled(const Plan& plan, const CommonOptions& common, const Image& source, int& code) {
  using Kind = DeviceChoice::Kind;
  if (common.device.kind == Kind::cuda)
    return execute(plan, Queue::cuda(common.device.first_card()), source);
  Image result = execute(plan, Queue::cpu(common.threads), source);
  if (common.device.kind != Kind::both) return result;
  const Image other = execute(plan, Queue::cuda(common.device.first_card()), source);
  if (const auto differs = difference(result, other)) {
    std::fputs(("cuimg: probe: " + *differs + "\n").c_str(), stderr);
    code = 1;
  }
  return result;
}

struct Channel {
  int layer, index;
  std::string name;
  PixelType type;
};

// @param wanted layers or channels by name; empty: all.
std::vector<Channel> channels_of(const Spec& spec, const std::vector<std::string>& wanted) {
  std::vector<Channel> channels;
  std::vector<bool> found(wanted.size());
  std::string known;
  for (int l = 0; l < spec.layer_count(); ++l) {
    const LayerSpec& layer = spec.layer(l);
    for (int c = 0; c < layer.channel_count(); ++c) {
      const std::string name = layer.full_name(c);
      add_item(known, name);
      bool take = wanted.empty();
      for (std::size_t i = 0; i < wanted.size(); ++i)
        if (names_layer(wanted[i], layer.label()) || wanted[i] == name) take = found[i] = true;
      if (take) channels.push_back({l, c, name, layer.type});
    }
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!found[i])
      throw Error("probe", "--layers " + wanted[i] + " is not in the image", "it has " + known);
  return channels;
}

// The four bytes of a channel's value: a float, or an id.
std::uint32_t bits_at(const Image& image, const Channel& channel, std::size_t place) {
  const auto width = static_cast<std::size_t>(image.spec().data_window.width);
  const LayerSpec& layer = image.spec().layer(channel.layer);
  const std::byte* pixel = image.row(channel.layer, static_cast<int>(place / width)) +
                           place % width * layer.pixel_bytes();
  std::uint32_t bits = 0;
  std::memcpy(&bits, pixel + sizeof bits * static_cast<std::size_t>(channel.index), sizeof bits);
  return bits;
}

std::string text_of(const Channel& channel, std::uint32_t bits) {
  if (channel.type == PixelType::u32) return std::to_string(bits);
  return fmt::format("{:.9g}", std::bit_cast<float>(bits));
}

void print_text(const Positions& positions, const Image& image,
                const std::vector<Channel>& channels) {
  for (std::size_t i = 0; i < positions.all.size(); ++i) {
    const auto& [x, y] = positions.all[i];
    std::string line = fmt::format("{:.9g} {:.9g}", x, y);
    for (const Channel& channel : channels)
      line += " " + printable(channel.name) + "=" + text_of(channel, bits_at(image, channel, i));
    print(line + "\n");
  }
}

void print_json(const Positions& positions, const Image& image,
                const std::vector<Channel>& channels) {
  for (std::size_t i = 0; i < positions.all.size(); ++i) {
    Json values = Json::object();
    for (const Channel& channel : channels) {
      const std::uint32_t bits = bits_at(image, channel, i);
      // JSON has no NaN and no infinity: they become null, and the bits distinguish them.
      const Json value =
          channel.type == PixelType::u32 ? Json(bits) : Json(std::bit_cast<float>(bits));
      values.set(channel.name,
                 Json::object({{"value", value}, {"bits", fmt::format("0x{:08x}", bits)}}));
    }
    print(
        Json::object({{"x", positions.all[i][0]}, {"y", positions.all[i][1]}, {"channels", values}})
            .line());
  }
}

int run_probe(const void* values, const std::vector<std::string>& files,
              const CommonOptions& common) {
  const auto& probe = *static_cast<const Probe*>(values);
  if (files.size() != 1)
    throw Error("probe", files.empty() ? "no INPUT" : files[1] + " is left over",
                "name one image, or - for a pipe");
  if (files.front() == "-" && probe.at.all.empty())
    throw Error("probe", "standard input cannot be both the image and the positions",
                "give --at X,Y");
  check_border_color("probe", probe.border, probe.border_color);
  const Image source = read_one_part(files.front(), common, "read");
  const Positions positions = probe.at.all.empty() ? read_positions() : probe.at;
  const std::shared_ptr<const SharedImage> map = map_of(positions, probe.coords);
  const StageDescription reads =
      describe<Remap>("probe", "", Kind::sink)
          .prepare([&](const Remap& p, const Spec& input, const StageContext& context) {
            return make_remap(p, map, input, context.raw);
          });
  const Remap remap{"", probe.coords, probe.filter, probe.border, probe.border_color};
  const BoundStage stage = bind(reads, remap);
  const Plan plan = make_plan(source.spec(), {stage}, nullptr, std::nullopt, {}, {common.raw, {}});
  const std::vector<Channel> channels = channels_of(plan.output(), common.layers);
  int code = 0;
  const Image image = sampled(plan, common, source, code);
  (common.json ? print_json : print_text)(positions, image, channels);
  return code;
}

}  // namespace

Command probe_command() {
  const Description description =
      describe<Probe>("probe", "print what the texture unit returns at given coordinates")
          .param("at", &Probe::at,
                 "a position; may be repeated; default one a line from standard input")
          .param("coords", &Probe::coords, "units of the coordinates")
          .param("filter", &Probe::filter, "how texels are read")
          .param("border", &Probe::border, "what lies beyond the picture's edge")
          .param("border-color", &Probe::border_color, "colour for --border border")
          .details(
              "Prints one line for each position: the position, then every channel of every layer "
              "(or of --layers), with enough digits to give the same float again. --json adds the "
              "bits. Without --at, positions are read from standard input, X,Y or X Y on each "
              "line. Colours are linear and premultiplied; with --raw the values are what the "
              "texture unit returns for a texture of the file's own type. NaN reads at 0. Pixels "
              "are read as by cuimg remap.")
          .example("cuimg probe --at 12.5,7.5 in.exr")
          .example("cuimg probe --raw --coords normalized --border wrap photo.png < uv.txt");
  std::vector<std::string> common = reading_options();
  common.insert(common.begin(), {"device", "layers"});
  return {
      description,
      "INPUT",
      common,
      run_probe,
      {part_of_one(),
       with_own_help(
           "json",
           "print one object a line for each position, with the channels' values and their bits")}};
}

}  // namespace cuimg
