// SPDX-License-Identifier: Apache-2.0
// Code that all ways of executing a plan share: a run of its steps, and frames for their layers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/frame.h"
#include "image/image.h"
#include "pipeline/plan.h"

namespace cuimg {

using Steps = std::span<const PlannedStep>;
using Layers = std::vector<bool>;  ///< Whether each of an image's layers is wanted.

inline const Operation& operation(Steps steps, std::size_t i) { return *steps[i].operation; }

/// The window of the last step's result.
inline const Rect& window_of(Steps steps) { return steps.back().operation->output().data_window; }

inline FrameFormat format_of(const Spec& spec, int layer, const Rect& region, Storage storage) {
  const LayerSpec& l = spec.layer(layer);
  return {region, l.type, l.channel_count(), storage};
}

/// A layer of an image whose window, for the plan, is `window`.
Frame frame_over(Image& image, int layer, const Rect& window);

/// The layers of `before` that these steps need for the wanted layers of their output. A card makes
/// no others, and a stage that refuses some values must not see more layers here than there.
Layers layers_needed(Steps steps, const Spec& before, Layers wanted);

}  // namespace cuimg
