// SPDX-License-Identifier: Apache-2.0
#include "stages/filter/convolution.h"

#include <algorithm>
#include <utility>

#include "device/on_device.h"

namespace cuimg {

Convolution Convolution::separable(const AxisKernel& horizontal, const AxisKernel& vertical) {
  return {vertical, {{0, horizontal.low, horizontal.taps(), 0}}, horizontal.weights};
}

Reach Convolution::reach() const {
  Reach reach;
  for (const KernelRow& row : rows) {
    reach.left = std::max(reach.left, -row.low);
    reach.right = std::max(reach.right, row.low + row.taps - 1);
    reach.up = std::max(reach.up, -(row.y + vertical.low));
    reach.down = std::max(reach.down, row.y + vertical.high());
  }
  return reach;
}

std::unique_ptr<Operation> make_convolution(const Spec& input, Border border, Convolution kernel,
                                            std::vector<Finish> finish, bool raw) {
  Stencil stencil(input, border, kernel.reach(), light_but_ids(input), raw);
  const auto taps = static_cast<double>(kernel.weights.size() + kernel.vertical.weights.size());
  stencil.plan.cost_ns = (4 + 0.15 * taps) * static_cast<double>(input.layers.size());
  stencil.plan.explanation = {
      kernel.is_separable() ? std::to_string(kernel.rows.front().taps) + " by " +
                                  std::to_string(kernel.vertical.taps()) + " taps in two passes"
                            : std::to_string(kernel.weights.size()) + " taps in one pass"};
  for (LayerPlan& layer : stencil.plan.layers)
    layer.loads_stored_forms = layer.stores_stored_forms = layer.values != Values::stored;
  const BorderSampler borders = stencil.borders;
  return make_stencil(std::move(stencil),
                      [kernel = std::move(kernel), finish = std::move(finish), borders](
                          const Queue& queue, int layer, const Frame& source, const Frame& target) {
                        const Finish& end = finish[static_cast<std::size_t>(layer)];
                        on_device<convolve_on_cpu, convolve_on_cuda>(
                            queue, kernel, borders.within(source.region()), end, source, target);
                      });
}

}  // namespace cuimg
