// SPDX-License-Identifier: Apache-2.0
// The possible sizes of a plan's tiles, and the choice of the best one.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "pipeline/execute/tiles.h"

namespace cuimg {

struct TileChoice {
  TileSize tile;
  double ns;
  bool has_room = true;
  bool is_whole = false;  ///< Stretch::is_whole
  int lanes = 1;          ///< Stretch::lanes

  bool is_better_than(const TileChoice& other) const {
    return has_room != other.has_room ? has_room : ns < other.ns;
  }
};

/// The fastest choice that fits; if none fits, the one that needs least memory.
class BestTile {
 public:
  explicit BestTile(std::int64_t room) : room_(room) {}
  /// @param bytes of the tiles of all lanes.
  void consider(const TileChoice& choice, std::int64_t bytes) {
    if (bytes <= room_ && (!fastest_ || choice.ns < fastest_->ns)) fastest_ = choice;
    if (bytes >= least_bytes_) return;
    least_bytes_ = bytes;
    smallest_ = choice;
    smallest_.has_room = false;
  }
  TileChoice choice() const { return fastest_.value_or(smallest_); }

 private:
  const std::int64_t room_;
  std::optional<TileChoice> fastest_;
  TileChoice smallest_{};
  std::int64_t least_bytes_ = std::numeric_limits<std::int64_t>::max();
};

/// Bands, and tiles for the CPU. Wide tiles read as few rows at a time as high ones, and more of
/// each.
std::vector<TileSize> tile_sizes(const Rect& window);
/// Bands and square tiles.
std::vector<TileSize> card_tile_sizes(const Rect& window);

}  // namespace cuimg
