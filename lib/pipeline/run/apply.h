// SPDX-License-Identifier: Apache-2.0
// Stages over an image in memory, for programs that use the library.
#pragma once

#include <optional>
#include <vector>

#include "device/queue.h"
#include "image/image.h"
#include "io/codec.h"
#include "pipeline/bound_stage.h"
#include "stages/registry.h"

namespace cuimg {

/// Runs `stages` in a row, made with bind(), and returns the result once it is complete.
/// @param codec what the result is for: types, encoding, alpha and windows become what its files
/// hold. Null leaves them as the last stage does.
/// @param type of the result; absent: the input's where the codec has it.
/// @throws Error where parameters and image do not fit; DeviceError when a card fails.
Image apply(const Image& input, const std::vector<BoundStage>& stages, const Queue& queue,
            const Codec* codec = nullptr, std::optional<PixelType> type = {});

}  // namespace cuimg
