// SPDX-License-Identifier: Apache-2.0
// The operation behind warps: which layer is read how, and how much the picture shrinks.
#include "stages/warp/warp.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "build_config.h"
#include "kernels/warp/footprint.h"
#include "stages/pass/conversion.h"
#include "stages/resample/texture_view.h"

namespace cuimg {
namespace {

double larger_singular_value(const WarpDerivative& d) {
  const double squares =
      double{d.xx} * d.xx + double{d.xy} * d.xy + double{d.yx} * d.yx + double{d.yy} * d.yy;
  const double determinant = double{d.xx} * d.yy - double{d.xy} * d.yx;
  const double rest = squares * squares - 4 * determinant * determinant;
  return std::sqrt((squares + std::sqrt(std::max(rest, 0.0))) / 2);
}

struct Shrinking {
  bool anywhere = false;
  double most = 1;  ///< Source texels for a pixel.
};

// Looked for on a grid: corners, where maps have their extremes, are on it.
Shrinking shrinking(const WarpMap& map, const Rect& window) {
  static constexpr int steps = 32;
  Shrinking result;
  bool hidden = false;
  map.visit([&](const auto& m) {
    for (int j = 0; j <= steps; ++j)
      for (int i = 0; i <= steps; ++i) {
        WarpPosition position;
        WarpDerivative slope;
        const auto along = [](int size, int step) {
          return static_cast<int>(std::int64_t{size - 1} * step / steps);
        };
        if (!m.at(window.x + along(window.width, i), window.y + along(window.height, j), position,
                  slope)) {
          hidden = true;
          continue;
        }
        if (reads_unfiltered(slope)) continue;
        result.anywhere = true;
        const double factor = larger_singular_value(slope);
        result.most = factor > result.most ? factor : result.most;
        if (!std::isfinite(factor)) hidden = true;
      }
  });
  // Towards a horizon pictures shrink without end. Between the grid's pixels a little more.
  result.anywhere = result.anywhere || hidden;
  result.most = hidden ? 2.0 * largest_side : 1.5 * result.most;
  return result;
}

bool holds_depth(const LayerSpec& layer) {
  return std::any_of(layer.channels.begin(), layer.channels.end(),
                     [](const std::string& c) { return c == "Z" || c == "ZBack"; });
}

class WarpOperation final : public Operation {
 public:
  WarpOperation(const WarpOptions& p, const Spec& input, const Rect& window, const WarpMap& map,
                bool raw)
      : output_(input), texture_window_(input.display_window) {
    output_.data_window = output_.display_window = window;
    plan_.map = map;
    plan_.address = address_of(p.border);
    const bool reads_areas = p.antialias && p.filter != ReadFilter::point;
    const Shrinking shrinks = reads_areas ? shrinking(map, window) : Shrinking{};
    plan_.shrinks = shrinks.anywhere;
    if (plan_.shrinks) {
      const auto side =
          static_cast<unsigned>(std::max(texture_window_.width, texture_window_.height));
      const auto most = static_cast<unsigned>(std::min(shrinks.most, 2.0 * largest_side));
      plan_.last_level = std::clamp(static_cast<int>(std::bit_width(most)) - 2, 0,
                                    static_cast<int>(std::bit_width(side - 1)));
    }
    for (const LayerSpec& layer : input.layers)
      plan_.layers.push_back(plan_for(p, input, layer, raw));
    for (std::size_t i = 0; i < input.layers.size(); ++i) {
      const WarpPlan::Layer& layer = plan_.layers[i];
      if (layer.method == WarpMethod::nearest) continue;
      output_.layers[i].type = PixelType::f32;
      if (input.layers[i].is_color() && layer.values == Values::linear)
        output_.color = mixed_color(input, raw);
    }
  }

