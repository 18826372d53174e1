// SPDX-License-Identifier: Apache-2.0
// A picture turned by right angles or mirrored, which files may ask of their reader.
#pragma once

namespace cuimg {

/// What is done to stored pixels: first rows become columns, then columns and rows change their
/// order.
struct PixelTurn {
  bool transposes = false;       ///< Width and height change places.
  bool mirrors_columns = false;  ///< The last column comes first.
  bool mirrors_rows = false;     ///< The last row comes first.
  friend bool operator==(const PixelTurn&, const PixelTurn&) = default;
};

}  // namespace cuimg
