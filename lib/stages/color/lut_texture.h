// SPDX-License-Identifier: Apache-2.0
// A look-up grid with the texture unit's rounding. It is not an operation of a fused pass, since on
// a card it has a texture and a table of its own.
#pragma once

#include <memory>
#include <vector>

#include "device/per_card.h"
#include "kernels/color/grid_texture.h"
#include "stages/stage.h"

namespace cuimg {

/// The grid on a card; defined in lut_texture.cu.
struct CardGrid;

/// A grid's texels and its copies on cards.
struct GridVolume {
  std::shared_ptr<const std::vector<float>> texels;  ///< size^3 of four floats, red fastest.
  int size = 0;

  PerCard<CardGrid> on_card = {};  ///< As a 3D texture, and as cells of whole numbers.
};

/// @param shaped gives the output's form and moves what is no colour; it owns all but the pixels of
/// colour. @param grid curves included; its shapes are set for each layer.
/// @param curves what grid.curves points to, or null.
std::unique_ptr<Operation> make_lut_texture(const Spec& input,
                                            std::shared_ptr<const Operation> shaped,
                                            const GridTexture& grid, GridVolume volume,
                                            std::shared_ptr<const std::vector<float>> curves);

/// @name The pixels of one layer in target's region. On a card the work is queued. @throws
/// DeviceError.
/// @{
void lut_texture_on_cpu(const GridTexture& grid, const GridVolume& volume, const Frame& source,
                        const Frame& target);
void lut_texture_on_cuda(const Queue& queue, const GridTexture& grid, const GridVolume& volume,
                         const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
