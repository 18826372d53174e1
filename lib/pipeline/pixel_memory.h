// SPDX-License-Identifier: Apache-2.0
// The memory that pixels may take on the host, and the folder for pixels that do not fit.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/options.h"

namespace cuimg {

/// Bytes for the pixels of all images: --max-memory minus the memory that the process already uses,
/// otherwise half of the free memory, as far as it is known within a container's limits.
std::uint64_t memory_for_pixels(const CommonOptions& common);

/// --scratch, otherwise default_scratch_folder().
std::string scratch_folder(const CommonOptions& common);

}  // namespace cuimg
