// SPDX-License-Identifier: Apache-2.0
// append: places pictures side by side or one below the other.
#include "stages/combine/append.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/message_text.h"
#include "device/on_device.h"
#include "stages/combine/second_image.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"

namespace cuimg {
namespace {

enum class Direction : std::uint8_t { horizontal, vertical };
std::span<const Choice<Direction>> choices_of(Direction) {
  static constexpr Choice<Direction> choices[] = {
      {Direction::horizontal, "horizontal", "from left to right"},
      {Direction::vertical, "vertical", "from top to bottom"}};
  return choices;
}

enum class Align : std::uint8_t { start, center, end };
std::span<const Choice<Align>> choices_of(Align) {
  static constexpr Choice<Align> choices[] = {
      {Align::start, "start", "at the top or left", "top left"},
      {Align::center, "center", "in the middle"},
      {Align::end, "end", "at the bottom or right", "bottom right"}};
  return choices;
}

struct Append {
  FileNames with;
  Direction direction = Direction::horizontal;
  Align align = Align::start;
  int gap = 0;
  Color color;
};

// One of the pictures. The first one comes from the previous stage, unless all are files.
struct Part {
  std::string name;  ///< The file's name.
  std::optional<SecondImage> file;
  std::optional<SecondImage::View> view;
  Rect data_window, place;  ///< Its own data window, and its frame in the result.
  int dx = 0, dy = 0;       ///< The offset from its own window to its place.
};

class AppendOperation final : public Operation {
 public:
  AppendOperation(const Append& p, const Spec& input, const StageContext& context)
      : takes_input_(!p.with.names.empty()), input_(input) {
    if (takes_input_) parts_.emplace_back();
    for (const std::string& file : takes_input_ ? p.with.names : context.inputs) {
      Part& part = parts_.emplace_back();
      part.name = file;
      part.file.emplace(file, context);
    }
    if (parts_.size() < 2)
      throw Error("append", "there is nothing to append",
                  "name several INPUTs, or one and --with FILE");
    plan_ = OperationPlan(spec_of(parts_.front()));
    Spec& made = plan_.output;
    for (int i = 0; i < made.layer_count(); ++i) by_name_.push_back(i != made.first_color());
    made.metadata.erase(
        "envmap");  // pictures of all directions in a row are no longer environment maps
    if (!takes_input_) plan_.home = made.color;
    const bool moves = all_alike();
    plan_.cost_ns = moves ? 2 : 8;
    plan_.explanation = {moves
                             ? "type and encoding are the same: pixels are moved as they are stored"
                             : "types or encodings differ: pixels become linear float"};
    for (std::size_t i = 0; i < made.layers.size(); ++i) {
      LayerPlan& layer = plan_.layers[i];
      layer.stored_type = made.layers[i].type;
      if (!takes_input_) layer.sources.clear();
      if (!moves && !made.layers[i].holds_ids()) layer.values = Values::linear;
    }
    if (!moves) choose_layers(made, context);
    lay_out(made, p);
    for (Part& part : parts_)
      if (part.file)
        part.view = part.file->typed_view(made.layers, made.color, context.raw, by_name_);
    warn_of_left_out(context.decode);
    if (takes_input_ && !moves) widening_ = make_widening(input_, made, context.raw);
    for (const LayerSpec& layer : made.layers)
      fill_.push_back(stored_color(p.color, made, layer, context.raw));
  }

  Rect needed(const Rect& region) const override {
    if (!takes_input_) return {};
    const Part& first = parts_.front();
    return intersection(moved(intersection(region, first.place), -first.dx, -first.dy),
                        first.data_window);
  }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    std::vector<Placed> pictures;
    for (const Part& part : parts_) {
      const Rect wanted = moved(intersection(part.place, target.region()), -part.dx, -part.dy);
      if (wanted.empty()) continue;
      const Frame pixels =
          part.view ? (has(part, layer) ? part.view->frame(queue, layer, wanted) : Frame())
                    : widened(queue, layer, sources.front());
      const Rect& r = pixels.region();
      pictures.push_back({part.place, pixels.moved_to(r.x + part.dx, r.y + part.dy)});
    }
    const StoredTexel& fill = fill_[static_cast<std::size_t>(layer)];
    on_device<place_on_cpu, place_on_cuda>(queue, pictures, fill, target);
  }

