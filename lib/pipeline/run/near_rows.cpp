// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/near_rows.h"

#include <algorithm>
#include <climits>

namespace cuimg {

void keep_near(RowProgress& progress, Image& image) {
  const int height = std::max(1, image.spec().data_window.height);
  const std::size_t row =
      std::max<std::size_t>(1, image.spec().pixel_bytes() / static_cast<std::size_t>(height));
  progress.keep_near(static_cast<int>(std::min<std::size_t>(keep_near_bytes / 4 / row, INT_MAX)),
                     [&image](int first, int last) { image.forget_rows(first, last); });
}

}  // namespace cuimg
