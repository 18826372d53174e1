// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/planned_steps.h"

#include <utility>

namespace cuimg {

Frame frame_over(Image& image, int layer, const Rect& window) {
  const FrameFormat format = format_of(image.spec(), layer, window, Storage::host);
  return Frame::over_host(format, image.row(layer, image.spec().data_window.y),
                          static_cast<std::ptrdiff_t>(image.row_bytes(layer)));
}

Layers layers_needed(Steps steps, const Spec& before, Layers wanted) {
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Spec& input = i == 0 ? before : operation(steps, i - 1).output();
    Layers needed(input.layers.size());
    for (int layer = 0; layer < static_cast<int>(wanted.size()); ++layer)
      if (wanted[static_cast<std::size_t>(layer)])
        for (const int from : operation(steps, i).plan().layer(layer).sources)
          needed[static_cast<std::size_t>(from)] = true;
    wanted = std::move(needed);
  }
  return wanted;
}

}  // namespace cuimg
