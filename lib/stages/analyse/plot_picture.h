// SPDX-License-Identifier: Apache-2.0
// Plots as pixels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "image/image.h"
#include "stages/analyse/plot_drawing.h"

namespace cuimg {

/// Colours are mixed as viewers of SVG mix them, by their sRGB codes.
class PictureDrawing final : public PlotDrawing {
 public:
  explicit PictureDrawing(int width) : width_(width) {}
  void box(double x, double y, double width, double height, std::uint32_t rgb) override;
  void steps(const PlotSteps& steps, std::uint32_t rgb) override;
  void mark(double x, double y, std::uint32_t rgb) override;
  void text(const PlotText& text) override;

  /// RGB of 8 bits, white where nothing is drawn.
  Image image(int height);

 private:
  void mix(int x, int y, std::uint32_t rgb, double coverage);
  template <class Coverage>
  void fill(double left, double top, double right, double bottom, std::uint32_t rgb,
            const Coverage& coverage);

  void grow_to(int height);

  int width_, height_ = 0;
  std::vector<std::array<std::uint8_t, 3>> codes_;
};

}  // namespace cuimg
