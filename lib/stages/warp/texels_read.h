// SPDX-License-Identifier: Apache-2.0
// Computes the texels that a region of a warped picture reads: pictures larger than memory are made
// in tiles, each from the part of the input that it needs.
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

/// Along one axis, from the first to one past the last; empty at first.
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

/// Answers for one plan, from any thread. Where corners do not tell, every pixel's position is
/// looked at, once: what blocks of pixels read is kept.
class TexelsRead {
 public:
  /// @param plan outlives this. @param window the output's.
  TexelsRead(const WarpPlan& plan, const Rect& window);
  TexelsRead(const TexelsRead&) = delete;
  TexelsRead& operator=(const TexelsRead&) = delete;

  /// Some more than the texels that the region's pixels read where there are no halved pictures; at
  /// least one. What lies beyond the edge counts as the border's rule has it, and with
  /// Address::border as with clamp: the texture unit may look at such texels and weigh them with 0.
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
  const int side_, columns_;  ///< Of blocks.
  mutable std::once_flag made_;
  mutable std::vector<Block> blocks_;
};

}  // namespace cuimg
