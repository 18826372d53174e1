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

/// An image that has either pixels or blocks. Used by only one thread once it is read.
class SourceBlocks {
 public:
  /// @param image without memory. @param decode fills it, which has memory then.
  SourceBlocks(Image& image, std::function<void(Image&)> decode)
      : image_(image), decode_(std::move(decode)) {}
  SourceBlocks(const SourceBlocks&) = delete;
  SourceBlocks& operator=(const SourceBlocks&) = delete;

  /// Gives the image its pixels, where it has blocks. @throws what `decode` throws.
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
  /// Makes the blocks of a frame of the image's type and size. @throws DeviceError.
  void take(const Queue& queue, const Frame& frame);
  /// The image gets memory for pixels, and what blocks there are go.
  void make_room();

  std::optional<DctImage> blocks;

 private:
  Image& image_;
  const DctLayout layout_;
};

struct BlockFlow {
  SourceBlocks* source = nullptr;  ///< Null: the source has pixels.
  TargetBlocks* target = nullptr;  ///< Null: the target gets pixels.

  /// Both have pixels from now on. @param ready the source's rows; it is waited for.
  void make_pixels(RowProgress& ready) const;
};

}  // namespace cuimg
