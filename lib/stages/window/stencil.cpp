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
  // What a pixel reads to its right makes the picture grow to the left.
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

// Whether what lies in [low, high) is seen from beyond the other edges of the frame.
bool passes(int low, int high, int reach_low, int reach_high, int frame_low, int frame_high) {
  return low - reach_high < frame_low || high + reach_low > frame_high;
}

// A border that brings the picture back brings back the zeros around its data window too.
InputWindow window_for(const Spec& input, Border border, const Reach& reach) {
  if (border != Border::wrap && border != Border::mirror) return InputWindow::data;
  const Rect &data = input.data_window, &frame = input.display_window;
  const bool is_seen =
      passes(data.x, data.right(), reach.left, reach.right, frame.x, frame.right()) ||
      passes(data.y, data.bottom(), reach.up, reach.down, frame.y, frame.bottom());
  return is_seen ? InputWindow::both : InputWindow::data;
}

Spec in_window(Spec input, InputWindow window) {
  input.data_window = input_window(input, window);
  return input;
}

// What has passed an edge comes in at the opposite one; mirrored it lies where it was, or before.
Rect output_window(const Spec& input, Border border, const Reach& reach) {
  const Rect &data = input.data_window, &frame = input.display_window;
  Rect made = grown_window(data, frame, reach);
  if (border != Border::wrap) return made;
  if (passes(data.x, data.right(), reach.left, reach.right, frame.x, frame.right()))
    made = bounding(made, {frame.x, made.y, frame.width, made.height});
  if (passes(data.y, data.bottom(), reach.up, reach.down, frame.y, frame.bottom()))
    made = bounding(made, {made.x, frame.y, made.width, frame.height});
  return made;
}

}  // namespace

Stencil::Stencil(const Spec& input, Border border, const Reach& how_far,
                 const std::vector<Values>& values, bool raw)
    : surround(in_window(input, window_for(input, border, how_far)), border),
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
      [surround = stencil.surround, reach](const Rect& r) {
        return surround.sources({r.x - reach.left, r.y - reach.up,
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
