// SPDX-License-Identifier: Apache-2.0
// Histograms as SVG: an area for each channel, one frame below the other for each layer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/exact_math.h"
#include "stages/analyse/histogram.h"

namespace cuimg {
namespace {

constexpr int width = 640, plot_height = 200;
constexpr int left = 64, right = 16, top = 56, between = 64;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string color_of(const std::string& channel, std::size_t index) {
  const std::size_t dot = channel.rfind('.');
  const std::string last = dot == std::string::npos ? channel : channel.substr(dot + 1);
  if (last == "R") return "#d62728";
  if (last == "G") return "#2ca02c";
  if (last == "B") return "#1f6fd0";
  if (last == "A") return "#7f7f7f";
  if (last == "Y") return "#333333";
  constexpr const char* others[] = {"#9467bd", "#e08214", "#17a2a8", "#8c564b"};
  return others[index % 4];
}

// A count's height as a share of the highest one's.
double share(std::uint64_t count, std::uint64_t most, bool logarithmic) {
  if (most == 0) return 0;
  const auto c = static_cast<double>(count), m = static_cast<double>(most);
  return logarithmic ? exact::log(c + 1) / exact::log(m + 1) : c / m;
}

class Plot {
 public:
  Plot(const LayerHistogram& layer, int y, bool logarithmic)
      : layer_(layer), y_(y), logarithmic_(logarithmic) {
    for (const ChannelHistogram& channel : layer)
      for (const std::uint64_t count : channel.counts) most_ = std::max(most_, count);
  }

  std::string svg() const {
    std::string text = grid();
    for (std::size_t i = 0; i < layer_.size(); ++i) text += area(i);
    text += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#666\"/>\n",
        left, y_, width - left - right, plot_height);
    return text + legend();
  }

 private:
  std::string grid() const {
    std::string text;
    for (int i = 0; i <= 4; ++i) {
      const double x = left + (width - left - right) * i / 4.0;
      const double value = layer_.front().low + (layer_.front().high - layer_.front().low) * i / 4;
      text += fmt::format(
          "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"#ddd\"/>\n"
          "<text x=\"{0}\" y=\"{3}\" text-anchor=\"{4}\">{5:.6g}</text>\n",
          x, y_, y_ + plot_height, y_ + plot_height + 18,
          i == 0   ? "start"
          : i == 4 ? "end"
                   : "middle",
          value);
    }
    std::uint64_t last = UINT64_MAX;
    for (int i = 0; i <= 2; ++i) {
      const std::uint64_t count = i == 0 ? 0 : i == 2 ? most_ : halfway();
      if (count == last) continue;
      last = count;
      const double y = y_ + plot_height * (1 - share(count, most_, logarithmic_));
      text += fmt::format(
          "<line x1=\"{}\" y1=\"{:.2f}\" x2=\"{}\" y2=\"{:.2f}\" stroke=\"#ddd\"/>\n"
          "<text x=\"{}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n",
          left, y, width - right, y, left - 6, y + 4, count);
    }
    return text;
  }

  // The count at half the height, as a round number.
  std::uint64_t halfway() const {
    if (!logarithmic_) return most_ / 2;
    return static_cast<std::uint64_t>(std::sqrt(static_cast<double>(most_) + 1)) - (most_ > 0);
  }

  std::string area(std::size_t index) const {
    const ChannelHistogram& channel = layer_[index];
    const double step =
        static_cast<double>(width - left - right) / static_cast<double>(channel.counts.size());
    std::string path = fmt::format("M{} {}", left, y_ + plot_height);
    for (std::size_t bin = 0; bin < channel.counts.size(); ++bin)
      path += fmt::format("V{:.2f}H{:.2f}",
                          y_ + plot_height * (1 - share(channel.counts[bin], most_, logarithmic_)),
                          left + step * static_cast<double>(bin + 1));
    path += fmt::format("V{}Z", y_ + plot_height);
    const std::string color = color_of(channel.name, index);
    return fmt::format(
        "<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.3\" stroke=\"{}\" stroke-width=\"0.75\"/>\n",
        path, color, color);
  }

  // Names, and what lies outside of the bins.
  std::string legend() const {
    std::string text;
    const double step = static_cast<double>(width - left - right) / 4;
    for (std::size_t i = 0; i < layer_.size(); ++i) {
      const ChannelHistogram& c = layer_[i];
      const double x = left + step * static_cast<double>(i);
      std::string about;
      if (c.below > 0) about += fmt::format(", {} below", c.below);
      if (c.above > 0) about += fmt::format(", {} above", c.above);
      if (c.nan > 0) about += fmt::format(", {} NaN", c.nan);
      text += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\" fill-opacity=\"0.6\"/>\n"
          "<text x=\"{}\" y=\"{}\">{}<tspan font-size=\"9\">{}</tspan></text>\n",
          x, y_ - 16, color_of(c.name, i), x + 14, y_ - 7, escaped(c.name), about);
    }
    return text;
  }

  const LayerHistogram& layer_;
  int y_;
  bool logarithmic_;
  std::uint64_t most_ = 0;
};

}  // namespace

std::string histogram_svg(const std::vector<LayerHistogram>& layers, const std::string& heading,
                          bool logarithmic) {
  const int height = top + static_cast<int>(layers.size()) * (plot_height + between) - between + 32;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
      "<text x=\"{2}\" y=\"20\" font-size=\"13\">{3}</text>\n",
      width, height, left, escaped(heading));
  int y = top;
  for (const LayerHistogram& layer : layers) {
    text += Plot(layer, y, logarithmic).svg();
    y += plot_height + between;
  }
  return text + "</svg>\n";
}

}  // namespace cuimg
