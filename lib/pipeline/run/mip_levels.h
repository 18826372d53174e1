// SPDX-License-Identifier: Apache-2.0
// The levels of a mipmapped file, each made of the one before by the pipeline itself.
#pragma once

#include "pipeline/run/execution.h"

namespace cuimg {

/// @param finer as it is written. @param codec the file's. @param report as execute_where_asked()
/// fills it.
/// @returns half of it: sides halved and rounded down, at least 1.
Image next_mip_level(const Image& finer, const MipLevels& levels, const Codec& codec,
                     const ExecutionContext& execution, RunReport& report);

}  // namespace cuimg
