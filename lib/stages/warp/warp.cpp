// SPDX-License-Identifier: Apache-2.0
// The operation behind warps: chooses how each layer is read, and measures how much the picture
// shrinks.
#include "stages/warp/warp.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "device/on_device.h"
#include "kernels/texture/mip_sides.h"
#include "kernels/warp/footprint.h"
#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"
#include "stages/pass/conversion.h"
#include "stages/resample/texture_view.h"
#include "stages/warp/make_map.h"
#include "stages/warp/mip_levels.h"
#include "stages/warp/texels_read.h"

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
  double most = 1;  ///< Source texels per pixel.
};

// Searched on a grid that includes the corners, where maps have their extremes.
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
  // Towards a horizon pictures shrink without limit. A margin for steps between the grid's pixels.
  result.anywhere = result.anywhere || hidden;
  result.most = hidden ? 2.0 * largest_side : 1.5 * result.most;
  return result;
}

// If all pixels have the same level of detail, the full-size picture may not be read at all.
int first_level_read(const AffineMap& map) { return level_of_detail_256(map.slope) >= 256 ? 1 : 0; }
template <class Map>
int first_level_read(const Map&) {
  return 0;
}

// Whether a linear read of four texels with this value gives exactly the value: the texture unit
// truncates terms that are next to nothing.
bool is_ordinary(float v) {
  const float magnitude = std::fabs(v);
  return v == 0 || (magnitude >= 0x1p-60f && magnitude <= 0x1p60f);
}

class WarpOperation final : public Operation {
 public:
  WarpOperation(const WarpOptions& p, const Spec& input, const Rect& window, const WarpMap& map,
                bool raw)
      : Operation(OperationPlan(input)), reads_(warp_, window) {
    plan_.output.data_window = plan_.output.display_window = window;
    warp_.map = map;
    warp_.texture = input.display_window;
    warp_.address = address_of(p.border);
    const bool reads_areas = p.antialias && p.filter != ReadFilter::point;
    const Shrinking shrinks = reads_areas ? shrinking(map, window) : Shrinking{};
    warp_.shrinks = shrinks.anywhere;
    const auto most = static_cast<unsigned>(std::min(shrinks.most, 2.0 * largest_side));
    if (warp_.shrinks && p.filter == ReadFilter::trilinear) {
      require_mip_sides("the picture", warp_.texture.width, warp_.texture.height);
      warp_.shrinks = false;
      warp_.last_level = std::min(static_cast<int>(std::bit_width(most)),
                                  last_mip_level(warp_.texture.width, warp_.texture.height));
      map.visit([this](const auto& m) { warp_.first_level = first_level_read(m); });
    } else if (warp_.shrinks) {
      const auto side = static_cast<unsigned>(std::max(warp_.texture.width, warp_.texture.height));
      warp_.last_level = std::clamp(static_cast<int>(std::bit_width(most)) - 2, 0,
                                    static_cast<int>(std::bit_width(side - 1)));
    }
    plan_.reads_scattered = true;
    plan_.window = input.display_window;
    plan_.runs_whole = warp_.last_level > 0;  // the levels are made once for all rows
    plan_.works_in_tiles = !plan_.runs_whole;
    plan_.cost_ns = 0;
    for (std::size_t i = 0; i < input.layers.size(); ++i)
      add_layer(warp_layer(p, input, input.layers[i], raw), input, raw);
  }

