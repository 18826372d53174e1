// SPDX-License-Identifier: Apache-2.0
// Code that all warps share. Each warp defines its source positions; reading, filtering and borders
// are the same for all.
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
  ReadFilter filter = ReadFilter::linear;  ///< Used unless pixels are only copied.
  bool antialias = true;
  Border border = Border::border;
  Color border_color;
  std::optional<Coordinates> make_map;  ///< Outputs the coordinates instead of the picture.
};

/// Adds them to a description.
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
/// The part of the help about reading, for every warp.
extern const std::string_view warp_details;

/// How one layer's pixels are made.
enum class WarpMethod : std::uint8_t {
  nearest,       ///< whole texels are copied, whatever their type
  texture_unit,  ///< read with the texture unit's linear filter
  filtered,      ///< float texels: linear or cubic, averaged over their footprint where they shrink
  levels,        ///< float texels: between the levels of a mipmapped texture
};

/// Everything that a device needs for one input.
struct WarpPlan {
  WarpMap map;
  Rect texture;  ///< The input's display window.
  Address address = Address::border;
  bool shrinks = false;  ///< Whether a pixel covers more than a linear read anywhere.
  int last_level =
      0;  ///< The number of halved pictures that footprints need, or of levels after the first.
  int first_level = 0;  ///< 1: with WarpMethod::levels no pixel reads the full-size picture.
  struct Layer {
    WarpMethod method;
    Values values;
    bool cubic;
    /// The border's colour as float, in the order of the layer's channels,
    std::array<float, 4> border;
    StoredTexel fill;  ///< and as the layer stores it.
    bool in_rows;      ///< Whether a card needs the texels in rows instead of an array.
  };
  std::vector<Layer> layers;

  /// For the texture unit with coordinates in texels, which supports clamp and border.
  Sampler sampler(const Layer& layer) const;
  /// For normalised coordinates, with any address mode and levels.
  Sampler normalized_sampler(const Layer& layer) const;
  /// Whether the unit's own address modes repeat or mirror the picture with the same texels.
  bool repeats_by_unit() const;
  bool is_periodic() const { return address == Address::wrap || address == Address::mirror; }
};

/// The texels of the next halved picture. If outside pixels have a colour, there is a margin of one
/// on each side, which keeps the share that the edge gives to texels beyond it; otherwise shrunk
/// pictures would lose light.
/// @param finer the previous level; the full-size picture starts at (0, 0). For sides see
/// halved_side().
inline Rect halved_region(const Rect& finer, Address address) {
  const int margin = address == Address::border ? 1 : 0;
  const int width = finer.width + 2 * finer.x, height = finer.height + 2 * finer.y;
  return {-margin, -margin, (width + 1) / 2 + 2 * margin, (height + 1) / 2 + 2 * margin};
}

/// @param window the output's display and data window.
std::unique_ptr<Operation> make_warp(const WarpOptions& p, const Spec& input, const Rect& window,
                                     const WarpMap& map, bool raw);

/// @name Warps one layer from source to target, on a device.
/// @param source the whole texture. On the CPU, without halved pictures, the texels that TexelsRead
/// gives for the target's region are enough.
/// @{
void warp_on_cpu(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                 const Frame& source, const Frame& target);
/// For WarpMethod::levels. @param source the whole texture.
void warp_levels_on_cpu(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                        const Frame& source, const Frame& target);
void warp_on_cuda(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                  const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