 private:
  const Spec& spec_of(const Part& part) const { return part.file ? part.file->spec() : input_; }

  // The layer of a file that becomes part of the output's layer, or null. The first colours of all
  // pictures belong together, even if their names differ.
  const LayerSpec* counterpart(const Part& part, int layer) const {
    const auto i = static_cast<std::size_t>(layer);
    return part.file->counterpart(output().layers[i], by_name_[i]);
  }

  void warn_of_left_out(const DecodeOptions& decode) const {
    for (const Part& part : parts_) {
      if (!part.file) continue;
      std::set<const LayerSpec*> used, of_other_kind;
      for (int i = 0; i < output().layer_count(); ++i)
        (has(part, i) ? used : of_other_kind).insert(counterpart(part, i));
      std::string unknown, different;
      for (const LayerSpec& layer : part.file->spec().layers)
        if (!used.contains(&layer))
          add_item(of_other_kind.contains(&layer) ? different : unknown, layer.label());
      const auto warn = [&](const std::string& names, const std::string& reason) {
        if (!names.empty() && decode.warn)
          decode.warn(part.name + ": " + names + (used.empty() ? ": " : ": left out, since ") +
                      reason + (used.empty() ? ", and this one is empty" : ""));
      };
      warn(unknown, "the first picture has no such layer");
      warn(different, "ids and values cannot be joined, and the first picture has the other kind");
    }
  }

  // Ids remain ids, so the other picture must have ids too.
  bool has(const Part& part, int layer) const {
    const LayerSpec& wanted = output().layer(layer);
    const LayerSpec* const other = counterpart(part, layer);
    return other != nullptr && other->is_matte == wanted.is_matte &&
           (other->type == PixelType::u32) == (wanted.type == PixelType::u32);
  }

  bool all_alike() const {
    for (const Part& part : parts_) {
      if (!part.file) continue;
      if (part.file->spec().color != output().color) return false;
      for (int i = 0; i < output().layer_count(); ++i) {
        const LayerSpec& layer = output().layer(i);
        const LayerSpec* const other = counterpart(part, i);
        if (other != nullptr && (other->type != layer.type || other->channels != layer.channels))
          return false;
      }
    }
    return true;
  }

  // Grey combined with colour becomes colour; opaque combined with translucent gets an alpha.
  void choose_layers(Spec& made, const StageContext& context) const {
    for (int i = 0; i < made.layer_count(); ++i) {
      LayerSpec& layer = made.layers[static_cast<std::size_t>(i)];
      if (layer.holds_ids()) continue;
      layer.type = PixelType::f32;
      if (!layer.is_color()) continue;
      bool color = false, alpha = layer.alpha_index() >= 0;
      for (const Part& part : parts_) {
        const LayerSpec* const other = part.file ? counterpart(part, i) : nullptr;
        color = color || (other != nullptr && other->channel_index("R") >= 0);
        alpha = alpha || (other != nullptr && other->alpha_index() >= 0);
      }
      if (color && layer.channels.front() == "Y" && layer.channel_count() <= 2)
        layer.channels = {"R", "G", "B"};
      if (alpha && layer.alpha_index() < 0 && layer.channel_count() < 4)
        layer.channels.push_back("A");
    }
    made.color = working_color(spec_of(parts_.front()), Values::linear, context);
  }

  void lay_out(Spec& made, const Append& p) {
    const bool across = p.direction == Direction::horizontal;
    std::int64_t length = 0, thickness = 0;
    for (const Part& part : parts_) {
      const Rect& frame = spec_of(part).display_window;
      length += (across ? frame.width : frame.height) + (length > 0 ? p.gap : 0);
      thickness = std::max<std::int64_t>(thickness, across ? frame.height : frame.width);
    }
    if (length > largest_side)
      throw Error("append", "the result would be " + std::to_string(length) + " pixels long",
                  "at most " + std::to_string(largest_side) + " are allowed");
    Rect whole = spec_of(parts_.front()).display_window;
    whole.width = static_cast<int>(across ? length : thickness);
    whole.height = static_cast<int>(across ? thickness : length);
    int along = 0;
    for (Part& part : parts_) {
      const Rect frame = spec_of(part).display_window;
      const int room = static_cast<int>(thickness) - (across ? frame.height : frame.width);
      const int aside = p.align == Align::start ? 0 : p.align == Align::center ? room / 2 : room;
      part.place = {whole.x + (across ? along : aside), whole.y + (across ? aside : along),
                    frame.width, frame.height};
      part.data_window = spec_of(part).data_window;
      part.dx = part.place.x - frame.x;
      part.dy = part.place.y - frame.y;
      along += (across ? frame.width : frame.height) + p.gap;
    }
    made.display_window = made.data_window = whole;
  }

