// SPDX-License-Identifier: Apache-2.0
// Colour look-up tables in .cube files, as Adobe, Iridas and DaVinci Resolve write them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cuimg {

/// One table of a file; without entries where the file has none of its kind.
struct CubeTable {
  int size = 0;                                                   ///< Entries on an axis.
  std::array<double, 3> lowest = {0, 0, 0}, highest = {1, 1, 1};  ///< The input's, by channel.
  /// Red, green and blue of each entry; of a grid, red changes fastest.
  std::vector<std::array<float, 3>> entries;
};

/// A curve for each channel, a grid over all three, or the one and then the other.
struct CubeFile {
  CubeTable curves;  ///< LUT_1D_SIZE: 2 to 65536 entries.
  CubeTable grid;    ///< LUT_3D_SIZE: 2 to 256 an axis.
};

/// How far a file is read.
enum class CubeExtent : std::uint8_t {
  all,
  before_grid,  ///< To the grid's first entry: `grid.entries` stays empty.
};

/// @param place for errors, "lut: --file look.cube". @throws Error with the line's number.
CubeFile read_cube(const std::string& path, const std::string& place,
                   CubeExtent extent = CubeExtent::all);

}  // namespace cuimg
