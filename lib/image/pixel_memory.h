// SPDX-License-Identifier: Apache-2.0
// Memory for the pixels of images and frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cuimg {

/// Frees a block in the way that it was allocated.
struct FreePixels {
  enum class Place : std::uint8_t { heap, mapped, scratch };
  Place place = Place::heap;
  std::size_t bytes = 0;   ///< The block's size.
  bool is_counted = true;  ///< Whether it counts towards the memory that Scratch allows.
  /// Whether the block may be reused: an earlier image had it, and a later one is likely to.
  bool is_reused = false;
  void operator()(std::byte* memory) const;
};
using PixelMemory = std::unique_ptr<std::byte, FreePixels>;

/// How much of a block is in memory at a time.
enum class Held : std::uint8_t {
  whole,
  some_rows,  ///< The other rows have not been written yet, or were passed to forget_pixels().
};

/// Room for `bytes`, 64-byte aligned and not cleared, with room for a vector load past the last
/// byte. It is in memory, or in a file if memory is short (image/scratch.h); blocks of
/// Held::some_rows are always in memory.
/// @param what its name in the error. @throws Error if there is no room.
PixelMemory allocate_pixels(std::size_t bytes, const char* what, Held held = Held::whole);

/// Returns the memory of bytes [first, last) to the system if possible; their content is lost.
/// Bytes that share a page with `first` are lost too; bytes that share one with `last` are not.
void forget_pixels(const PixelMemory& memory, std::size_t first, std::size_t last);

}  // namespace cuimg
