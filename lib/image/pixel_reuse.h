// SPDX-License-Identifier: Apache-2.0
// Blocks of pixels that one image has finished with and the next one reuses. New memory can cost
// more than the work in it: the system clears every page, which takes five times as long as a copy.
#pragma once

#include <cstddef>

namespace cuimg {

/// While an object exists, large returned blocks are kept for later blocks of about the same size.
/// Kept and used blocks together never take more memory than the used blocks took at some time.
class PixelReuse {
 public:
  PixelReuse();
  /// If there are several objects, the last one frees the kept blocks.
  ~PixelReuse();
  PixelReuse(const PixelReuse&) = delete;
  PixelReuse& operator=(const PixelReuse&) = delete;

  /// The size to allocate for a block of that many bytes, so that later blocks can reuse it.
  static std::size_t size_for(std::size_t bytes);
  /// @returns a kept block of that size, or null. Counts it as used, or the block that the caller
  /// then allocates with malloc() or a similar function.
  static std::byte* take(std::size_t size);
  /// Called after take() returned null, if no block could be allocated.
  static void give_up(std::size_t size);
  /// For a block that take() has counted. @returns whether it is kept; otherwise the caller frees
  /// it.
  static bool keep(std::byte* memory, std::size_t size);

  /// Returns the kept blocks to the system. For when the next blocks have other sizes.
  static void free_kept();

  using BeforeFree = void (*)(std::byte* memory) noexcept;
  /// Calls this function from now on for every block that is freed instead of kept, so that code
  /// that attached something to a block can detach it.
  static void before_free(BeforeFree call);
  static void prepare_to_free(std::byte* memory);
};

}  // namespace cuimg
