// SPDX-License-Identifier: Apache-2.0
// Resize: scaling to a size. Parameters, geometry, and what its two devices share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stages/gravity.h"
#include "stages/resample_table.h"
#include "stages/stage.h"
#include "stages/values.h"

namespace cuimg {

/// Point and linear read through the texture unit; the others, in the order of resample_filters(),
/// weigh texels that were read by point.
enum class ResizeFilter : std::uint8_t { point, linear, first_weighed };
std::span<const Choice<ResizeFilter>> choices_of(ResizeFilter);
/// The filter of that name, for defaults and tests. @throws Error when there is none.
ResizeFilter resize_filter_named(std::string_view name);

struct Resize {
  Size size = percent(50);
  ResizeFilter filter = resize_filter_named("lanczos3");
  bool antialias = true;
  bool clamp_ringing = false;
  Border border = Border::clamp;
  bool fit = false;
  bool fill = false;
  Gravity gravity = Gravity::center;  ///< Which part is kept where `fill` must cut.
};

/// Complete in resize_cuda.h.
struct CardTables;

/// How a layer's pixels are made.
enum class ResizeMethod : std::uint8_t {
  nearest,       ///< whole texels are copied, whatever their type
  texture_unit,  ///< the texture unit's linear filter
  weighed,       ///< float texels times the tables' weights
};

/// Everything a device needs, for one input.
struct ResizePlan {
  AxisGeometry horizontal, vertical;
  bool clamp_ringing = false;
  Border border = Border::clamp;
  Rect data_window, display_window;  ///< The input's.
  Rect output_window;                ///< The output's data window.
  struct Layer {
    ResizeMethod method;
    Values values;
    std::shared_ptr<const AxisTable> columns, rows;  ///< Of ResizeMethod::weighed.
    std::string_view filter;
    /// The tables as a card has them, kept from the first run on it.
    std::shared_ptr<CardTables> on_card;
  };
  std::vector<Layer> layers;

  /// Source coordinates that outputs [from, to) of an axis read, which may pass the data window
  /// by one where the texture unit reaches over its edge.
  std::pair<int, int> reach(const Layer& layer, bool is_horizontal, int from, int to) const;
};

/// An empty place for tables, or null in a build without CUDA.
std::shared_ptr<CardTables> make_card_tables();

/// @name One layer, source to target, on a device.
/// @{
void resize_on_cpu(const ResizePlan& plan, const ResizePlan::Layer& layer, const Frame& source,
                   const Frame& target);
void resize_on_cuda(const Queue& queue, const ResizePlan& plan, const ResizePlan::Layer& layer,
                    const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
