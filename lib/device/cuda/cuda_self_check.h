// SPDX-License-Identifier: Apache-2.0
// Checks whether this card filters like the software unit, once per card and driver.
#pragma once

#include <cuda_runtime.h>

#include <future>
#include <string>

#include "device/cuda/cuda_queue.h"

namespace cuimg {

/// Reads several thousand fixed points per format through the card's texture unit, from arrays,
/// pitched memory and a mipmapped array, and compares every bit with
/// kernels/texture/texture_unit.h. The answer is kept in $XDG_CACHE_HOME/cuimg (or ~/.cache/cuimg)
/// under the card's UUID and the driver's version, with a digest of what the software unit
/// returned, so that a changed definition asks again; an unwritable folder only means asking each
/// time.
/// @throws DeviceError when the card fails, not when it differs.
ExactFilters check_texture_unit(CudaQueue& queue, const cudaDeviceProp& properties);

/// Computes what check_texture_unit() compares with, on another thread where there is one, while
/// the driver makes a context: it takes milliseconds, once a process.
std::future<void> begin_texture_check();

/// Why a card cannot be used, or nothing.
std::string card_problem(const cudaDeviceProp& properties);

}  // namespace cuimg
