// SPDX-License-Identifier: Apache-2.0
// A picture as blocks of quantised DCT coefficients, as in JPEG files: a file's content before the
// pixels are computed, or the coefficients of pixels that are to be encoded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "image/pixel_memory.h"
#include "image/pixel_turn.h"

namespace cuimg {

struct DctComponent {
  /// Sampling factors relative to those of the other components.
  int h_samples = 1, v_samples = 1;
  int width_blocks = 0, height_blocks = 0;  ///< The blocks that contain samples of the picture.
  /// The number of blocks in memory, in rows: a few more, so that it is a multiple of the sampling
  /// factor in each component.
  int stored_width_blocks = 0, stored_height_blocks = 0;
  /// The quantisation steps, in the coefficients' order.
  std::array<std::uint16_t, 64> steps = {};

  std::size_t stored_blocks() const {
    return static_cast<std::size_t>(stored_width_blocks) *
           static_cast<std::size_t>(stored_height_blocks);
  }
  friend bool operator==(const DctComponent&, const DctComponent&) = default;
};

struct DctLayout {
  enum class Colors : std::uint8_t { grey, rgb, ycc };

  int width = 0, height = 0;  ///< In pixels, before `turn`.
  PixelTurn turn;             ///< The turn of the blocks' pixels.
  Colors colors = Colors::ycc;
  std::vector<DctComponent> components;  ///< One for grey, otherwise three.

  /// The largest over all components.
  int h_samples() const;
  int v_samples() const;
  std::size_t blocks() const;
  /// Bytes of the coefficients, 16 bits each.
  std::size_t bytes() const { return blocks() * 64 * sizeof(std::int16_t); }
  /// A component's width and height in samples: subsampled, rounded up.
  int width_samples(const DctComponent& component) const;
  int height_samples(const DctComponent& component) const;
  friend bool operator==(const DctLayout&, const DctLayout&) = default;
};

/// Fills in the number of blocks of each component.
void count_blocks(DctLayout& layout);

/// Coefficients in host memory: components one after another, each row by row of blocks, and each
/// block row by row.
class DctImage {
 public:
  /// Memory is not cleared. @throws Error if it cannot be allocated.
  explicit DctImage(DctLayout layout);

  const DctLayout& layout() const { return layout_; }
  DctLayout& editable_layout() { return layout_; }
  /// The component's first block.
  std::int16_t* blocks(std::size_t component);
  const std::int16_t* blocks(std::size_t component) const;
  /// The memory that contains all of them.
  const PixelMemory& memory() const { return memory_; }

 private:
  DctLayout layout_;
  PixelMemory memory_;
};

}  // namespace cuimg
