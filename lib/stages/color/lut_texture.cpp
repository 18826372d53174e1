// SPDX-License-Identifier: Apache-2.0
#include "stages/color/lut_texture.h"

#include "device/on_device.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
std::unique_ptr<Operation> make_lut_texture(const Spec& input,
                                            std::shared_ptr<const Operation> shaped,
                                            const GridTexture& grid, GridVolume volume,
                                            std::shared_ptr<const std::vector<float>> curves) {
  OperationPlan plan = shaped->plan();
  plan.cost_ns = 60;
  std::vector<GridTexture> grids(input.layers.size(), grid);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    grids[i].from = form_of(input.layers[i]).shape;
    grids[i].to = form_of(plan.output.layers[i]).shape;
    plan.layers[i].pixel_pass = nullptr;
  }
  return make_operation(
      std::move(plan), [shaped](const Rect& region) { return shaped->needed(region); },
      [shaped, grids = std::move(grids), volume = std::move(volume), curves = std::move(curves)](
          const Queue& queue, int layer, Frames sources, const Frame& target) {
        if (shaped->plan().layer(layer).values == Values::stored)
          return shaped->run(queue, layer, sources, target);
        on_device<lut_texture_on_cpu, lut_texture_on_cuda>(
            queue, grids[static_cast<std::size_t>(layer)], volume, sources.front(), target);
      });
}

}  // namespace cuimg
