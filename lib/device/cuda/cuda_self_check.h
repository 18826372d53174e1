// SPDX-License-Identifier: Apache-2.0
// Checks once for each card and driver whether the card filters like the software unit.
#pragma once

#include <cuda_runtime.h>

#include <future>
#include <string>

#include "device/cuda/cuda_queue.h"

namespace cuimg {

/// Reads several thousand fixed points per format through the card's texture unit, from arrays,
/// pitched memory and a mipmapped array, and compares every bit with
/// kernels/texture/texture_unit.h. The answer is stored in $XDG_CACHE_HOME/cuimg (or
/// ~/.cache/cuimg) under the card's UUID and the driver's version, with a digest of the software
/// unit's results, so that a changed definition causes a new check. If the folder is not writable,
/// each process checks again.
/// @throws DeviceError if the card fails, not if it differs.
ExactFilters check_texture_unit(CudaQueue& queue, const cudaDeviceProp& properties);

/// Computes the expected results of check_texture_unit(), on another thread if one is available,
/// while the driver creates a context: it takes milliseconds, once for each process.
std::future<void> begin_texture_check();

/// Why a card cannot be used, or nothing.
std::string card_problem(const cudaDeviceProp& properties);

}  // namespace cuimg
