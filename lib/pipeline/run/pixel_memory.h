// SPDX-License-Identifier: Apache-2.0
// The memory that pixels may take on the host, and the folder for pixels that do not fit.
#pragma once

#include <cstdint>
#include <string>

#include "pipeline/options.h"

namespace cuimg {

/// Bytes for the pixels of all images: --max-memory less what the process takes already, else half
/// of what is free, as far as limits of a container let it be known.
std::uint64_t memory_for_pixels(const CommonOptions& common);

/// --scratch, else default_scratch_folder().
std::string scratch_folder(const CommonOptions& common);

}  // namespace cuimg
