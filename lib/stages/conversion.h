// SPDX-License-Identifier: Apache-2.0
// Conversion between how pixels are stored and how stages want them: the pipeline's own operation,
// put where two steps disagree on type, curve, alpha, primaries, channels or window.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "kernels/convert.h"
#include "stages/stage.h"

namespace cuimg {

/// One layer's way from its source.
struct LayerConversion {
  int source_layer = 0;
  bool moves_only = false;  ///< Same type, encoding and channels: bytes are copied.
  PixelConversion pixel;
};

/// @param raw no curve, alpha or primaries are touched; types are converted alone.
/// @param sources for each of the target's layers, the source's it is made of.
/// @param background linear RGB that shows where alpha is dropped.
/// @returns an operation from `source` to `target`; target's data window may be any: pixels
/// outside the source's are zero.
std::unique_ptr<Operation> make_conversion(const Spec& source, const Spec& target,
                                           const std::vector<int>& sources,
                                           const std::array<float, 3>& background, bool raw);

/// Whether a layer's stored values may be filtered as they lie: they are light already, or nobody
/// wants them as light.
bool is_light_as_stored(const Spec& spec, const LayerSpec& layer, bool raw);

/// `spec` with the given layers as stages with Values::linear want them: float, linear light,
/// premultiplied.
Spec working_spec(const Spec& spec, const std::vector<bool>& wanted, bool raw);

/// @name Pixels of `target`'s region, from a source frame that covers its part inside the data.
/// @{
void convert_on_cpu(const LayerConversion& conversion, const Frame& source, const Frame& target);
void convert_on_cuda(const Queue& queue, const LayerConversion& conversion, const Frame& source,
                     const Frame& target);
/// @}

}  // namespace cuimg
