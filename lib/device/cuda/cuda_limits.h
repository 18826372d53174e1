// SPDX-License-Identifier: Apache-2.0
// Minimum capabilities of all cards that CUDA 13 supports ("Compute Capabilities", CUDA C++
// Programming Guide).
#pragma once

#include <cstddef>

namespace cuimg {

/// Blocks of a grid in y and z.
inline constexpr int most_blocks_down = 65535;
/// Shared memory that a block can use without cudaFuncSetAttribute.
inline constexpr std::size_t shared_bytes_without_asking = std::size_t{48} << 10;

class CudaQueue;
/// Shared memory that a block can use if it is requested. @throws DeviceError.
std::size_t shared_bytes_of_block(const CudaQueue& card);

}  // namespace cuimg
