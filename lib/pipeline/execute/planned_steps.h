// SPDX-License-Identifier: Apache-2.0
// Code shared by all ways of executing a plan: a run of its steps, and frames of their layers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/frame.h"
#include "image/image.h"
#include "pipeline/plan.h"

namespace cuimg {

using Steps = std::span<const PlannedStep>;
using Layers = std::vector<bool>;  ///< For each of an image's layers whether it is wanted.

inline const Operation& operation(Steps steps, std::size_t i) { return *steps[i].operation; }

/// Of the last step's result.
inline const Rect& window_of(Steps steps) { return steps.back().operation->output().data_window; }

inline FrameFormat format_of(const Spec& spec, int layer, const Rect& region, Storage storage) {
  const LayerSpec& l = spec.layer(layer);
  return {region, l.type, l.channel_count(), storage};
}

/// A layer of an image that lies, for the plan, in `window`.
Frame frame_over(Image& image, int layer, const Rect& window);

/// Which layers of `before` these steps need for those that are wanted of their output. A card
/// makes no others, and a stage that refuses some values must not see more of them here than there.
Layers layers_needed(Steps steps, const Spec& before, Layers wanted);

}  // namespace cuimg
