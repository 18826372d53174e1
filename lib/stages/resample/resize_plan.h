// SPDX-License-Identifier: Apache-2.0
// The plan of a resize for one input: both axes' geometry and tables, and the passes on both
// devices.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "device/per_card.h"
#include "options/values.h"
#include "stages/resample/resample_table.h"
#include "stages/stage.h"

namespace cuimg {

/// A card's tables for the axes; defined in the .cu files that make them.
struct ResizePositions;
struct WeighedTables;

/// How a layer's pixels are computed.
enum class ResizeMethod : std::uint8_t {
  nearest,       ///< whole texels are copied, whatever their type
  texture_unit,  ///< the texture unit's linear filter
  weighed,       ///< float texels multiplied by the tables' weights
};

/// Both axes of a weighted layer: the same for all inputs of one size.
struct WeighedAxes {
  AxisTable columns, rows;
  PerCard<WeighedTables> on_card = {};
};

/// Everything that a device needs for one input.
struct ResizePlan {
  AxisGeometry horizontal, vertical;
  bool clamp_ringing = false;
  Border border = Border::clamp;
  Rect data_window, display_window;  ///< The input's windows.
  Rect output_window;                ///< The output's data window.
  struct Layer {
    ResizeMethod method;
    Values values;
    std::shared_ptr<const AxisTable> columns, rows;  ///< For ResizeMethod::weighed.
    std::string_view filter;
    /// The tables on cards.
    PerCard<ResizePositions> positions_on_card = {};
    PerCard<WeighedTables> weighed_on_card = {};
  };
  std::vector<Layer> layers;

  /// The same for a part of the output and one layer, with separate tables.
  ResizePlan part(const Rect& output, const Layer& layer) const;

  /// Source coordinates that outputs [from, to) of an axis read. They may pass the data window
  /// by one if the texture unit reads over its edge.
  std::pair<int, int> reach(const Layer& layer, bool is_horizontal, int from, int to) const;
};

/// @name Resizes one layer from source to target, on a device.
/// @{
void resize_on_cpu(const ResizePlan& plan, const ResizePlan::Layer& layer, const Frame& source,
                   const Frame& target);
void resize_on_cuda(const Queue& queue, const ResizePlan& plan, const ResizePlan::Layer& layer,
                    const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
