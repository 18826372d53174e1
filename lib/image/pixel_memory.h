// SPDX-License-Identifier: Apache-2.0
// Memory for pixels, of images and of frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cuimg {

/// Returns a block to where it was allocated.
struct FreePixels {
  enum class Place : std::uint8_t { heap, mapped, scratch };
  Place place = Place::heap;
  std::size_t bytes = 0;   ///< Of the block.
  bool is_counted = true;  ///< Among those that Scratch's share of the memory holds.
  bool is_reused = false;  ///< Another image had it before, and another is likely to after.
  void operator()(std::byte* memory) const;
};
using PixelMemory = std::unique_ptr<std::byte, FreePixels>;

/// How much of a block is in memory at a time.
enum class Held : std::uint8_t {
  whole,
  some_rows,  ///< The others are not yet written, or were given to forget_pixels().
};

/// Room for `bytes`, 64-byte aligned and not cleared, and for a vector load past the last of them.
/// In memory, or where that is short in a file (image/scratch.h); some rows are always in memory.
/// @param what named in the error. @throws Error when there is no room.
PixelMemory allocate_pixels(std::size_t bytes, const char* what, Held held = Held::whole);

/// Returns the memory of bytes [first, last) to the system if possible; their content is lost.
/// Bytes that share a page with `first` are lost too; bytes that share one with `last` are not.
void forget_pixels(const PixelMemory& memory, std::size_t first, std::size_t last);

}  // namespace cuimg
