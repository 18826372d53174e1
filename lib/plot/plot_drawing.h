// SPDX-License-Identifier: Apache-2.0
// Drawing operations for plots: boxes, steps, marks and text, at positions in pixels from the top
// left; for SVG or a picture.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "image/image.h"

namespace cuimg {

enum class Anchor : std::uint8_t { start, middle, end };  ///< The part of a text that is at its x.

struct PlotText {
  double x, baseline;
  float size;
  Anchor anchor;
  std::uint32_t rgb;
  std::string text;
};

/// The outline of adjacent bars of equal width above a base.
struct PlotSteps {
  double left, right, base;
  std::vector<double> tops;
};

class PlotDrawing {
 public:
  virtual ~PlotDrawing() = default;
  virtual void box(double x, double y, double width, double height, std::uint32_t rgb) = 0;
  /// Draws them lightly filled, with a line as the upper edge.
  virtual void steps(const PlotSteps& steps, std::uint32_t rgb) = 0;
  /// Draws a small triangle that points up. @param x, y its tip.
  virtual void mark(double x, double y, std::uint32_t rgb) = 0;
  virtual void text(const PlotText& text) = 0;

  static constexpr double mark_width = 7, mark_height = 6;
};

/// Draws SVG.
class SvgDrawing final : public PlotDrawing {
 public:
  void box(double x, double y, double width, double height, std::uint32_t rgb) override;
  void steps(const PlotSteps& steps, std::uint32_t rgb) override;
  void mark(double x, double y, std::uint32_t rgb) override;
  void text(const PlotText& text) override;

  /// The file with that size, on white.
  std::string file(int width, int height) const;

 private:
  std::string body_;
};

/// Draws pixels. Colours are mixed by their sRGB codes, as viewers of SVG do.
class PictureDrawing final : public PlotDrawing {
 public:
  explicit PictureDrawing(int width) : width_(width) {}
  void box(double x, double y, double width, double height, std::uint32_t rgb) override;
  void steps(const PlotSteps& steps, std::uint32_t rgb) override;
  void mark(double x, double y, std::uint32_t rgb) override;
  void text(const PlotText& text) override;

  /// RGB of 8 bits, on white.
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
