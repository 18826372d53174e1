// SPDX-License-Identifier: Apache-2.0
// Parts of a resize's plan, and the source pixels that they read.
#include "stages/resample/resize_plan.h"

#include <algorithm>
#include <cstdint>

namespace cuimg {

ResizePlan ResizePlan::part(const Rect& output, const Layer& layer) const {
  ResizePlan cut = *this;
  cut.output_window = output;
  cut.layers = {{layer.method, layer.values, nullptr, nullptr, layer.filter}};
  if (layer.method != ResizeMethod::weighed) return cut;
  Layer& only = cut.layers.front();
  only.columns = std::make_shared<AxisTable>(layer.columns->part(output.x, output.right()));
  only.rows = std::make_shared<AxisTable>(layer.rows->part(output.y, output.bottom()));
  return cut;
}

std::pair<int, int> ResizePlan::reach(const Layer& layer, bool is_horizontal, int from,
                                      int to) const {
  const AxisGeometry& axis = is_horizontal ? horizontal : vertical;
  if (layer.method == ResizeMethod::weighed)
    return (is_horizontal ? layer.columns : layer.rows)->reach(from, to);
  if (layer.method == ResizeMethod::nearest) {
    int low = INT32_MAX, high = INT32_MIN;
    for (int x = from; x < to; ++x) {
      const int i = axis.nearest(x, border);
      if (i == AxisGeometry::nothing) continue;
      low = std::min(low, i);
      high = std::max(high, i + 1);
    }
    return low < high ? std::pair{low, high} : std::pair{0, 0};
  }
  const int low = static_cast<int>(axis.fixed_point(from) >> 8);
  const int high = static_cast<int>(axis.fixed_point(to - 1) >> 8) + 2;
  if (border == Border::wrap) return {low, high};
  // Outputs that are more than a texel beyond the data window read its edge.
  return {std::min(low, axis.data_high - 1), std::max(high, axis.data_low + 1)};
}

}  // namespace cuimg
