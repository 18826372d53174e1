// SPDX-License-Identifier: Apache-2.0
// The description and geometry of resize: the display window is scaled to the new display window,
// and data windows are scaled and rounded outward.
#include "stages/geometry/resize.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/message_text.h"
#include "device/on_device.h"
#include "stages/description.h"
#include "stages/geometry/affine.h"
#include "stages/pass/conversion.h"
#include "stages/resample/resize_plan.h"
#include "stages/run_cache.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

const ResampleFilter& weighed_filter(std::string_view name) {
  for (const ResampleFilter& filter : resample_filters())
    if (filter.name == name) return filter;
  throw Error("resize", "there is no filter " + std::string(name));
}

// The size to which the whole picture is scaled, and the part of it that is kept.
struct ScaledSize {
  int width, height;
  Rect kept;  ///< Relative to the scaled picture.
};

int rounded_share(int side, std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t rounded = (2 * side * numerator + denominator) / (2 * denominator);
  return static_cast<int>(std::clamp<std::int64_t>(rounded, 1, largest_side));
}

ScaledSize scaled_size(const Resize& p, const Rect& display) {
  const Rect wanted = p.size.of(display.width, display.height);
  const auto uncut = [&](int width, int height) {
    const bool enlarges = width > display.width || height > display.height;
    if (enlarges && !p.enlarge)
      return ScaledSize{display.width, display.height, {0, 0, display.width, display.height}};
    return ScaledSize{width, height, {0, 0, width, height}};
  };
  if (!p.fit && !p.fill) return uncut(wanted.width, wanted.height);
  // The scales of the axes are compared as fractions; the axis that decides gets exactly its
  // requested size.
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
    return uncut(width, height);
  }
  width = std::max(width, wanted.width);
  height = std::max(height, wanted.height);
  return {width,
          height,
          {placed_x(p.gravity, width, wanted.width), placed_y(p.gravity, height, wanted.height),
           wanted.width, wanted.height}};
}

bool shrinks(const ScaledSize& scaled, const Rect& display) {
  return scaled.width < display.width || scaled.height < display.height;
}

// Reads between the levels of a mipmapped texture, as warps do.
std::unique_ptr<Operation> make_trilinear(const Resize& p, const ScaledSize& scaled,
                                          const Spec& input, const StageContext& context) {
  WarpOptions options;
  options.filter = ReadFilter::trilinear;
  options.border = p.border;
  const Rect& display = input.display_window;
  AffineMatrix matrix;
  matrix.a = static_cast<double>(scaled.width) / display.width;
  matrix.d = static_cast<double>(scaled.height) / display.height;
  matrix.e = display.x - scaled.kept.x - matrix.a * display.x;
  matrix.f = display.y - scaled.kept.y - matrix.d * display.y;
  return make_affine({"resize", "--size"}, options, input,
                     {display.x, display.y, scaled.kept.width, scaled.kept.height}, matrix,
                     context.raw);
}

// Reports options that have no effect, or whose effect is not defined.
void check_placing(const Resize& p) {
  const auto& [width, height] = p.size;
  const bool has_aspect = width.amount == 0 || height.amount == 0 ||
                          (width.percent && height.percent && width.amount == height.amount);
  if ((p.fit || p.fill) && has_aspect)
    throw Error("resize",
                fmt::format("--{} has no effect, since --size {} keeps the aspect",
                            p.fit ? "fit" : "fill", format_value(p.size)),
                "give both sides, WxH, or leave it out");
  if (!p.enlarge && !p.fit && !has_aspect)
    throw Error("resize", "--no-enlarge needs a size that keeps the aspect",
                "give --fit, a percentage, or 0 for one side");
  if (!p.fill && p.gravity != Resize{}.gravity)
    throw Error("resize", "--gravity chooses the part that --fill keeps",
                "give --fill or leave it out");
}

