// SPDX-License-Identifier: Apache-2.0
// Plots as SVG, for results that are easier to read as a picture: heat maps and lines.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuimg::samples {

/// A value for every pair of a row and a column; dark is the least, yellow the most.
struct HeatMap {
  std::string title, unit;
  std::string column_title, row_title;
  std::vector<std::string> columns, rows;
  std::vector<std::vector<double>> values;  ///< [row][column]; NaN: left empty.
  /// @throws Error if the file cannot be written.
  void write(const std::string& path) const;
};

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct LinePlot {
  std::string title, x_title, y_title;
  std::vector<Line> lines;
  bool log_x = false, log_y = false;  ///< By powers of two; such coordinates must be above 0.
  void write(const std::string& path) const;
};

}  // namespace cuimg::samples
