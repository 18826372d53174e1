// SPDX-License-Identifier: Apache-2.0
#include "show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "apps/cuimg/terminal_picture.h"
#include "base/error.h"
#include "compare/compared_content.h"
#include "heat_picture.h"
#include "image/row_convert.h"

namespace cuimg {
namespace {

// A layer of a pair; a side's image is null if that side lacks the layer.
struct ShownLayer {
  std::string name;  // empty if the files have only one layer
  const Image* golden = nullptr;
  const Image* result = nullptr;
  int golden_layer = 0, result_layer = 0;
  const ForgivenMap* forgiven = nullptr;
};

const LayerSpec& layer_of(const Image& image, int layer) { return image.spec().layer(layer); }

// The first layer that differs, colour before others; otherwise the first colour layer.
const LayerComparison* differing_layer(const Comparison& comparison) {
  const LayerComparison* found = nullptr;
  for (const LayerComparison& layer : comparison.layers) {
    const bool differs = layer.differences.differing > 0 || layer.differences.mismatches > 0;
    const auto rank = [](const LayerComparison& of, bool is_different) {
      return 2 * static_cast<int>(is_different) + static_cast<int>(of.is_color);
    };
    const bool found_differs =
        found != nullptr && (found->differences.differing > 0 || found->differences.mismatches > 0);
    if (found == nullptr || rank(layer, differs) > rank(*found, found_differs)) found = &layer;
  }
  return found;
}

int first_color(const Image& image) { return std::max(0, image.spec().first_color()); }

std::optional<ShownLayer> shown_layer(const Comparison& comparison, const DecodedPair& decoded) {
  const LayerComparison* const differing = differing_layer(comparison);
  const DecodedPair::Part* part = nullptr;
  for (const DecodedPair::Part& candidate : decoded.parts)
    if (differing == nullptr ? part == nullptr
                             : candidate.number == differing->part && candidate.golden &&
                                   candidate.level == differing->level)
      part = &candidate;
  if (part == nullptr) return std::nullopt;
  ShownLayer shown;
  if (part->golden && !part->golden->spec().layers.empty()) shown.golden = &*part->golden;
  if (part->result && !part->result->spec().layers.empty()) shown.result = &*part->result;
  if (shown.golden == nullptr && shown.result == nullptr) return std::nullopt;
  if (shown.golden != nullptr)
    shown.golden_layer =
        differing != nullptr ? differing->golden_layer : first_color(*shown.golden);
  if (shown.result != nullptr) shown.result_layer = first_color(*shown.result);
  if (shown.golden != nullptr && shown.result != nullptr) {
    const LayerSpec& golden = layer_of(*shown.golden, shown.golden_layer);
    const std::optional<int> same = counterpart_of(golden, shown.result->spec());
    if (!same && differing != nullptr) shown.result = nullptr;
    if (same) shown.result_layer = *same;
    const auto at = static_cast<std::size_t>(shown.golden_layer);
    if (at < part->forgiven.size()) shown.forgiven = &part->forgiven[at];
  }
  const bool is_one_of_several = decoded.parts.size() > 1 || comparison.layers.size() > 1;
  if (differing != nullptr && is_one_of_several)
    shown.name = (part->name.empty() ? "" : part->name + ": ") +
                 (part->level.empty() ? "" : "level " + part->level + ": ") + differing->name;
  return shown;
}

// From the least to the largest finite value of a layer's first channel, on both sides.
struct ValueRange {
  float low = HUGE_VALF, high = -HUGE_VALF;

  void add(const Image& image, int layer) {
    each_pixel(image, layer, [&](int, int, float value) {
      if (!std::isfinite(value)) return;
      low = std::min(low, value);
      high = std::max(high, value);
    });
  }
  float share(float value) const {
    return !std::isfinite(value) || !(high > low) ? 0 : (value - low) / (high - low);
  }

