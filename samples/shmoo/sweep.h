// SPDX-License-Identifier: Apache-2.0
// Runs a kernel with every block shape from 4x4 to 64x64: a table, a heat map, and the best shape.
// For nvcc.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "common/card.h"
#include "common/plot.h"
#include "common/sample.h"

namespace cuimg::samples {

struct Launch {
  dim3 grid, block;
  std::size_t threads() const { return std::size_t{grid.x} * grid.y * block.x * block.y; }
};

/// A grid that covers width x height elements; each thread does `rows` of a column.
inline Launch covering(int width, int height, int rows, int block_width, int block_height) {
  const auto blocks = [](int size, int part) {
    return static_cast<unsigned>((size + part - 1) / part);
  };
  return {dim3(blocks(width, block_width), blocks(height, block_height * rows)),
          dim3(static_cast<unsigned>(block_width), static_cast<unsigned>(block_height))};
}

constexpr int least_side = 4, most_side = 64, most_threads = 1024;

/// Calls `use(width, height)` for every shape that a card can launch.
template <class Use>
void for_every_shape(const Use& use) {
  for (int height = least_side; height <= most_side; height += 4)
    for (int width = least_side; width <= most_side; width += 4)
      if (width * height <= most_threads) use(width, height);
}

struct Best {
  int width = 0, height = 0;
  double gb_per_s = 0;
  std::string words() const { return text("%dx%d at %.0f GB/s", width, height, gb_per_s); }
};

/// Measures `launch(block width, block height)`, which moves `bytes` bytes.
template <class Work>
Best sweep(Report& report, const std::string& title, const std::string& svg, double bytes,
           const Work& launch) {
  HeatMap map{title, "GB/s", "block width", "block height", {}, {}, {}};
  Table table{title + ", GB/s by block width (across) and height (down)", {""}};
  for (int side = least_side; side <= most_side; side += 4) {
    map.columns.push_back(std::to_string(side));
    map.rows.push_back(std::to_string(side));
    table.columns.push_back(std::to_string(side));
  }
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  map.values.assign(map.rows.size(), std::vector<double>(map.columns.size(), nothing));
  Best best;
  for_every_shape([&](int width, int height) {
    const double speed = bytes / best_ms(3, [&] { launch(width, height); }) / 1e6;
    map.values[static_cast<std::size_t>(height / 4 - 1)][static_cast<std::size_t>(width / 4 - 1)] =
        speed;
    if (speed > best.gb_per_s) best = {width, height, speed};
  });
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    std::vector<Cell> row = {map.rows[r]};
    for (double speed : map.values[r])
      row.push_back(speed == speed ? Cell(speed, 0) : Cell::none("-"));  // NaN: too many threads
    table.row(std::move(row));
  }
  report.show(table);
  map.write(svg);
  report.wrote(svg, "the same as a heat map");
  return best;
}

}  // namespace cuimg::samples
