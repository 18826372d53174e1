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

/// What a card reads an axis' tables from; complete in the .cu files that make them.
struct ResizePositions;
struct WeighedTables;

/// How a layer's pixels are made.
enum class ResizeMethod : std::uint8_t {
  nearest,       ///< whole texels are copied, whatever their type
  texture_unit,  ///< the texture unit's linear filter
  weighed,       ///< float texels times the tables' weights
};

/// Both axes of a weighed layer: the same for all inputs of one size.
struct WeighedAxes {
  AxisTable columns, rows;
  PerCard<WeighedTables> on_card = {};
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
    /// The tables as a card has them.
    PerCard<ResizePositions> positions_on_card = {};
    PerCard<WeighedTables> weighed_on_card = {};
  };
  std::vector<Layer> layers;

  /// The same for a part of the output and one layer, with tables of their own.
  ResizePlan part(const Rect& output, const Layer& layer) const;

  /// Source coordinates that outputs [from, to) of an axis read, which may pass the data window
  /// by one where the texture unit reaches over its edge.
  std::pair<int, int> reach(const Layer& layer, bool is_horizontal, int from, int to) const;
};

/// @name One layer, source to target, on a device.
/// @{
void resize_on_cpu(const ResizePlan& plan, const ResizePlan::Layer& layer, const Frame& source,
                   const Frame& target);
void resize_on_cuda(const Queue& queue, const ResizePlan& plan, const ResizePlan::Layer& layer,
                    const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
