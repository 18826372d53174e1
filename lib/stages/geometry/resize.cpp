// SPDX-License-Identifier: Apache-2.0
// Resize's description and geometry: display window to display window, data windows scaled outward.
#include "stages/geometry/resize.h"

#include <algorithm>

#include "base/error.h"
#include "build_config.h"
#include "stages/description.h"
#include "stages/pass/conversion.h"
#include "stages/registry.h"
#include "stages/resample/resize_plan.h"

namespace cuimg {
namespace {

const ResampleFilter& weighed_filter(std::string_view name) {
  for (const ResampleFilter& filter : resample_filters())
    if (filter.name == name) return filter;
  throw Error("resize", "there is no filter " + std::string(name));
}

std::string_view name_of(ResizeFilter filter) {
  for (const auto& choice : choices_of(filter))
    if (choice.value == filter) return choice.name;
  return "?";
}

// The size everything is scaled to, and the part of it that is kept.
struct ScaledSize {
  int width, height;
  Rect kept;  ///< Relative to the scaled picture.
};

int rounded_share(int side, std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t rounded = (2 * side * numerator + denominator) / (2 * denominator);
  return static_cast<int>(std::clamp<std::int64_t>(rounded, 1, largest_side));
}

ScaledSize scaled_size(const Resize& p, const Rect& display) {
  if (p.fit && p.fill) throw Error("resize", "--fit and --fill exclude each other", "give one");
  const Rect wanted = p.size.of(display.width, display.height);
  if (!p.fit && !p.fill) return {wanted.width, wanted.height, wanted};
  // Compare the two scales as fractions; the axis that decides takes its wanted size exactly.
  const bool width_is_tighter =
      std::int64_t{wanted.width} * display.height <= std::int64_t{wanted.height} * display.width;
  int width = wanted.width, height = wanted.height;
  if (width_is_tighter == p.fit)
    height = rounded_share(display.height, wanted.width, display.width);
  else
    width = rounded_share(display.width, wanted.height, display.height);
  if (p.fit) {
    width = std::min(width, wanted.width);
    height = std::min(height, wanted.height);
    return {width, height, {0, 0, width, height}};
  }
  width = std::max(width, wanted.width);
  height = std::max(height, wanted.height);
  return {width,
          height,
          {placed_x(p.gravity, width, wanted.width), placed_y(p.gravity, height, wanted.height),
           wanted.width, wanted.height}};
}

bool holds_depth(const LayerSpec& layer) {
  return std::any_of(layer.channels.begin(), layer.channels.end(),
                     [](const std::string& c) { return c == "Z" || c == "ZBack"; });
}

class ResizeOperation final : public Operation {
 public:
  ResizeOperation(const Resize& p, const Spec& input, const StageContext& context) {
    const Rect display = input.display_window;
    const ScaledSize scaled = scaled_size(p, display);
    output_ = input;
    output_.display_window = {display.x, display.y, scaled.kept.width, scaled.kept.height};
    plan_.data_window = input.data_window;
    plan_.display_window = display;
    plan_.clamp_ringing = p.clamp_ringing;
    plan_.border = p.border;
    plan_.horizontal = {display.x,    display.x - scaled.kept.x, display.width,
                        scaled.width, input.data_window.x,       input.data_window.right()};
    plan_.vertical = {display.y,     display.y - scaled.kept.y, display.height,
                      scaled.height, input.data_window.y,       input.data_window.bottom()};
    const auto [left, right] = plan_.horizontal.output_range();
    const auto [top, bottom] = plan_.vertical.output_range();
    output_.data_window = rect_from_edges(left, top, right, bottom);
    if (p.fill) output_.data_window = intersection(output_.data_window, output_.display_window);
    if (output_.data_window.empty())
      throw Error("resize", "--fill leaves nothing of the data window", "choose another --gravity");
    plan_.output_window = output_.data_window;

    const bool shrinks = scaled.width < display.width || scaled.height < display.height;
    for (std::size_t i = 0; i < input.layers.size(); ++i)
      plan_.layers.push_back(layer_plan(p, input, input.layers[i], shrinks, context.raw));
    for (const LayerSpec& layer : input.layers) types_.push_back(layer.type);
    for (std::size_t i = 0; i < input.layers.size(); ++i)
      if (plan_.layers[i].method != ResizeMethod::nearest) {
        output_.layers[i].type = PixelType::f32;
        if (input.layers[i].is_color() && plan_.layers[i].values == Values::linear)
          output_.color = mixed_color(input, context.raw);
      }
  }

