// SPDX-License-Identifier: Apache-2.0
// The coarse grid's geometry.
#include "stages/filter/coarse_gaussian.h"

#include <string>
#include <utility>

#include "device/on_device.h"
#include "stages/window/stencil.h"

namespace cuimg {
namespace {

// A run of pixels, or of cells.
struct Run {
  int low, high;
};

int cell_of(const GaussianAxis& axis, int origin, int pixel) {
  const int offset = pixel - origin;
  return offset >= 0 ? offset / axis.cell : -((-offset + axis.cell - 1) / axis.cell);
}

Run blurred_run(const GaussianAxis& axis, int origin, int low, int high) {
  if (!axis.is_coarse()) return {low, high};
  return {cell_of(axis, origin, low) - 1, cell_of(axis, origin, high - 1) + 2};
}

Run reduced_run(const GaussianAxis& axis, Run blurred, int low, int high) {
  if (!axis.is_coarse()) return {low, high};
  return {blurred.low + axis.kernel.low, blurred.high + axis.kernel.high()};
}

BorderAxis inside(int low, int high) { return {low, high, low, high, BorderRule::zero}; }

AxisTable expansion_of(const GaussianAxis& axis, int origin, int low, int high) {
  AxisTable table;
  table.first = low;
  table.stride = axis.is_coarse() ? 3 : 1;
  for (int x = low; x < high; ++x) {
    table.taps.push_back(table.stride);
    if (!axis.is_coarse()) {
      table.start.push_back(x);
      table.weights.push_back(1.0f);
      continue;
    }
    const int cell = cell_of(axis, origin, x);
    const auto weights = axis.expands.begin() + 3 * std::ptrdiff_t{x - origin - cell * axis.cell};
    table.start.push_back(cell - 1);
    table.weights.insert(table.weights.end(), weights, weights + 3);
  }
  return table;
}

std::string described(const GaussianAxis& axis) {
  const std::string taps = std::to_string(axis.kernel.taps()) + " taps";
  return axis.is_coarse() ? "on a coarse grid of " + std::to_string(axis.cell) + " pixels, " + taps
                          : "pixel by pixel, " + taps;
}

// Measured for floats of four channels: the cost of two passes over the pixels, and of taps on the
// grid.
double cost_ns(const GaussianAxis& columns, const GaussianAxis& rows) {
  const double taps = columns.kernel.taps() + rows.kernel.taps();
  return 8 + 0.15 * taps / (columns.cell * rows.cell);
}

}  // namespace

Rect CoarseGaussian::blurred(const Rect& target) const {
  const Run across = blurred_run(columns, left, target.x, target.right());
  const Run down = blurred_run(rows, top, target.y, target.bottom());
  return rect_from_edges(across.low, down.low, across.high, down.high);
}

Rect CoarseGaussian::reduced(const Rect& blurred, const Rect& source) const {
  const Run across = reduced_run(columns, {blurred.x, blurred.right()}, source.x, source.right());
  const Run down = reduced_run(rows, {blurred.y, blurred.bottom()}, source.y, source.bottom());
  return rect_from_edges(across.low, down.low, across.high, down.high);
}

BorderSampler CoarseGaussian::around(const Rect& reduced, const Rect& source) const {
  const BorderSampler there = borders.within(source);
  return {columns.is_coarse() ? inside(reduced.x, reduced.right()) : there.columns,
          rows.is_coarse() ? inside(reduced.y, reduced.bottom()) : there.rows};
}

ResizePlan CoarseGaussian::expansion(const Rect& target) const {
  ResizePlan plan;
  plan.data_window = plan.display_window = blurred(target);
  plan.output_window = target;
  ResizePlan::Layer layer{ResizeMethod::weighed, Values::linear, {}, {}, "quadratic spline"};
  layer.columns =
      std::make_shared<AxisTable>(expansion_of(columns, left, target.x, target.right()));
  layer.rows = std::make_shared<AxisTable>(expansion_of(rows, top, target.y, target.bottom()));
  plan.layers = {std::move(layer)};
  return plan;
}

std::unique_ptr<Operation> make_coarse_gaussian(const Spec& input, Border border,
                                                const GaussianAxis& columns,
                                                const GaussianAxis& rows,
                                                std::vector<Finish> finish, bool raw) {
  const Reach reach{columns.reach(), rows.reach(), columns.reach(), rows.reach()};
  Stencil stencil(input, border, reach, light_but_ids(input), raw);
  stencil.convert_on_card();
  // Bands would reduce far more rows than they produce.
  stencil.plan.runs_whole = true;
  stencil.plan.cost_ns = cost_ns(columns, rows) * static_cast<double>(input.layers.size());
  stencil.plan.explanation = {"columns " + described(columns) + "; rows " + described(rows)};
  const Rect &display = input.display_window, &output = stencil.plan.output.data_window;
  const auto plan = std::make_shared<CoarseGaussian>(
      CoarseGaussian{columns, rows, stencil.borders, display.x, display.y, output, {}});
  plan->expands_all = plan->expansion(plan->output);
  return make_stencil(std::move(stencil), [plan = std::shared_ptr<const CoarseGaussian>(plan),
                                           finish = std::move(finish)](
                                              const Queue& queue, int layer, const Frame& source,
                                              const Frame& target) {
    const Finish& end = finish[static_cast<std::size_t>(layer)];
    on_device<blur_on_coarse_grid, blur_on_coarse_grid_on_cuda>(queue, *plan, end, source, target);
  });
}

}  // namespace cuimg