class ResizeOperation final : public Operation {
 public:
  ResizeOperation(const Resize& p, const Spec& input, const StageContext& context) {
    const Rect display = input.display_window;
    const ScaledSize scaled = scaled_size(p, display);
    plan_ = OperationPlan(input);
    Spec& made = plan_.output;
    made.display_window = {display.x, display.y, scaled.kept.width, scaled.kept.height};
    resize_.data_window = input.data_window;
    resize_.display_window = display;
    resize_.clamp_ringing = p.clamp_ringing;
    resize_.border = p.border;
    resize_.horizontal = {display.x,    display.x - scaled.kept.x, display.width,
                          scaled.width, input.data_window.x,       input.data_window.right()};
    resize_.vertical = {display.y,     display.y - scaled.kept.y, display.height,
                        scaled.height, input.data_window.y,       input.data_window.bottom()};
    const auto [left, right] = resize_.horizontal.output_range();
    const auto [top, bottom] = resize_.vertical.output_range();
    made.data_window = rect_from_edges(left, top, right, bottom);
    if (p.fill) made.data_window = intersection(made.data_window, made.display_window);
    if (made.data_window.empty())
      throw Error("resize", "--fill leaves nothing of the data window", "choose another --gravity");
    resize_.output_window = made.data_window;

    const bool antialias = p.antialias && shrinks(scaled, display);
    for (std::size_t i = 0; i < input.layers.size(); ++i)
      resize_.layers.push_back(layer_plan(p, input, input.layers[i], antialias, context));
    plan_.cost_ns = 0;
    for (std::size_t i = 0; i < input.layers.size(); ++i) {
      const ResizePlan::Layer& layer = resize_.layers[i];
      const LayerSpec& from = input.layers[i];
      plan_.layers[i].values = layer.values;
      plan_.layers[i].takes_nearest_ids = from.holds_ids();
      plan_.layers[i].storage = storage(layer, from.type);
      plan_.layers[i].loads_stored_forms = plan_.layers[i].stores_stored_forms =
          layer.method != ResizeMethod::nearest;
      // In order from the top, which wrapped rows are not.
      plan_.layers[i].takes_stored_rows =
          layer.method == ResizeMethod::weighed && p.border != Border::wrap;
      plan_.cost_ns += cost_ns(layer);
      plan_.explanation.push_back("layer " + from.label() + ": " + how(layer));
      if (layer.method == ResizeMethod::nearest) continue;
      made.layers[i].type = PixelType::f32;
      if (from.is_color() && layer.values == Values::linear)
        made.color = mixed_color(input, context.raw);
    }
  }

