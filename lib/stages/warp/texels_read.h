// SPDX-License-Identifier: Apache-2.0
// Computes the texels that a region of a warped picture reads. With it pictures larger than memory
// are made in tiles, each from the part of the input that it needs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "image/rect.h"

namespace cuimg {

struct WarpPlan;

/// A range along one axis, from the first to one past the last; initially empty.
struct TexelRange {
  static constexpr int far = 1 << 30;  ///< Farther than any texture's edge.

  int low = far, high = -far;

  static constexpr TexelRange all() { return {-far, far}; }
  static constexpr TexelRange clamped(std::int64_t low, std::int64_t high) {
    return {static_cast<int>(std::clamp<std::int64_t>(low, -far, far)),
            static_cast<int>(std::clamp<std::int64_t>(high, -far, far))};
  }
  bool empty() const { return low >= high; }
  void include(const TexelRange& other) {
    low = std::min(low, other.low), high = std::max(high, other.high);
  }
};

/// Answers for one plan, from any thread. If corners are not enough, every pixel's position is
/// computed once, and the ranges of blocks of pixels are kept.
class TexelsRead {
 public:
  /// @param plan must outlive this. @param window the output's.
  TexelsRead(const WarpPlan& plan, const Rect& window);
  TexelsRead(const TexelsRead&) = delete;
  TexelsRead& operator=(const TexelsRead&) = delete;

  /// The texels that the region's pixels read without halved pictures, with a margin; at least one
  /// texel. Positions beyond the edge follow the border's rule; Address::border counts like clamp,
  /// since the texture unit may read such texels and weight them with 0.
  /// @param region of the window. @returns a part of the plan's texture.
  Rect operator()(const Rect& region) const;

 private:
  struct Texels {
    TexelRange across, down;
  };
  struct Block {
    enum State : int { unknown, written, known };
    std::atomic<int> state = unknown;
    Texels texels;
  };

  std::optional<Texels> of_corners(const Rect& region) const;
  Texels of_blocks(const Rect& region) const;
  Texels of_block(int column, int row) const;

  const WarpPlan& plan_;
  const Rect window_;
  const int side_, columns_;  ///< The side of a block, and the number of columns of blocks.
  mutable std::once_flag made_;
  mutable std::vector<Block> blocks_;
};

}  // namespace cuimg
