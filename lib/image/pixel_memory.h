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

/// Returns the memory of bytes [first, last) to the system where it can; what they hold is lost.
/// What shares a page with `first` is lost too; what shares one with `last` is not.
void forget_pixels(const PixelMemory& memory, std::size_t first, std::size_t last);

}  // namespace cuimg
