// SPDX-License-Identifier: Apache-2.0
#include "stages/window/stencil.h"

#include <algorithm>
#include <utility>

#include "stages/pass/conversion.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
Rect grown_window(const Rect& data, const Rect& display, const Reach& reach) {
  const auto low = [](int edge, int limit, int by) {
    return edge <= limit ? edge : std::max(edge - by, limit);
  };
  const auto high = [](int edge, int limit, int by) {
    return edge >= limit ? edge : std::min(edge + by, limit);
  };
  // Pixels that read to their right make the picture grow to the left.
  return rect_from_edges(low(data.x, display.x, reach.right), low(data.y, display.y, reach.down),
                         high(data.right(), display.right(), reach.left),
                         high(data.bottom(), display.bottom(), reach.up));
}

std::vector<Values> values_for_order(const Spec& input, bool raw) {
  bool hides = false;
  for (const LayerSpec& layer : input.layers)
    hides = hides || (layer.is_color() && layer.alpha_index() >= 0);
  hides = hides && !input.color.premultiplied && input.color.alpha_covers && !raw;
  std::vector<Values> values;
  for (const LayerSpec& layer : input.layers)
    values.push_back(hides && layer.is_color() ? Values::linear : Values::stored);
  return values;
}

std::vector<Values> light_but_ids(const Spec& input) {
  std::vector<Values> values;
  for (const LayerSpec& layer : input.layers)
    values.push_back(layer.holds_ids() ? Values::stored : Values::linear);
  return values;
}

namespace {

// The pixels on an axis of an image, and the frame.
struct Span {
  int low, high;
};

// Whether pixels with this reach read [low, high) across the frame's edges.
bool passes(const Span& data, const Span& frame, int back, int ahead) {
  const bool looks = back > 0 || ahead > 0;
  return looks && (data.low - ahead < frame.low || data.high + back > frame.high);
}

struct Axes {
  Span columns, rows;
};
Axes axes_of(const Rect& r) { return {{r.x, r.right()}, {r.y, r.bottom()}}; }

// `window`, extended to the whole frame along axes on which the data pass it.
Rect widened(const Rect& window, const Spec& input, const Reach& reach) {
  const Axes data = axes_of(input.data_window), frame = axes_of(input.display_window);
  Axes made = axes_of(window);
  const auto widen = [](Span& span, const Span& by) {
    span = {std::min(span.low, by.low), std::max(span.high, by.high)};
  };
  if (passes(data.columns, frame.columns, reach.left, reach.right))
    widen(made.columns, frame.columns);
  if (passes(data.rows, frame.rows, reach.up, reach.down)) widen(made.rows, frame.rows);
  return rect_from_edges(made.columns.low, made.rows.low, made.columns.high, made.rows.high);
}

// A border that repeats the picture also repeats the zeros around its data window.
Rect window_for(const Spec& input, Border border, const Reach& reach) {
  const bool repeats = border == Border::wrap || border == Border::mirror;
  return repeats ? widened(input.data_window, input, reach) : input.data_window;
}

Spec in_window(Spec input, const Rect& window) {
  input.data_window = window;
  return input;
}

// Pixels that pass an edge appear at the opposite one; mirrored pixels remain on their side.
Rect output_window(const Spec& input, Border border, const Reach& reach) {
  const Rect made = grown_window(input.data_window, input.display_window, reach);
  return border == Border::wrap ? widened(made, input, reach) : made;
}

}  // namespace

Stencil::Stencil(const Spec& input, Border border, const Reach& how_far,
                 const std::vector<Values>& values, bool raw)
    : borders(in_window(input, window_for(input, border, how_far)), border),
      reach(how_far),
      plan(input) {
  plan.window = window_for(input, border, reach);
  plan.output.data_window = output_window(input, border, reach);
  plan.reads_scattered = reach.up + reach.down > 64;
  plan.works_in_tiles = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    plan.layers[i].values = values[i];
    if (values[i] == Values::stored) continue;
    LayerSpec& layer = plan.output.layers[i];
    layer.type = PixelType::f32;
    if (layer.is_color()) plan.output.color = mixed_color(input, raw);
  }
}

void Stencil::convert_on_card() {
  for (LayerPlan& layer : plan.layers)
    layer.loads_stored_forms = layer.stores_stored_forms = layer.values != Values::stored;
}

std::unique_ptr<Operation> make_stencil(Stencil stencil, StencilFilter filter) {
  const Reach reach = stencil.reach;
  const std::vector<LayerSpec> layers = stencil.plan.output.layers;
  return make_operation(
      std::move(stencil.plan),
      [borders = stencil.borders, reach](const Rect& r) {
        return borders.sources({r.x - reach.left, r.y - reach.up,
                                r.width + reach.left + reach.right,
                                r.height + reach.up + reach.down});
      },
      [layers, filter = std::move(filter)](const Queue& queue, int layer, Frames sources,
                                           const Frame& target) {
        const LayerSpec& spec = layers[static_cast<std::size_t>(layer)];
        if (spec.holds_ids()) return run_pass(queue, moving_pass(spec), sources.front(), target);
        filter(queue, layer, sources.front(), target);
      });
}

}  // namespace cuimg
