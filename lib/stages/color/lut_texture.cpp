// SPDX-License-Identifier: Apache-2.0
#include "stages/color/lut_texture.h"

#include "device/on_device.h"
#include "stages/pass/pixel_pass.h"

namespace cuimg {
namespace {

class LutTexture final : public Operation {
 public:
  LutTexture(const Spec& input, std::unique_ptr<Operation> shaped, const GridTexture& grid,
             GridVolume volume, std::shared_ptr<const std::vector<float>> curves)
      : Operation(shaped->plan()),
        shaped_(std::move(shaped)),
        volume_(std::move(volume)),
        curves_(std::move(curves)) {
    plan_.cost_ns = 60;
    for (std::size_t i = 0; i < input.layers.size(); ++i) {
      grids_.push_back(grid);
      grids_.back().from = form_of(input.layers[i]).shape;
      grids_.back().to = form_of(output().layers[i]).shape;
      plan_.layers[i].pixel_pass = nullptr;
    }
  }

  Rect needed(const Rect& region) const override { return shaped_->needed(region); }

  void run(const Queue& queue, int layer, Frames sources, const Frame& target) const override {
    if (plan_.layer(layer).values == Values::stored)
      return shaped_->run(queue, layer, sources, target);
    const GridTexture& grid = grids_[static_cast<std::size_t>(layer)];
    on_device<lut_texture_on_cpu, lut_texture_on_cuda>(queue, grid, volume_, sources.front(),
                                                       target);
  }

 private:
  std::unique_ptr<Operation> shaped_;
  GridVolume volume_;
  std::shared_ptr<const std::vector<float>> curves_;
  std::vector<GridTexture> grids_;  // of each layer
};

}  // namespace

std::unique_ptr<Operation> make_lut_texture(const Spec& input, std::unique_ptr<Operation> shaped,
                                            const GridTexture& grid, GridVolume volume,
                                            std::shared_ptr<const std::vector<float>> curves) {
  return std::make_unique<LutTexture>(input, std::move(shaped), grid, std::move(volume),
                                      std::move(curves));
}

}  // namespace cuimg
