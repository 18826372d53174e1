// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/compared_layers.h"

namespace cuimg {

const Frame& ComparedLayers::uploaded(const Image& image, std::optional<Frame>& frame) const {
  if (!frame) {
    RowProgress ready;
    ready.finish();
    frame = queue_->upload(image, layer_, ready, Storage::pitched);
  }
  return *frame;
}

}  // namespace cuimg
