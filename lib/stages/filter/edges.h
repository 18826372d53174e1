// SPDX-License-Identifier: Apache-2.0
// sobel and laplacian: differences between neighbours.
#pragma once

#include <variant>

#include "kernels/stencil/edge_difference.h"
#include "stages/window/stencil.h"

namespace cuimg {

using EdgeFilter = std::variant<SobelX, SobelY, SobelMagnitude, Laplacian4, Laplacian8>;

/// @name Filters one layer of floats from source to target, on a device.
/// @param alpha the channel that does not change, or -1.
/// @{
void find_edges_on_cpu(const EdgeFilter& filter, const BorderSampler& borders, int alpha,
                       const Frame& source, const Frame& target);
void find_edges_on_cuda(const Queue& queue, const EdgeFilter& filter, const BorderSampler& borders,
                        int alpha, const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
