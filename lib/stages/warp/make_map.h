// SPDX-License-Identifier: Apache-2.0
// Writes the coordinates at which a warp reads as an image that remap --map accepts.
#pragma once

#include <memory>

#include "device/frame.h"
#include "device/queue.h"
#include "kernels/warp/warp_coordinates.h"
#include "kernels/warp/warp_maps.h"
#include "stages/stage.h"
#include "stages/warp/coordinates.h"

namespace cuimg {

/// One layer of two floats, R and G, as raw values, since they are not colours.
/// @param window the output's display and data window.
std::unique_ptr<Operation> make_map(const Spec& input, const Rect& window, const WarpMap& map,
                                    Coordinates coords);

/// @name Fills the target's region, with two floats per pixel. @{
void make_map_on_cpu(const Queue& queue, const WarpMap& map, const WarpCoordinates& coordinates,
                     const Frame& target);
void make_map_on_cuda(const Queue& queue, const WarpMap& map, const WarpCoordinates& coordinates,
                      const Frame& target);
/// @}

}  // namespace cuimg