  Rect needed(const Rect& region) const override {
    // Computing every position costs as much as some reads do; and a row that runs across the
    // picture reads most of its other axis anyway.
    const bool is_cheap = warp_.map.is_affine();
    const bool is_band = region.width == output().data_window.width;
    return plan_.runs_whole || (is_band && !is_cheap) ? warp_.texture : reads_(region);
  }
  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    const WarpPlan::Layer& how = warp_.layers[static_cast<std::size_t>(layer)];
    on_device<warp_on_cpu, warp_on_cuda>(queue, warp_, how, sources.front(), target);
  }

 private:
  // Plans the next layer of the output.
  void add_layer(const WarpPlan::Layer& layer, const Spec& input, bool raw) {
    const std::size_t i = warp_.layers.size();
    LayerSpec& made = plan_.output.layers[i];
    plan_.explanation.push_back("layer " + made.label() + ": " + how(layer));
    plan_.layers[i].values = layer.values;
    plan_.layers[i].storage = layer.in_rows ? Storage::pitched : Storage::array;
    plan_.cost_ns += layer.method == WarpMethod::nearest    ? 5
                     : layer.method == WarpMethod::filtered ? 150
                     : layer.method == WarpMethod::levels   ? 200
                                                            : 30;
    plan_.layers[i].takes_nearest_ids = made.holds_ids();
    warp_.layers.push_back(layer);
    if (layer.method == WarpMethod::nearest) return;
    made.type = PixelType::f32;
    plan_.layers[i].stores_stored_forms = true;
    plan_.layers[i].maps_srgb8_codes =
        layer.method == WarpMethod::texture_unit && std::ranges::all_of(layer.border, is_ordinary);
    if (made.is_color() && layer.values == Values::linear)
      plan_.output.color = mixed_color(input, raw);
  }

  std::string how(const WarpPlan::Layer& layer) const {
    if (layer.method == WarpMethod::nearest) return "copies the nearest texels";
    if (layer.method == WarpMethod::levels)
      return "reads through the texture unit's trilinear filter, of " +
             std::to_string(warp_.last_level + 1) + " levels";
    std::string text = layer.cubic ? "weights 4x4 texels by cubic"
                                   : "reads through the texture unit's linear filter";
    if (warp_.shrinks)
      text += "; where it shrinks, weights all texels under a pixel, over " +
              std::to_string(warp_.last_level) + " halved pictures";
    return text;
  }

  WarpPlan::Layer warp_layer(const WarpOptions& p, const Spec& input, const LayerSpec& layer,
                             bool raw) const {
    WarpPlan::Layer result{WarpMethod::filtered,
                           Values::linear,
                           false,
                           border_values(p.border_color, input, layer),
                           stored_color(p.border_color, input, layer, raw),
                           false};
    if (p.filter == ReadFilter::point || layer.holds_ids()) {
      result.method = WarpMethod::nearest;
      result.values = Values::stored;
      result.in_rows = true;
      return result;
    }
    result.cubic = p.filter == ReadFilter::cubic && !layer.holds_depth();
    if (p.filter == ReadFilter::trilinear && warp_.last_level > 0) {
      result.method = WarpMethod::levels;
      result.in_rows = true;
      return result;
    }
    result.in_rows = result.cubic || warp_.shrinks;
    if (result.in_rows) return result;
    result.method = WarpMethod::texture_unit;
    if (is_light_as_stored(input, layer, raw)) result.values = Values::stored;
    const bool is_float = result.values == Values::linear || layer.type == PixelType::f32;
    const bool are_four_floats = is_float && layer.channels.size() > 2;
    const bool pairs = are_four_floats && !warp_.is_periodic() && warp_.map.is_affine();
    result.in_rows = pairs || (warp_.is_periodic() && !warp_.repeats_by_unit());
    return result;
  }

  WarpPlan warp_;
  TexelsRead reads_;
};

}  // namespace

const std::string_view warp_details =
    "It works on the display window: pixels of the data window outside it are dropped, and where "
    "the data window does not cover it pixels are zero. linear reads as the texture unit does, "
    "which rounds a position to 1/256 texel; cubic does not round it. Where more than 1.1 texels "
    "fall on a pixel, they are weighted over its elliptical footprint (Heckbert 1989). Ids, and "
    "all values with --filter point, are copied as they are. The border's colour falls off within "
    "a pixel of the edge.\n\n--filter trilinear is for previews of pictures that shrink. It reads "
    "with the texture unit between two levels of a chain of halved pictures, each the box mean of "
    "the one before. It is faster than the ellipse and less sharp: a square of texels replaces the "
    "pixel's footprint. The square is as wide as the longer of the steps to the next pixel across "
    "and down (its log2 in 1/256), so a picture that shrinks along one axis is blurred along both. "
    "Where nothing shrinks it is linear. Sides may be up to 32768 pixels long.\n\n--make-map "
    "instead makes an image with two floats, R and G: the position in the input's display window "
    "at which each pixel is read. remap --map takes it with the same --coords. Only the input's "
    "size counts. Write it to a float format, such as EXR: integers hold 0 to 1. Until then, later "
    "stages use the coordinates as they are, and use a second image's values as its file stores "
    "them; next to a map that is read from EXR, a second image's values are light. A pixel that "
    "would show no point of the input's plane holds -1, -1, or with pixel coordinates minus the "
    "size. stmap is for Nuke: 0, 0 is the lower left corner.";

Sampler WarpPlan::sampler(const Layer& layer) const {
  Sampler sampler;
  sampler.address[0] = sampler.address[1] = address == Address::border ? address : Address::clamp;
  std::copy(layer.border.begin(), layer.border.end(), sampler.border);
  return sampler;
}

Sampler WarpPlan::normalized_sampler(const Layer& layer) const {
  Sampler sampler;
  sampler.normalized = true;
  sampler.address[0] = sampler.address[1] = address;
  std::copy(layer.border.begin(), layer.border.end(), sampler.border);
  return sampler;
}

bool WarpPlan::repeats_by_unit() const {
  return is_periodic() && std::max(texture.width, texture.height) <= longest_normalized_side;
}

std::unique_ptr<Operation> make_warp(const WarpOptions& p, const Spec& input, const Rect& window,
                                     const WarpMap& map, bool raw) {
  if (p.make_map) return make_map(input, window, map, *p.make_map);
  return std::make_unique<WarpOperation>(p, input, window, map, raw);
}

}  // namespace cuimg