  // The stage's own input, converted to the result's channels.
  Frame widened(const Queue& queue, int layer, const Frame& source) const {
    const LayerSpec& wanted = output().layer(layer);
    if (source.empty() || wanted.channels == input_.layer(layer).channels) return source;
    const Frame made =
        queue.allocate({source.region(), wanted.type, wanted.channel_count(), Storage::pitched});
    widening_->run(queue, layer, {&source, 1}, made);
    return made;
  }

  bool takes_input_;
  Spec input_;
  std::vector<Part> parts_;
  std::unique_ptr<Operation> widening_;
  std::vector<StoredTexel> fill_;
  std::vector<bool>
      by_name_;  // for each layer: whether only layers of the same name are placed next to it
};

void fill_row(const StoredTexel& texel, std::size_t bytes, std::byte* row, int count) {
  if (texel == StoredTexel{}) {
    std::memset(row, 0, bytes * static_cast<std::size_t>(count));
    return;
  }
  for (int i = 0; i < count; ++i, row += bytes) std::memcpy(row, texel.data(), bytes);
}

}  // namespace

void place_on_cpu(std::span<const Placed> pictures, const StoredTexel& fill, const Frame& target) {
  const Rect& t = target.region();
  const std::size_t bytes = target.format().pixel_bytes();
  for (int y = t.y; y < t.bottom(); ++y) {
    fill_row(fill, bytes, target.pixel(t.x, y), t.width);
    for (const Placed& picture : pictures) {
      const Rect place = intersection(picture.place, {t.x, y, t.width, 1});
      if (place.empty()) continue;
      const Rect shown = intersection(place, picture.pixels.region());
      if (shown != place) fill_row({}, bytes, target.pixel(place.x, y), place.width);
      if (!shown.empty())
        std::memcpy(target.pixel(shown.x, y), picture.pixels.pixel(shown.x, y),
                    bytes * static_cast<std::size_t>(shown.width));
    }
  }
}

StageDescription append_stage() {
  return describe<Append>("append", "put pictures side by side", Kind::filter)
      .ends_environment()
      .param("with", &Append::with, "a picture to append; may be given several times", file())
      .param("direction", &Append::direction, "direction in which the pictures follow each other")
      .param("align", &Append::align, "where smaller pictures lie across that direction")
      .param("gap", &Append::gap, range(0, 4096), "gap between two pictures", unit("pixels"))
      .param(
          "color", &Append::color,
          "colour of the gap and next to smaller pictures; linear, premultiplied (0.5,0.5,0.5,0.5 "
          "is half-transparent white), in the first picture's primaries; a grey picture uses "
          "its luminance")
      .details(
          "With --with, the files are appended to each INPUT, anywhere in a chain. Without it "
          "all INPUTs become one picture, in their order: cuimg append a.png b.png -o "
          "out.png.\n\nSizes may differ: the result is as high or wide as the largest picture, and "
          "the others are padded with --color. By default that is black, and transparent if there "
          "is an alpha. Each picture's display window counts; overscan is cut off. Pictures with "
          "the same type and encoding are copied bit for bit. Otherwise all become linear light in "
          "the first one's type: grey next to colour becomes colour, and all get an alpha if one "
          "has it. Layers are matched by name, and the first colour layers whatever their names "
          "are. Layers that the first picture lacks are left out; those that another picture lacks "
          "are zero there.")
      .example("cuimg append --with after.png before.png both.png")
      .example("cuimg append --direction vertical a.exr b.exr c.exr -o column.exr")
      .kind_by([](const Append& p) { return p.with.names.empty() ? Kind::reducer : Kind::filter; })
      .prepare([](const Append& p, const Spec& input, const StageContext& context) {
        return std::make_unique<AppendOperation>(p, input, context);
      });
}

}  // namespace cuimg
