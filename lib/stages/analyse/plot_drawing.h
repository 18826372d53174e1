// SPDX-License-Identifier: Apache-2.0
// What a plot is drawn with: boxes, steps, marks and text, at places in pixels from the top left.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuimg {

enum class Anchor : std::uint8_t { start, middle, end };  ///< Which part of a text is at its x.

struct PlotText {
  double x, baseline;
  float size;
  Anchor anchor;
  std::uint32_t rgb;
  std::string text;
};

/// The outline of bars next to each other, all as wide, over a base.
struct PlotSteps {
  double left, right, base;
  std::vector<double> tops;
};

class PlotDrawing {
 public:
  virtual ~PlotDrawing() = default;
  virtual void box(double x, double y, double width, double height, std::uint32_t rgb) = 0;
  /// Filled lightly, its upper edge a line.
  virtual void steps(const PlotSteps& steps, std::uint32_t rgb) = 0;
  /// A small triangle that points up. @param x, y its tip.
  virtual void mark(double x, double y, std::uint32_t rgb) = 0;
  virtual void text(const PlotText& text) = 0;

  static constexpr double mark_width = 7, mark_height = 6;
};

}  // namespace cuimg
