// SPDX-License-Identifier: Apache-2.0
// The coordinates that a warp reads at, as an image: what remap --map takes.
#pragma once

#include <memory>

#include "device/frame.h"
#include "device/queue.h"
#include "kernels/warp/warp_coordinates.h"
#include "kernels/warp/warp_maps.h"
#include "stages/stage.h"
#include "stages/warp/coordinates.h"

namespace cuimg {

/// One layer of two floats, R and G: raw values, since they are no colours.
/// @param window the output's display and data window.
std::unique_ptr<Operation> make_map(const Spec& input, const Rect& window, const WarpMap& map,
                                    Coordinates coords);

/// @name The target's region, of two floats a pixel. @{
void make_map_on_cpu(const Queue& queue, const WarpMap& map, const WarpCoordinates& coordinates,
                     const Frame& target);
void make_map_on_cuda(const Queue& queue, const WarpMap& map, const WarpCoordinates& coordinates,
                      const Frame& target);
/// @}

}  // namespace cuimg