  Rect needed(const Rect& region) const override {
    Rect all;
    for (const ResizePlan::Layer& layer : resize_.layers) {
      const auto [left, right] = resize_.reach(layer, true, region.x, region.right());
      const auto [top, bottom] = resize_.reach(layer, false, region.y, region.bottom());
      all = bounding(all, rect_from_edges(left, top, right, bottom));
    }
    const Rect& data = resize_.data_window;
    if (resize_.border == Border::wrap) {
      // A region that crosses an edge reads the opposite side, and everything in between.
      if (all.x < data.x || all.right() > data.right()) all.x = data.x, all.width = data.width;
      if (all.y < data.y || all.bottom() > data.bottom()) all.y = data.y, all.height = data.height;
    }
    return intersection(all, data);
  }

  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const ResizePlan::Layer& how = resize_.layers[static_cast<std::size_t>(layer)];
    on_device<resize_on_cpu, resize_on_cuda>(queue, resize_, how, sources.front(), target);
  }

 private:
  Storage storage(const ResizePlan::Layer& layer, PixelType type) const {
    if (layer.method != ResizeMethod::texture_unit) return Storage::pitched;
    // Floats that are enlarged twofold are read as rows (resize_doubled.cu).
    const bool is_float = layer.values == Values::linear || type == PixelType::f32;
    const bool doubles = is_doubled(resize_.horizontal) && is_doubled(resize_.vertical);
    return is_float && doubles ? Storage::pitched : Storage::array;
  }

  static double cost_ns(const ResizePlan::Layer& layer) {
    if (layer.method == ResizeMethod::weighed)
      return 5 + 1.0 * (layer.columns->stride + 2 * layer.rows->stride);
    return layer.method == ResizeMethod::texture_unit ? 30 : 3;
  }

  static std::string how(const ResizePlan::Layer& layer) {
    if (layer.method == ResizeMethod::nearest) return "copies the nearest texels";
    if (layer.method == ResizeMethod::texture_unit)
      return "reads through the texture unit's linear filter";
    return "weighs texels by " + std::string(layer.filter) + ", " +
           size_text(layer.columns->stride, layer.rows->stride) + " taps";
  }

  ResizePlan::Layer layer_plan(const Resize& p, const Spec& input, const LayerSpec& layer,
                               bool antialias, const StageContext& context) {
    if (p.filter == ResizeFilter::point || layer.holds_ids())
      return {ResizeMethod::nearest, Values::stored, nullptr, nullptr, "point"};
    const bool is_linear = p.filter == ResizeFilter::linear || p.filter == ResizeFilter::trilinear;
    if (is_linear && !antialias)
      return {ResizeMethod::texture_unit,
              is_light_as_stored(input, layer, context.raw) ? Values::stored : Values::linear,
              nullptr, nullptr, "linear"};
    const ResampleFilter* filter =
        &weighed_filter(p.filter == ResizeFilter::linear ? "triangle" : choice_name(p.filter));
    if (filter->negative_lobes && layer.holds_depth()) filter = &weighed_filter("triangle");
    // Layers with the same filter share its tables.
    for (const ResizePlan::Layer& made : resize_.layers)
      if (made.method == ResizeMethod::weighed && made.filter == filter->name) return made;
    const std::shared_ptr<const WeighedAxes> axes = recently_in_run<WeighedAxes>(
        context.run, tables_name(p, *filter), [&] { return make_tables(p, *filter); });
    return {ResizeMethod::weighed, Values::linear, {axes, &axes->columns},
            {axes, &axes->rows},   filter->name,   {},
            axes->on_card};
  }

  // Names everything on which the tables depend.
  std::string tables_name(const Resize& p, const ResampleFilter& filter) const {
    const auto axis = [](const AxisGeometry& a) {
      return fmt::format("{} {} {} {} {} {}", a.origin, a.out_origin, a.in_size, a.out_size,
                         a.data_low, a.data_high);
    };
    const Rect& out = resize_.output_window;
    return fmt::format("{}, {}, {} {} {} {}, {} {} {}, {}", axis(resize_.horizontal),
                       axis(resize_.vertical), out.x, out.y, out.width, out.height, filter.name,
                       p.antialias, static_cast<int>(p.border), p.clamp_ringing);
  }
  std::shared_ptr<const WeighedAxes> make_tables(const Resize& p,
                                                 const ResampleFilter& filter) const {
    const auto table = [&](const AxisGeometry& axis, int low, int high) {
      return make_axis_table(axis, low, high, filter, p.antialias, p.border);
    };
    const Rect& out = resize_.output_window;
    return std::make_shared<WeighedAxes>(WeighedAxes{table(resize_.horizontal, out.x, out.right()),
                                                     table(resize_.vertical, out.y, out.bottom())});
  }

  // Up to the size that a card without fast doubles can also read as a texture in pitched memory.
  static bool is_doubled(const AxisGeometry& axis) {
    return axis.out_size == 2 * axis.in_size && axis.in_size <= 32768;
  }

  ResizePlan resize_;
};

}  // namespace

