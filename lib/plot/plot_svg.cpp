// SPDX-License-Identifier: Apache-2.0
// Plots as SVG.
#include "plot/plot_drawing.h"

#include <fmt/format.h>

#include "text/font.h"
#include "text/web_text.h"

namespace cuimg {
void SvgDrawing::box(double x, double y, double width, double height, std::uint32_t rgb) {
  body_ += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#{:06x}\"/>\n", x,
      y, width, height, rgb);
}

void SvgDrawing::steps(const PlotSteps& steps, std::uint32_t rgb) {
  const double width = (steps.right - steps.left) / static_cast<double>(steps.tops.size());
  std::string path = fmt::format("M{:.2f} {:.2f}", steps.left, steps.base);
  for (std::size_t i = 0; i < steps.tops.size(); ++i)
    path += fmt::format("V{:.2f}H{:.2f}", steps.tops[i],
                        steps.left + width * static_cast<double>(i + 1));
  path += fmt::format("V{:.2f}", steps.base);
  body_ += fmt::format(
      "<path d=\"{}Z\" fill=\"#{:06x}\" fill-opacity=\"0.25\" stroke=\"#{:06x}\" "
      "stroke-width=\"1\"/>\n",
      path, rgb, rgb);
}

void SvgDrawing::mark(double x, double y, std::uint32_t rgb) {
  body_ += fmt::format("<path d=\"M{:.2f} {:.2f}l{} {}h-{}Z\" fill=\"#{:06x}\"/>\n", x, y,
                       mark_width / 2, mark_height, mark_width, rgb);
}

void SvgDrawing::text(const PlotText& t) {
  constexpr const char* anchors[] = {"start", "middle", "end"};
  // A viewer with another font keeps the width that the layout has measured.
  body_ += fmt::format(
      "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"#{:06x}\" "
      "textLength=\"{:.2f}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
      t.x, t.baseline, t.size, anchors[static_cast<int>(t.anchor)], t.rgb,
      Font(t.size).width(t.text), xml_text(t.text));
}

std::string SvgDrawing::file(int width, int height) const {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
             "viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n"
             "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
             width, height) +
         body_ + "</svg>\n";
}

}  // namespace cuimg