  const Spec& output() const override { return output_; }

  Rect needed(const Rect& region) const override {
    Rect all;
    for (const ResizePlan::Layer& layer : plan_.layers) {
      const auto [left, right] = plan_.reach(layer, true, region.x, region.right());
      const auto [top, bottom] = plan_.reach(layer, false, region.y, region.bottom());
      all = bounding(all, rect_from_edges(left, top, right, bottom));
    }
    const Rect& data = plan_.data_window;
    if (plan_.border == Border::wrap) {
      // Across an edge the other side is read, and what lies between comes along.
      if (all.x < data.x || all.right() > data.right()) all.x = data.x, all.width = data.width;
      if (all.y < data.y || all.bottom() > data.bottom()) all.y = data.y, all.height = data.height;
    }
    return intersection(all, data);
  }

  Values values(int layer) const override { return of(layer).values; }

  Storage storage(int layer) const override {
    if (of(layer).method != ResizeMethod::texture_unit) return Storage::pitched;
    // Floats made twice as large are read as rows (resize_doubled.cu).
    const bool is_float = of(layer).values == Values::linear ||
                          types_[static_cast<std::size_t>(layer)] == PixelType::f32;
    return is_float && is_doubled(plan_.horizontal) && is_doubled(plan_.vertical) ? Storage::pitched
                                                                                  : Storage::array;
  }

  double cost_ns() const override {
    double ns = 0;
    for (const ResizePlan::Layer& layer : plan_.layers)
      ns += layer.method == ResizeMethod::weighed
                ? 5 + 1.0 * (layer.columns->stride + 2 * layer.rows->stride)
            : layer.method == ResizeMethod::texture_unit ? 30
                                                         : 3;
    return ns;
  }

  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const Frame& source = sources.front();
    if constexpr (build::has_cuda)
      if (queue.is_cuda()) return resize_on_cuda(queue, plan_, of(layer), source, target);
    resize_on_cpu(plan_, of(layer), source, target);
  }

  std::vector<std::string> explanation() const override {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < plan_.layers.size(); ++i) {
      const ResizePlan::Layer& layer = plan_.layers[i];
      const std::string& name = output_.layers[i].name;
      std::string how = layer.method == ResizeMethod::nearest ? "copies the nearest texels"
                        : layer.method == ResizeMethod::texture_unit
                            ? "reads through the texture unit's linear filter"
                            : "weighs texels by " + std::string(layer.filter) + ", " +
                                  std::to_string(layer.columns->stride) + "x" +
                                  std::to_string(layer.rows->stride) + " taps";
      lines.push_back("layer " + (name.empty() ? output_.layers[i].channels.front() : name) + ": " +
                      how);
    }
    return lines;
  }

 private:
  const ResizePlan::Layer& of(int layer) const {
    return plan_.layers[static_cast<std::size_t>(layer)];
  }

  ResizePlan::Layer layer_plan(const Resize& p, const Spec& input, const LayerSpec& layer,
                               bool shrinks, bool raw) {
    if (p.filter == ResizeFilter::point || layer.type == PixelType::u32)
      return {ResizeMethod::nearest, Values::stored, nullptr, nullptr, "point"};
    if (p.filter == ResizeFilter::linear && !(shrinks && p.antialias))
      return {ResizeMethod::texture_unit,
              is_light_as_stored(input, layer, raw) ? Values::stored : Values::linear, nullptr,
              nullptr, "linear"};
    const ResampleFilter* filter =
        &weighed_filter(p.filter == ResizeFilter::linear ? "triangle" : name_of(p.filter));
    if (filter->negative_lobes && holds_depth(layer)) filter = &weighed_filter("triangle");
    // Layers of one filter share its tables.
    for (const ResizePlan::Layer& made : plan_.layers)
      if (made.method == ResizeMethod::weighed && made.filter == filter->name) return made;
    const Rect& out = plan_.output_window;
    const auto table = [&](const AxisGeometry& g, int low, int high) {
      return std::make_shared<AxisTable>(
          make_axis_table(g, low, high, *filter, p.antialias, p.border));
    };
    return {ResizeMethod::weighed, Values::linear, table(plan_.horizontal, out.x, out.right()),
            table(plan_.vertical, out.y, out.bottom()), filter->name};
  }