  // @param work receives x, y and the first channel's value; for ids their bits, spread over all
  // values.
  template <class Work>
  static void each_pixel(const Image& image, int layer, const Work& work) {
    const Rect& window = image.spec().data_window;
    const LayerSpec& spec = layer_of(image, layer);
    const auto channels = static_cast<std::size_t>(spec.channel_count());
    std::vector<float> row(static_cast<std::size_t>(window.width) * channels);
    for (int y = window.y; y < window.bottom(); ++y) {
      const bool are_codes = spec.type == PixelType::u32;
      if (!are_codes)
        rows_to_working({spec.type, spec.channel_count(), {}}, image.row(layer, y), row.data(),
                        static_cast<std::size_t>(window.width));
      for (int x = 0; x < window.width; ++x) {
        const std::size_t at = static_cast<std::size_t>(x) * channels;
        std::uint32_t code = 0;
        if (are_codes) std::memcpy(&code, image.row(layer, y) + at * sizeof code, sizeof code);
        // Neighbouring ids differ by one; a multiplication spreads them.
        work(window.x + x, y, are_codes ? static_cast<float>(code * 0x9e3779b1u >> 8) : row[at]);
      }
    }
  }
};

// Only this layer, as colour; layers of other kinds as grey.
Image alone(const Image& image, int layer, const ValueRange& range) {
  const LayerSpec& stored = layer_of(image, layer);
  Spec spec = image.spec();
  spec.metadata = {};
  spec.layers = {stored};
  spec.layers.front().name.clear();
  if (!stored.is_color() || stored.holds_ids()) {
    spec.layers = {{"", {"Y"}, PixelType::f32}};
    spec.color = {};
  }
  Image one(spec);
  if (!stored.is_color() || stored.holds_ids()) {
    const Rect& window = spec.data_window;
    ValueRange::each_pixel(image, layer, [&](int x, int y, float value) {
      const float share = range.share(value);
      std::memcpy(one.row(0, y) + static_cast<std::size_t>(x - window.x) * sizeof share, &share,
                  sizeof share);
    });
    return one;
  }
  for (int y = spec.data_window.y; y < spec.data_window.bottom(); ++y)
    std::memcpy(one.row(0, y), image.row(layer, y), one.row_bytes(0));
  return one;
}

struct Panel {
  std::string caption;
  Image image;
};

// The panels side by side, each at a multiple of `stride` pixels, on black.
Image side_by_side(const std::vector<Panel>& panels, int stride) {
  int height = 0;
  for (const Panel& panel : panels)
    height = std::max(height, panel.image.spec().data_window.height);
  const int last = static_cast<int>(panels.size()) - 1;
  Spec spec = panels.front().image.spec();
  spec.data_window = spec.display_window = {
      0, 0, last * stride + panels.back().image.spec().data_window.width, height};
  Image all(spec);
  for (int y = 0; y < height; ++y) {
    std::memset(all.row(0, y), 0, all.row_bytes(0));
    for (int i = 0; i <= last; ++i) {
      const Image& image = panels[static_cast<std::size_t>(i)].image;
      if (y < image.spec().data_window.height)
        std::memcpy(all.row(0, y) + std::ptrdiff_t{3} * i * stride, image.row(0, y),
                    image.row_bytes(0));
    }
  }
  return all;
}

// Each caption above its panel, if there is room.
std::string caption_line(const std::vector<Panel>& panels, int columns_each) {
  std::string line;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t column = i * static_cast<std::size_t>(columns_each);
    if (line.size() < column) line.append(column - line.size(), ' ');
    if (!line.empty() && line.back() != ' ') line += ", ";
    line += panels[i].caption;
  }
  return line + "\n";
}

std::string heat_caption(const HeatPicture& heat) {
  std::string meanings;
  const auto add = [&](const std::string& meaning) {
    meanings += (meanings.empty() ? ": " : ", ") + meaning;
  };
  if (heat.largest > 0) add(fmt::format("yellow {:.3g}", heat.largest));
  if (heat.has_beyond) add("white incomparable");
  if (heat.has_forgiven) add("blue forgiven");
  return "difference" + meanings;
}

}  // namespace

PairDrawing::PairDrawing(Protocol protocol, int threads) : protocol_(protocol), threads_(threads) {
  const Terminal terminal = look_at_terminal();
  if (protocol_ == Protocol::automatic) protocol_ = best_protocol(terminal);
  // A caption, the layer's name and the prompt.
  space_ = space_on(terminal, protocol_, std::nullopt, 3);
}

std::string PairDrawing::text_of(const Comparison& comparison, const DecodedPair& decoded) const {
  const std::optional<ShownLayer> layer = shown_layer(comparison, decoded);
  if (!layer) return {};
  const Image& first = layer->golden != nullptr ? *layer->golden : *layer->result;
  const bool has_both = layer->golden != nullptr && layer->result != nullptr;
  const bool comparable = has_both && layer_of(*layer->golden, layer->golden_layer).channels ==
                                          layer_of(*layer->result, layer->result_layer).channels;
  // A third for each, even if there are fewer, with a character's width between them.
  ShownSpace each = space_;
  each.width = std::max(1, space_.width / space_.cell_width / 3 - 1) * space_.cell_width;

  ValueRange range;
  bool is_bright = false;
  std::vector<Panel> panels;
  const auto each_side = [&](const auto& work) {
    if (layer->golden != nullptr) work("golden", *layer->golden, layer->golden_layer);
    if (layer->result != nullptr) work("result", *layer->result, layer->result_layer);
  };
  each_side([&](const char*, const Image& image, int index) { range.add(image, index); });
  std::vector<std::pair<const char*, Image>> sides;
  each_side([&](const char* name, const Image& image, int index) {
    sides.emplace_back(name, alone(image, index, range));
    is_bright = is_bright || passes_white(sides.back().second);
  });
  // Both sides use the same curve.
  const auto curve = is_bright ? std::optional(ToneCurve::neutral) : std::nullopt;
  for (const auto& [name, image] : sides)
    panels.push_back(
        {name, shown_picture(image, shown_size(image.spec(), each), 0, curve, threads_)});
  if (comparable) {
    const ForgivenMap none;
    HeatPicture heat =
        heat_picture({*layer->golden, layer->golden_layer}, {*layer->result, layer->result_layer},
                     layer->forgiven ? *layer->forgiven : none, first.spec().display_window,
                     shown_size(first.spec(), each));
    std::string caption = heat_caption(heat);
    panels.push_back({std::move(caption), std::move(heat.image)});
  }
  // Small pictures are placed close together, with room for a caption.
  int widest = 0;
  for (const Panel& panel : panels) widest = std::max(widest, panel.image.spec().data_window.width);
  constexpr int caption_columns = 8;
  const int columns_each =
      std::max((widest + space_.cell_width - 1) / space_.cell_width + 1, caption_columns);
  const std::string name = layer->name.empty() ? "" : printable(layer->name) + "\n";
  return name + caption_line(panels, columns_each) +
         terminal_text(side_by_side(panels, columns_each * space_.cell_width), protocol_);
}

}  // namespace cuimg
