// SPDX-License-Identifier: Apache-2.0
// Images to a card and back through the pinned ring, row by row as they become ready.
#pragma once

#include "base/row_progress.h"
#include "device/cuda/cuda_queue.h"
#include "image/image.h"

namespace cuimg {

/// @param region inside the data window. @param threads copy between image and ring in parallel.
Frame upload_layer(CudaQueue& queue, const Image& image, int layer, const Rect& region,
                   RowProgress& ready, Storage storage, int threads = 1);
void download_layer(CudaQueue& queue, const Frame& frame, Image& image, int layer,
                    RowProgress& done, int threads = 1);

}  // namespace cuimg