std::span<const Choice<ResizeFilter>> choices_of(ResizeFilter) {
  static const std::vector<Choice<ResizeFilter>> choices = [] {
    std::vector<Choice<ResizeFilter>> all = {
        {ResizeFilter::point, "point", "the nearest texel, copied", "nearest"},
        {ResizeFilter::linear, "linear", "the texture unit's filter; triangle when shrinking",
         "bilinear"},
        {ResizeFilter::trilinear, "trilinear",
         "the texture unit's, on halved pictures; linear when enlarging"}};
    for (const ResampleFilter& filter : resample_filters())
      all.push_back(
          {static_cast<ResizeFilter>(all.size()), filter.name, filter.formula, filter.alias});
    return all;
  }();
  return choices;
}

ResizeFilter resize_filter_named(std::string_view name) { return choice_named<ResizeFilter>(name); }

std::unique_ptr<Operation> make_resize(const Resize& resize, const Spec& input,
                                       const StageContext& context) {
  if (resize.filter == ResizeFilter::trilinear && resize.antialias) {
    const ScaledSize scaled = scaled_size(resize, input.display_window);
    if (shrinks(scaled, input.display_window))
      return make_trilinear(resize, scaled, input, context);
  }
  return std::make_unique<ResizeOperation>(resize, input, context);
}

StageDescription resize_stage() {
  return describe<Resize>("resize", "scale to a size", Kind::filter)
      .param("size", &Resize::size, "WxH in pixels (0: keep the aspect) or percent")
      .param("filter", &Resize::filter, "filter that mixes the pixels")
      .param("antialias", &Resize::antialias, "widen the filter when shrinking")
      .param("clamp-ringing", &Resize::clamp_ringing,
             "limit results to the range of the texels that are mixed, per axis")
      .param("border", &Resize::border, "what lies beyond the picture's edge")
      .param("enlarge", &Resize::enlarge, "enlarge pictures that are smaller than the size")
      .param("fit", &Resize::fit, "keep the aspect, inside the size")
      .param("fill", &Resize::fill, "keep the aspect, cover the size and cut off the rest")
      .param("gravity", &Resize::gravity, "the part that --fill keeps")
      .details(
          "Output pixel x lies at (x + 0.5) * in / out - 0.5 in the input, computed exactly from "
          "the sizes. Colour is mixed in linear light with premultiplied alpha, unless --raw is "
          "given. The filter's weights are multiples of 2^-23 that sum to exactly 1. A constant "
          "therefore stays exactly as it is if its products with the weights are exact, as for an "
          "opaque alpha; otherwise it may differ by the rounding of the sums.\n\nWhen enlarging, "
          "linear is the texture unit's filter, with 256 positions between two texels; when an "
          "axis shrinks with antialiasing, it means triangle on both axes. Filters with negative "
          "lobes (cubic, lanczos) ring around highlights; --clamp-ringing prevents that. For depth "
          "channels triangle replaces these filters; ids always use point.\n\ntrilinear is for "
          "previews that shrink. It reads with the texture unit between two levels of a chain of "
          "halved pictures, which is faster and less sharp than the filters that weight every "
          "texel. It works on the display window, as warps do, and blurs both axes where one "
          "shrinks.\n\n--border continues the picture from each edge of the data window that lies "
          "on the display window's edge or beyond it (overscan); wrap needs this on both sides. "
          "Beyond an edge inside the display window, pixels are zero. The data window is only "
          "scaled: what a filter spreads beyond it is cut off, whereas blur enlarges it.\n\nThe "
          "pixel aspect stays what the file says, as with oiiotool, even if width and height "
          "change by different factors. If that makes squeezed pixels square, add --set "
          "pixelAspectRatio=1.")
      .example("cuimg resize --filter linear in.exr out.exr")
      .example("cuimg resize --size 1920x0 photo.jpg small.png")
      .check([](const Resize& p) {
        if (p.fit && p.fill)
          throw Error("resize", "--fit and --fill exclude each other", "give one");
        check_placing(p);
      })
      .prepare(make_resize);
}

}  // namespace cuimg
