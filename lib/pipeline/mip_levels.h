// SPDX-License-Identifier: Apache-2.0
// The levels of a mipmapped file, each made of the one before by the pipeline itself.
#pragma once

#include <functional>

#include "pipeline/plan.h"

namespace cuimg {

/// Carries a plan out, wherever the run is to happen.
using Carry = std::function<void(const Plan& plan, const Image& source, Image& target)>;

/// @param finer as it is written. @param codec the file's.
/// @returns half of it: sides halved and rounded down, at least 1.
Image next_mip_level(const Image& finer, const MipLevels& levels, const Codec& codec, bool raw,
                     const Carry& carry);

}  // namespace cuimg
