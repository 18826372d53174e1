// SPDX-License-Identifier: Apache-2.0
// The rectangles of a picture's tiles.
#pragma once

#include <algorithm>

#include "image/rect.h"
#include "kernels/math/ceil_div.h"
#include "pipeline/execute/tiles.h"

namespace cuimg {

/// The tiles of a picture, counted row after row.
class TileGrid {
 public:
  TileGrid(const Rect& window, const TileSize& tile)
      : window_(window),
        tile_(tile),
        columns_(ceil_div(window.width, tile.width)),
        rows_(ceil_div(window.height, tile.height)) {}

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  int count() const { return rows_ * columns_; }
  int row_of(int tile) const { return tile / columns_; }
  /// All tiles of a row.
  Rect row(int row) const {
    const int top = window_.y + row * tile_.height;
    return rect_from_edges(window_.x, top, window_.right(),
                           std::min(top + tile_.height, window_.bottom()));
  }
  Rect tile(int tile) const {
    const Rect all = row(row_of(tile));
    const int left = window_.x + tile % columns_ * tile_.width;
    return rect_from_edges(left, all.y, std::min(left + tile_.width, all.right()), all.bottom());
  }

 private:
  Rect window_;
  TileSize tile_;
  int columns_, rows_;
};

}  // namespace cuimg
