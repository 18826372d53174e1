// SPDX-License-Identifier: Apache-2.0
// Plots drawn into images, with the text of lib/text.
#include "plot/plot_drawing.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "io/flat_image.h"
#include "text/font.h"

namespace cuimg {
namespace {

// The part of the pixel from `at` to `at + 1` between two positions.
double overlap(double at, double from, double to) {
  return std::max(0.0, std::min(at + 1, to) - std::max(at, from));
}

}  // namespace

void PictureDrawing::grow_to(int height) {
  if (height <= height_) return;
  constexpr int highest = 65535;
  if (height > highest)
    throw Error("histogram",
                "a PNG of so many layers would be higher than " + std::to_string(highest),
                "draw it as .svg, or choose --layers");
  height_ = height;
  codes_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height),
                {255, 255, 255});
}

void PictureDrawing::mix(int x, int y, std::uint32_t rgb, double coverage) {
  if (x < 0 || x >= width_ || y < 0) return;
  grow_to(y + 1);
  auto& pixel = codes_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                       static_cast<std::size_t>(x)];
  for (unsigned c = 0; c < 3; ++c) {
    const double code = rgb >> (16 - 8 * c) & 0xff;
    pixel[c] = static_cast<std::uint8_t>(pixel[c] + coverage * (code - pixel[c]) + 0.5);
  }
}

// coverage(x, y) of each pixel that the rectangle overlaps.
template <class Coverage>
void PictureDrawing::fill(double left, double top, double right, double bottom, std::uint32_t rgb,
                          const Coverage& coverage) {
  for (int y = static_cast<int>(std::floor(top)); y < bottom; ++y)
    for (int x = static_cast<int>(std::floor(left)); x < right; ++x) mix(x, y, rgb, coverage(x, y));
}

void PictureDrawing::box(double x, double y, double width, double height, std::uint32_t rgb) {
  fill(x, y, x + width, y + height, rgb,
       [&](int u, int v) { return overlap(u, x, x + width) * overlap(v, y, y + height); });
}

void PictureDrawing::steps(const PlotSteps& steps, std::uint32_t rgb) {
  const auto count = static_cast<double>(steps.tops.size());
  const double width = (steps.right - steps.left) / count;
  // For each column of pixels: the part that each of its bars covers, and the bar's height.
  const auto each_bar = [&](int x, const auto& visit) {
    const double first = std::floor((x - steps.left) / width);
    for (double bar = std::max(0.0, first); bar < count; ++bar) {
      const double from = steps.left + bar * width;
      if (from >= x + 1) break;
      visit(overlap(x, from, from + width), steps.tops[static_cast<std::size_t>(bar)]);
    }
  };
  const double highest = *std::ranges::min_element(steps.tops);
  fill(steps.left, highest, steps.right, steps.base, rgb, [&](int x, int y) {
    double covered = 0;
    each_bar(x, [&](double share, double top) { covered += share * overlap(y, top, steps.base); });
    return 0.25 * covered;
  });
  // The outline, one pixel wide: along the tops, and up and down between them. Lines of narrow bars
  // overlap, but a pixel is only covered once.
  const auto half = [](double a, double b, double at) {
    return overlap(at, std::min(a, b) - 0.5, std::max(a, b) + 0.5);
  };
  fill(steps.left - 0.5, highest - 0.5, steps.right + 0.5, steps.base + 0.5, rgb,
       [&](int x, int y) {
         double covered = 0, before = steps.base;
         const double first = std::max(0.0, std::floor((x - 0.5 - steps.left) / width));
         if (first > 0) before = steps.tops[static_cast<std::size_t>(first) - 1];
         for (double bar = first; bar <= count; ++bar) {
           const double at = steps.left + bar * width;
           if (at - 0.5 >= x + 1) break;
           const double top = bar < count ? steps.tops[static_cast<std::size_t>(bar)] : steps.base;
           covered = std::max(covered, overlap(x, at - 0.5, at + 0.5) * half(before, top, y));
           if (bar < count)
             covered = std::max(covered, overlap(x, at, at + width) * half(top, top, y));
           before = top;
         }
         return covered;
       });
}

void PictureDrawing::mark(double x, double y, std::uint32_t rgb) {
  fill(x - mark_width / 2, y, x + mark_width / 2, y + mark_height, rgb, [&](int u, int v) {
    constexpr int fine = 4;
    int inside = 0;
    for (int i = 0; i < fine * fine; ++i) {
      const double down = v + (i / fine + 0.5) / fine - y;
      const double aside = std::abs(u + (i % fine + 0.5) / fine - x);
      inside += down < mark_height && aside * mark_height < down * mark_width / 2 ? 1 : 0;
    }
    return inside / static_cast<double>(fine * fine);
  });
}

void PictureDrawing::text(const PlotText& t) {
  const Font font(t.size);
  const double width = font.width(t.text);
  const double start = t.x - (t.anchor == Anchor::start    ? 0
                              : t.anchor == Anchor::middle ? width / 2
                                                           : width);
  const TextCoverage letters = font.drawn(t.text);
  const int left = static_cast<int>(std::floor(start + 0.5)) + letters.left;
  const int top = static_cast<int>(std::floor(t.baseline + 0.5)) + letters.top;
  for (int y = 0; y < letters.height; ++y)
    for (int x = 0; x < letters.width; ++x) mix(left + x, top + y, t.rgb, letters.at(x, y) / 255.0);
}

Image PictureDrawing::image(int height) {
  grow_to(height);
  Image image(flat_spec(width_, height, 3, PixelType::u8, {Curve::srgb, 1.0f, false, {}}));
  std::size_t from = 0;
  for (int y = 0; y < height; ++y) {
    std::byte* to = image.row(0, y);
    for (int x = 0; x < width_; ++x, ++from)
      for (const std::uint8_t code : codes_[from]) *to++ = std::byte{code};
  }
  return image;
}

}  // namespace cuimg
