// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pixel_memory.h"

#include <algorithm>

#include "base/memory_budget.h"
#include "image/scratch.h"

namespace cuimg {

std::uint64_t memory_for_pixels(const CommonOptions& common) {
  if (common.max_memory) {
    // The program itself takes some memory before there is any image.
    const std::uint64_t most = common.max_memory->bytes;
    return std::max(most / 2, most - std::min(most, resident_memory_bytes()));
  }
  const std::uint64_t available = available_memory_bytes();
  return available > 0 ? available / 2 : UINT64_MAX;
}

std::string scratch_folder(const CommonOptions& common) {
  return common.scratch.empty() ? default_scratch_folder() : common.scratch;
}

}  // namespace cuimg