  const Spec& output() const override { return output_; }
  Rect needed(const Rect&) const override { return texture_window_; }
  Values values(int layer) const override { return of(layer).values; }
  bool reads_scattered() const override { return true; }
  bool wants_display_window() const override { return true; }
  // Levels are made once for all rows.
  bool runs_whole() const override { return plan_.last_level > 0; }
  Storage storage(int layer) const override {
    return of(layer).in_rows ? Storage::pitched : Storage::array;
  }
  double cost_ns() const override {
    double ns = 0;
    for (const WarpPlan::Layer& layer : plan_.layers)
      ns += layer.method == WarpMethod::nearest    ? 5
            : layer.method == WarpMethod::filtered ? 150
                                                   : 30;
    return ns;
  }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const Frame& source = sources.front();
    if constexpr (build::has_cuda)
      if (queue.is_cuda()) return warp_on_cuda(queue, plan_, of(layer), source, target);
    warp_on_cpu(queue, plan_, of(layer), source, target);
  }
  std::vector<std::string> explanation() const override {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < plan_.layers.size(); ++i) {
      const std::string& name = output_.layers[i].name;
      lines.push_back("layer " + (name.empty() ? output_.layers[i].channels.front() : name) + ": " +
                      how(plan_.layers[i]));
    }
    return lines;
  }

 private:
  const WarpPlan::Layer& of(int layer) const {
    return plan_.layers[static_cast<std::size_t>(layer)];
  }

  std::string how(const WarpPlan::Layer& layer) const {
    if (layer.method == WarpMethod::nearest) return "copies the nearest texels";
    std::string text = layer.cubic ? "weighs 4x4 texels by cubic"
                                   : "reads through the texture unit's linear filter";
    if (plan_.shrinks)
      text += "; where it shrinks, weighs all texels under a pixel, over " +
              std::to_string(plan_.last_level) + " halved pictures";
    return text;
  }

  WarpPlan::Layer plan_for(const WarpOptions& p, const Spec& input, const LayerSpec& layer,
                           bool raw) const {
    WarpPlan::Layer result{WarpMethod::filtered,
                           Values::linear,
                           false,
                           border_values(p.border_color, layer),
                           stored_color(p.border_color, input, layer, raw),
                           false};
    if (p.filter == ReadFilter::point || layer.type == PixelType::u32) {
      result.method = WarpMethod::nearest;
      result.values = Values::stored;
      result.in_rows = true;
      return result;
    }
    result.cubic = p.filter == ReadFilter::cubic && !holds_depth(layer);
    if (result.cubic || plan_.shrinks) return result;
    result.method = WarpMethod::texture_unit;
    if (is_light_as_stored(input, layer, raw)) result.values = Values::stored;
    const bool is_float = result.values == Values::linear || layer.type == PixelType::f32;
    const bool are_four_floats = is_float && layer.channels.size() > 2;
    result.in_rows = plan_.is_periodic() || (are_four_floats && plan_.map.holds<AffineMap>());
    return result;
  }

  Spec output_;
  Rect texture_window_;
  WarpPlan plan_;
};

}  // namespace

const std::string_view warp_details =
    "It works on the display window: what the data window has beyond it is dropped, what it lacks "
    "is zero. Reads of linear follow the texture unit, a position is rounded to 1/256 texel; where "
    "more than 1.1 texels fall on a pixel they are weighed over its elliptical footprint (Heckbert "
    "1989). Ids, and --filter point, are copied as they are. The border's colour falls off within "
    "a pixel of the edge.";

Sampler WarpPlan::sampler(const Layer& layer) const {
  Sampler sampler;
  sampler.address[0] = sampler.address[1] = address == Address::border ? address : Address::clamp;
  std::copy(layer.border.begin(), layer.border.end(), sampler.border);
  return sampler;
}

std::unique_ptr<Operation> make_warp(const WarpOptions& p, const Spec& input, const Rect& window,
                                     const WarpMap& map, bool raw) {
  return std::make_unique<WarpOperation>(p, input, window, map, raw);
}

}  // namespace cuimg
