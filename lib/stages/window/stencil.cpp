// SPDX-License-Identifier: Apache-2.0
#include "stages/window/stencil.h"

#include <algorithm>
#include <utility>

#include "build_config.h"
#include "stages/pass/conversion.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

std::vector<Values> light_but_ids(const Spec& input) {
  std::vector<Values> values;
  for (const LayerSpec& layer : input.layers)
    values.push_back(layer.type == PixelType::u32 ? Values::stored : Values::linear);
  return values;
}

}  // namespace

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
  hides = hides && !input.color.premultiplied && !raw;
  std::vector<Values> values;
  for (const LayerSpec& layer : input.layers)
    values.push_back(hides && layer.is_color() && layer.type != PixelType::u32 ? Values::linear
                                                                               : Values::stored);
  return values;
}

StencilOperation::StencilOperation(const Spec& input, Border border, const Reach& reach, bool raw)
    : StencilOperation(input, border, reach, light_but_ids(input), raw) {}

StencilOperation::StencilOperation(const Spec& input, Border border, const Reach& reach,
                                   std::vector<Values> values, bool raw)
    : output_(input), surround_(input, border), reach_(reach), values_(std::move(values)) {
  output_.data_window = grown_window(input.data_window, input.display_window, reach);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] == Values::stored) continue;
    LayerSpec& layer = output_.layers[i];
    layer.type = PixelType::f32;
    if (layer.is_color()) output_.color = mixed_color(input, raw);
  }
}

bool StencilOperation::is_id(int layer) const {
  return output_.layers[static_cast<std::size_t>(layer)].type == PixelType::u32;
}

Rect StencilOperation::needed(const Rect& r) const {
  return surround_.sources({r.x - reach_.left, r.y - reach_.up,
                            r.width + reach_.left + reach_.right,
                            r.height + reach_.up + reach_.down});
}

void StencilOperation::run(const Queue& queue, int layer, Frames sources,
                           const Frame& target) const {
  const Frame& source = sources.front();
  if (!is_id(layer)) return filter(queue, layer, source, target);
  const PixelPass pass = moving_pass(output_.layers[static_cast<std::size_t>(layer)]);
  if constexpr (build::has_cuda)
    if (queue.is_cuda()) return run_pass_on_cuda(queue, pass, source, target);
  run_pass_on_cpu(pass, source, target);
}

}  // namespace cuimg
