// SPDX-License-Identifier: Apache-2.0
// Plots as SVG.
#pragma once

#include "stages/analyse/plot_drawing.h"

namespace cuimg {

class SvgDrawing final : public PlotDrawing {
 public:
  void box(double x, double y, double width, double height, std::uint32_t rgb) override;
  void steps(const PlotSteps& steps, std::uint32_t rgb) override;
  void mark(double x, double y, std::uint32_t rgb) override;
  void text(const PlotText& text) override;

  /// The file, of that size, on white.
  std::string file(int width, int height) const;

 private:
  std::string body_;
};

}  // namespace cuimg
