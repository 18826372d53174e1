// SPDX-License-Identifier: Apache-2.0
// An image in host memory: a spec and the pixels of its layers.
#pragma once

#include <cstddef>
#include <vector>

#include "image/pixel_memory.h"
#include "image/spec.h"

namespace cuimg {

/// Owning host pixels. Rows are tightly packed, top to bottom, and cover the data window.
/// Memory is not cleared on construction.
class Image {
 public:
  Image() = default;
  /// The image that was moved from equals Image().
  Image(Image&& other) noexcept;
  Image& operator=(Image&& other) noexcept;
  /// @param spec if it has no display window, the data window is used. @throws Error for sides
  /// below 0 or above largest_side, for windows with an edge beyond farthest_edge, for a layer
  /// without 1 to 4 channels or whose colours are not in the order R, G, B, A, for ids (is_matte)
  /// that are not f32, and if memory cannot be allocated.
  explicit Image(Spec spec, Held held = Held::whole);

  /// An image whose pixels have no memory before allocate().
  static Image without_memory(Spec spec);
  /// @throws Error if the memory is not available.
  void allocate(Held held = Held::whole);
  /// False between without_memory() and allocate(), and if the spec was changed so that its pixels
  /// need more memory.
  bool has_memory() const;

  const Spec& spec() const { return spec_; }
  /// For changes that keep the pixels' layout: moved windows, metadata, colour tags. After others
  /// call allocate().
  Spec& editable_spec() { return spec_; }

  std::size_t row_bytes(int layer) const;
  /// @param y absolute, within the data window. @returns the row's leftmost pixel.
  std::byte* row(int layer, int y);
  const std::byte* row(int layer, int y) const;
  /// The memory block that contains a layer's rows.
  const PixelMemory& memory(int layer) const { return planes_[static_cast<std::size_t>(layer)]; }
  /// Frees the memory of rows that will not be read again, and of all rows above them. @param
  /// first, last counted from the top of the data window; row `last` is kept.
  void forget_rows(int first, int last);

 private:
  Spec spec_;
  std::vector<PixelMemory> planes_;
};

/// @throws Error if the memory is not available.
Image copy_of(const Image& image);

}  // namespace cuimg
