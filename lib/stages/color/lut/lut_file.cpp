// SPDX-License-Identifier: Apache-2.0
// The list of look-up table formats. A new format needs its reader and one line here.
#include "stages/color/lut/lut_file.h"

#include "base/utf8.h"

namespace cuimg {
namespace {

constexpr LutFormat formats[] = {
    {".cube", "curves (LUT_1D_SIZE), a grid (LUT_3D_SIZE), or curves and then a grid", read_cube},
    {".spi1d", "curves of Sony Imageworks", read_spi1d},
    {".spi3d", "a grid of Sony Imageworks", read_spi3d},
    {".3dl", "a grid of integers, as in Autodesk Lustre and Flame", read_3dl},
    {".csp", "curves or a grid of Cinespace, with shapers before a grid", read_csp},
};

}  // namespace

std::span<const LutFormat> lut_formats() { return formats; }

LutTables read_lut_file(const std::string& path, const std::string& place, LutExtent extent) {
  const std::string name = in_lower_case(path);
  for (const LutFormat& format : formats)
    if (name.ends_with(format.extension)) return format.read(path, place, extent);
  return read_cube(path, place, extent);
}

std::vector<std::array<float, 3>> with_red_fastest(const std::vector<std::array<float, 3>>& entries,
                                                   int size) {
  const auto n = static_cast<std::size_t>(size);
  std::vector<std::array<float, 3>> ordered;
  ordered.reserve(entries.size());
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t g = 0; g < n; ++g)
      for (std::size_t r = 0; r < n; ++r) ordered.push_back(entries[(r * n + g) * n + b]);
  return ordered;
}

}  // namespace cuimg