  // Up to a size that a card without fast doubles reads as a texture in pitched memory too.
  static bool is_doubled(const AxisGeometry& axis) {
    return axis.out_size == 2 * axis.in_size && axis.in_size <= 32768;
  }

  Spec output_;
  std::vector<PixelType> types_;  ///< The input's.
  ResizePlan plan_;
};

}  // namespace

std::pair<int, int> ResizePlan::reach(const Layer& layer, bool is_horizontal, int from,
                                      int to) const {
  const AxisGeometry& axis = is_horizontal ? horizontal : vertical;
  if (layer.method == ResizeMethod::weighed)
    return (is_horizontal ? layer.columns : layer.rows)->reach(from, to);
  if (layer.method == ResizeMethod::nearest) {
    int low = INT32_MAX, high = INT32_MIN;
    for (int x = from; x < to; ++x) {
      const int i = axis.nearest(x, border);
      if (i == AxisGeometry::nothing) continue;
      low = std::min(low, i);
      high = std::max(high, i + 1);
    }
    return low < high ? std::pair{low, high} : std::pair{0, 0};
  }
  return {static_cast<int>(axis.fixed_point(from) >> 8),
          static_cast<int>(axis.fixed_point(to - 1) >> 8) + 2};
}

std::span<const Choice<ResizeFilter>> choices_of(ResizeFilter) {
  static const std::vector<Choice<ResizeFilter>> choices = [] {
    std::vector<Choice<ResizeFilter>> all = {
        {ResizeFilter::point, "point", "the nearest texel, copied", "nearest"},
        {ResizeFilter::linear, "linear", "the texture unit's own; triangle when shrinking",
         "bilinear"}};
    for (const ResampleFilter& filter : resample_filters())
      all.push_back({static_cast<ResizeFilter>(all.size()), filter.name, filter.formula});
    return all;
  }();
  return choices;
}

ResizeFilter resize_filter_named(std::string_view name) {
  for (const auto& choice : choices_of(ResizeFilter{}))
    if (choice.name == name) return choice.value;
  throw Error("resize", "there is no filter " + std::string(name));
}

const StageDescription& resize_stage() {
  static const StageDescription description =
      describe<Resize>("resize", "scale to a size", Kind::filter)
          .param("size", &Resize::size, "WxH in pixels, 0 for a side that follows, or percent")
          .param("filter", &Resize::filter, "how pixels are mixed")
          .param("antialias", &Resize::antialias, "widen the filter when shrinking")
          .param("clamp-ringing", &Resize::clamp_ringing,
                 "keep each result within the range of the texels it mixes")
          .param("border", &Resize::border, "what lies beyond the picture's edge")
          .param("fit", &Resize::fit, "keep the aspect, inside the size")
          .param("fill", &Resize::fill, "keep the aspect, cover the size and cut the rest")
          .param("gravity", &Resize::gravity, "which part --fill keeps")
          .details(
              "Output pixel x lies at (x + 0.5) * in / out - 0.5 of the input, computed exactly "
              "from the sizes. Colour is mixed in linear light with premultiplied alpha, unless "
              "--raw. The filter's weights are multiples of 2^-23 that sum to exactly 1, so a "
              "constant stays as it is where its products with them are exact, as those of an "
              "opaque alpha are; elsewhere it may differ by the sums' rounding.\n\n"
              "When enlarging, linear is the texture unit's own filter, with 256 positions between "
              "two texels; when an axis shrinks with antialiasing it means triangle on both. "
              "Filters with negative lobes (cubic, lanczos) ring around highlights; "
              "--clamp-ringing forbids it. Depth channels take triangle instead, ids point.")
          .example("cuimg resize --filter linear in.exr out.exr")
          .example("cuimg resize --size 1920x0 photo.jpg small.png")
          .prepare([](const Resize& p, const Spec& input, const StageContext& context) {
            return std::unique_ptr<Operation>(new ResizeOperation(p, input, context));
          });
  return description;
}

}  // namespace cuimg
