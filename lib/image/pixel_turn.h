// SPDX-License-Identifier: Apache-2.0
// A turn by right angles or a mirroring, which a file may require its reader to apply.
#pragma once

namespace cuimg {

/// The operations on stored pixels: first rows become columns, then columns and rows are reversed.
struct PixelTurn {
  bool transposes = false;       ///< Width and height are swapped.
  bool mirrors_columns = false;  ///< The last column comes first.
  bool mirrors_rows = false;     ///< The last row comes first.
  friend bool operator==(const PixelTurn&, const PixelTurn&) = default;
};

}  // namespace cuimg
