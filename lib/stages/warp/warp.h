// SPDX-License-Identifier: Apache-2.0
// Code that all warps share: each defines where its pixels come from; reading, filtering and
// borders are the same for all.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/texture/texture.h"
#include "kernels/warp/warp_maps.h"
#include "options/values.h"
#include "stages/description.h"
#include "stages/pass/border_color.h"
#include "stages/stage.h"
#include "stages/warp/coordinates.h"
#include "stages/warp/read_filter.h"

namespace cuimg {

/// The options of every warp. A stage's struct derives from it.
struct WarpOptions {
  ReadFilter filter = ReadFilter::linear;  ///< Where pixels are not copied.
  bool antialias = true;
  Border border = Border::border;
  Color border_color;
  std::optional<Coordinates> make_map;  ///< The coordinates are made in place of the picture.
};

/// Puts them into a description.
template <class Struct>
StageDescribe<Struct>& describe_warp(StageDescribe<Struct>& description) {
  return description.ends_environment()
      .param("filter", static_cast<ReadFilter Struct::*>(&WarpOptions::filter),
             "how texels are read")
      .param("antialias", static_cast<bool Struct::*>(&WarpOptions::antialias),
             "where the picture shrinks, mix all texels that a pixel covers")
      .param("border", static_cast<Border Struct::*>(&WarpOptions::border),
             "what lies beyond the picture's edge")
      .param("border-color", static_cast<Color Struct::*>(&WarpOptions::border_color),
             border_color_help)
      .param("make-map", static_cast<std::optional<Coordinates> Struct::*>(&WarpOptions::make_map),
             "instead of the picture, make a map for remap: the coordinates that are read");
}
/// What help says about reading, for every warp.
extern const std::string_view warp_details;

/// How one layer's pixels are made.
enum class WarpMethod : std::uint8_t {
  nearest,       ///< whole texels are copied, whatever their type
  texture_unit,  ///< the texture unit's linear filter
  filtered,      ///< float texels: linear or cubic, and over their footprint where they shrink
  levels,        ///< float texels: between the levels of a mipmapped texture
};

/// Everything a device needs, for one input.
struct WarpPlan {
  WarpMap map;
  Rect texture;  ///< The input's display window.
  Address address = Address::border;
  bool shrinks = false;  ///< Somewhere more than a linear read sees.
  int last_level = 0;    ///< Halved pictures that footprints need, or levels after the first.
  int first_level = 0;   ///< 1: of WarpMethod::levels no pixel reads the picture itself.
  struct Layer {
    WarpMethod method;
    Values values;
    bool cubic;
    std::array<float, 4> border;  ///< Float, in the order of the layer's channels,
    StoredTexel fill;             ///< and as the layer stores it.
    bool in_rows;                 ///< Where a card wants its texels; else in an array.
  };
  std::vector<Layer> layers;

  /// For the texture unit in texels: it knows clamp and border.
  Sampler sampler(const Layer& layer) const;
  /// For normalised coordinates: any address mode, and levels.
  Sampler normalized_sampler(const Layer& layer) const;
  /// Whether its own address modes repeat or mirror the picture between the same texels.
  bool repeats_by_unit() const;
  bool is_periodic() const { return address == Address::wrap || address == Address::mirror; }
};

/// The texels of the next halved picture. Where a colour lies outside there is a margin of one on
/// each side: what the edge lends to texels beyond it stays, or shrunk pictures would lose light.
/// @param finer the level before; the picture itself starts at (0, 0). Sides: halved_side().
inline Rect halved_region(const Rect& finer, Address address) {
  const int margin = address == Address::border ? 1 : 0;
  const int width = finer.width + 2 * finer.x, height = finer.height + 2 * finer.y;
  return {-margin, -margin, (width + 1) / 2 + 2 * margin, (height + 1) / 2 + 2 * margin};
}

/// @param window the output's display and data window.
std::unique_ptr<Operation> make_warp(const WarpOptions& p, const Spec& input, const Rect& window,
                                     const WarpMap& map, bool raw);

/// @name One layer, source to target, on a device.
/// @param source all of the texture; on the CPU, where there are no halved pictures, what
/// TexelsRead says of the target's region is enough.
/// @{
void warp_on_cpu(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                 const Frame& source, const Frame& target);
/// WarpMethod::levels. @param source all of the texture.
void warp_levels_on_cpu(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                        const Frame& source, const Frame& target);
void warp_on_cuda(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                  const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
