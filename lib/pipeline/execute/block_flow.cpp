// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/block_flow.h"

#include <climits>

namespace cuimg {

void SourceBlocks::make_pixels() {
  if (!blocks) return;
  blocks.reset();
  image_.allocate();
  decode_(image_);
}

void TargetBlocks::take(const Queue& queue, const Frame& frame) {
  DctImage made(layout_);
  queue.download(frame, made);
  blocks = std::move(made);
}

void TargetBlocks::make_room() {
  blocks.reset();
  image_.allocate();
}

void BlockFlow::make_pixels(RowProgress& ready) const {
  if (source != nullptr) {
    ready.wait_for(INT_MAX);
    source->make_pixels();
  }
  if (target != nullptr) target->make_room();
}

}  // namespace cuimg
