// SPDX-License-Identifier: Apache-2.0
// The self-check's part about mipmapped arrays.
#pragma once

#include "device/cuda/cuda_queue.h"
#include "device/cuda/cuda_self_check_reads.h"

namespace cuimg::self_check {

/// Fixed reads between texels and levels of a mipmapped picture, for each address mode.
/// @param count how many of each mode's, from the first.
Reads software_level_reads(int count);
/// The same by the card, reads_per_case of each. @throws DeviceError.
Reads card_level_reads(CudaQueue& queue);

}  // namespace cuimg::self_check
