// SPDX-License-Identifier: Apache-2.0
// Blocks of pixels that one image has done with and the next one takes. New memory costs more than
// what is done in it: the system clears every page, five times as long as a copy takes.
#pragma once

#include <cstddef>

namespace cuimg {

/// While one lives, large blocks that are given back are kept for others of about their size. What
/// is kept and what is in use never take more together than what was in use at one time.
class PixelReuse {
 public:
  PixelReuse();
  /// Of several the last one frees what is kept.
  ~PixelReuse();
  PixelReuse(const PixelReuse&) = delete;
  PixelReuse& operator=(const PixelReuse&) = delete;

  /// The size to make a block of so many bytes in, so that others can use it.
  static std::size_t size_for(std::size_t bytes);
  /// @returns a kept block of that size, or null. Counts it, or the one that is then made with
  /// malloc() or its like, as used.
  static std::byte* take(std::size_t size);
  /// After take() returned null, where no block could be made.
  static void give_up(std::size_t size);
  /// A block that take() has counted. @returns whether it is kept; else the caller frees it.
  static bool keep(std::byte* memory, std::size_t size);

  /// Gives what is kept back to the system, where what comes next is of other sizes.
  static void free_kept();

  using BeforeFree = void (*)(std::byte* memory) noexcept;
  /// Calls it, from now on, for every block that is freed and not kept: who attached something to a
  /// block takes it off.
  static void before_free(BeforeFree call);
  static void prepare_to_free(std::byte* memory);
};

}  // namespace cuimg
