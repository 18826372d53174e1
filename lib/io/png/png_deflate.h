// SPDX-License-Identifier: Apache-2.0
// PNG's pixel data: filtered rows, deflated by several threads in blocks of rows.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "base/row_progress.h"
#include "image/image.h"

namespace cuimg {

struct PngPixels {
  const Image* image = nullptr;  ///< Its only layer is encoded.
  int level = 1;                 ///< zlib's, 0 to 9.
  int threads = 1;
  /// Called with every row once, [first, last) from the top, from any thread. It may throw.
  std::function<void(int first, int last)> watch = {};
};

/// Waits on `ready` for the rows and passes the compressed stream to `write` piece by piece, in
/// order, from the calling thread. The blocks, and therefore the bytes, depend only on the image
/// and the level. @throws Error, and what `write` or `ready` throw.
void deflate_png_rows(const PngPixels& pixels, RowProgress& ready,
                      const std::function<void(std::span<const std::byte>)>& write);

}  // namespace cuimg
