// SPDX-License-Identifier: Apache-2.0
// Code shared by all stages that only move pixels: whole texels of any type are copied from the
// position that an index map gives, so NaN payloads and colours under zero alpha are kept.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/warp/index_map.h"
#include "stages/pass/border_color.h"
#include "stages/stage.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

struct PixelMove {
  Spec output;
  IndexMap map;
  /// The values beyond the picture for a border of BorderRule::zero, for each layer; empty: zero.
  std::vector<StoredTexel> fill = {};
  /// Like OperationPlan::window.
  std::optional<Rect> window = {};
};

std::unique_ptr<Operation> make_move(PixelMove move);

/// Swaps a pixel's width and height when rows become columns: its aspect, and therefore the
/// horizontal density.
void turn_pixel_shape(Spec& spec);

/// The map that does not move any pixel.
IndexMap staying_map(const BorderSampler& borders);

/// @name Moves one layer from source to target, both of one type.
/// @{
void move_on_cpu(const IndexMap& map, const StoredTexel& fill, const Frame& source,
                 const Frame& target);
void move_on_cuda(const Queue& queue, const IndexMap& map, const StoredTexel& fill,
                  const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
