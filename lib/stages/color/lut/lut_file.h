// SPDX-License-Identifier: Apache-2.0
// Reads colour look-up tables from files in several formats, and lists the formats.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuimg {

/// One table of a file; it has no entries if the file has no table of this kind.
struct LutTable {
  int size = 0;  ///< Entries on an axis.
  std::array<double, 3> lowest = {0, 0, 0},
                        highest = {1, 1, 1};  ///< The input range of each channel.
  /// Red, green and blue of each entry; in a grid, red changes fastest.
  std::vector<std::array<float, 3>> entries;
};

/// A curve for each channel, a grid over all three, or curves followed by a grid.
struct LutTables {
  LutTable curves;  ///< 2 to most_curve_entries.
  LutTable grid;    ///< 2 to most_grid_entries on each axis.
};
inline constexpr int most_curve_entries = 65536, most_grid_entries = 256;

/// How much of a file is read.
enum class LutExtent : std::uint8_t {
  all,
  before_grid,  ///< Up to the grid's first entry: `grid.entries` stays empty.
};

/// @name A reader for each format.
/// @param place for errors, "lut: --file look.cube". @throws Error with the line's number.
/// @{
LutTables read_cube(const std::string& path, const std::string& place, LutExtent extent);
LutTables read_spi1d(const std::string& path, const std::string& place, LutExtent extent);
LutTables read_spi3d(const std::string& path, const std::string& place, LutExtent extent);
LutTables read_3dl(const std::string& path, const std::string& place, LutExtent extent);
LutTables read_csp(const std::string& path, const std::string& place, LutExtent extent);
/// @}

/// One line of the list.
struct LutFormat {
  std::string_view extension;  ///< With the dot, in lower case.
  std::string_view help;
  LutTables (*read)(const std::string& path, const std::string& place, LutExtent extent);
};
std::span<const LutFormat> lut_formats();

/// Reads a file in the format of its extension; an unknown extension is read as .cube.
LutTables read_lut_file(const std::string& path, const std::string& place,
                        LutExtent extent = LutExtent::all);

/// Reorders a grid's entries so that red changes fastest instead of blue.
/// @param entries size^3 of them.
std::vector<std::array<float, 3>> with_red_fastest(const std::vector<std::array<float, 3>>& entries,
                                                   int size);

}  // namespace cuimg
