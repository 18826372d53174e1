// SPDX-License-Identifier: Apache-2.0
// Images that are blocks of coefficients on the host and pixels on a card. The host converts blocks
// to pixels only if it must.
#pragma once

#include <functional>
#include <optional>

#include "base/row_progress.h"
#include "device/queue.h"
#include "image/dct_image.h"
#include "image/image.h"

namespace cuimg {

/// An image that has either pixels or blocks. Used by only one thread after it is read.
class SourceBlocks {
 public:
  /// @param image without memory. @param decode fills it, and allocates its memory first.
  SourceBlocks(Image& image, std::function<void(Image&)> decode)
      : image_(image), decode_(std::move(decode)) {}
  SourceBlocks(const SourceBlocks&) = delete;
  SourceBlocks& operator=(const SourceBlocks&) = delete;

  /// If the image has blocks, computes its pixels. @throws the errors of `decode`.
  void make_pixels();

  std::optional<DctImage> blocks;

 private:
  Image& image_;
  const std::function<void(Image&)> decode_;
};

/// An image that will have blocks, from which a file is written, or pixels if no card makes it.
class TargetBlocks {
 public:
  /// @param image without memory.
  TargetBlocks(Image& image, DctLayout layout) : image_(image), layout_(std::move(layout)) {}
  TargetBlocks(const TargetBlocks&) = delete;
  TargetBlocks& operator=(const TargetBlocks&) = delete;

  const DctLayout& layout() const { return layout_; }
  /// Computes the blocks from a frame with the image's type and size. @throws DeviceError.
  void take(const Queue& queue, const Frame& frame);
  /// Allocates the image's memory for pixels, and discards blocks.
  void make_room();

  std::optional<DctImage> blocks;

 private:
  Image& image_;
  const DctLayout layout_;
};

struct BlockFlow {
  SourceBlocks* source = nullptr;  ///< Null: the source has pixels.
  TargetBlocks* target = nullptr;  ///< Null: the target gets pixels.

  /// Makes both images use pixels from now on. @param ready the progress of the source's rows, for
  /// which it waits.
  void make_pixels(RowProgress& ready) const;
};

}  // namespace cuimg
