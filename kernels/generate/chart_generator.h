// SPDX-License-Identifier: Apache-2.0
// A test chart: areas of patches in given colours, of lines, and of converging lines, at positions
// that are computed in integers.
#pragma once

#include <cstdint>

#include "kernels/generate/pattern_generators.h"

namespace cuimg {

struct ChartArea {
  enum class Kind : std::uint8_t {
    patches,  ///< One colour for each cell.
    lines,    ///< Black and white lines, i + 1 pixels wide in column i; every other row is turned.
    wedge,    ///< Vertical lines that converge, up to Nyquist's frequency at the end.
  };
  Kind kind = Kind::patches;
  bool turned = false;  ///< For a wedge: x and y are exchanged.
  int x = 0, y = 0, width = 0, height = 0;
  int columns = 1, rows = 1;
  int gap = 0;    ///< Pixels of background inside each edge of a cell.
  int first = 0;  ///< The index of the first patch's colour.
};

/// The part, of `parts` of a length, that contains a position, and the position in it.
struct ChartCell {
  int index, offset, size;
};
CUIMG_HD inline ChartCell chart_cell(int offset, int length, int parts) {
  const auto edge = [&](int i) {
    return static_cast<int>((static_cast<std::int64_t>(i) * length + parts - 1) / parts);
  };
  const int index = static_cast<int>(static_cast<std::int64_t>(offset) * parts / length);
  return {index, offset - edge(index), edge(index + 1) - edge(index)};
}

/// The light of a wedge's pixel, or less than 0 outside the wedge. The number of line pairs is the
/// same in every row; their pitch decreases from 16 pixels to 2.
/// @param across from the left of `width`. @param down from the top of `height`.
CUIMG_HD inline float wedge_light(int across, int down, int width, int height) {
  const std::int64_t pairs = width < 16 ? 1 : width / 16;
  const std::int64_t wide = 256 * 16 * pairs, narrow = 256 * 2 * pairs;  // in 1/256 pixel
  const std::int64_t here = wide - (wide - narrow) * down / (height > 1 ? height - 1 : 1);
  const std::int64_t from_middle = 2 * across + 1 - width;  // in half pixels
  const std::int64_t beside = 256 * (from_middle < 0 ? -from_middle : from_middle);
  if (beside > here) return -1.0f;
  const std::int64_t turns = pairs * beside % (2 * here);
  return fma(0.5f, cosine_of_turns(static_cast<std::uint32_t>((turns << 32) / (2 * here))), 0.5f);
}

struct Chart {
  static constexpr int most_areas = 8, most_colors = 56;
  ChartArea areas[most_areas];
  int area_count = 0;
  float colors[most_colors][4];  ///< In the order of the layer's channels.
  float background[4];
  PixelShape shape;

  CUIMG_HD void operator()(int x, int y, float* v) const {
    for (int c = 0; c < 4; ++c) v[c] = background[c];
    for (int i = 0; i < area_count; ++i) {
      const ChartArea& a = areas[i];
      if (x >= a.x && x < a.x + a.width && y >= a.y && y < a.y + a.height)
        return draw(a, x - a.x, y - a.y, v);
    }
  }

 private:
  CUIMG_HD void draw(const ChartArea& a, int x, int y, float* v) const {
    if (a.kind == ChartArea::Kind::wedge) {
      const float light =
          a.turned ? wedge_light(y, x, a.height, a.width) : wedge_light(x, y, a.width, a.height);
      if (light >= 0.0f) set_grey(shape, light, v);
      return;
    }
    const ChartCell column = chart_cell(x, a.width, a.columns);
    const ChartCell row = chart_cell(y, a.height, a.rows);
    if (column.offset < a.gap || column.offset >= column.size - a.gap || row.offset < a.gap ||
        row.offset >= row.size - a.gap)
      return;
    if (a.kind == ChartArea::Kind::lines) {
      const int across = (row.index & 1) != 0 ? row.offset : column.offset;
      set_grey(shape, ((across - a.gap) / (column.index + 1) & 1) != 0 ? 0.0f : 1.0f, v);
      return;
    }
    const float* color = colors[a.first + row.index * a.columns + column.index];
    for (int c = 0; c < 4; ++c) v[c] = color[c];
  }
};

}  // namespace cuimg
