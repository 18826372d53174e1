// SPDX-License-Identifier: Apache-2.0
// Memory for pixels, of images and of frames.
#pragma once

#include <cstddef>
#include <memory>

namespace cuimg {

struct FreePixels {
  void operator()(std::byte* memory) const;
};
using PixelMemory = std::unique_ptr<std::byte, FreePixels>;

/// Room for `bytes`, 64-byte aligned and not cleared, and for a vector load past the last of them.
/// @param what named in the error. @throws Error when the memory cannot be had.
PixelMemory allocate_pixels(std::size_t bytes, const char* what);

}  // namespace cuimg
