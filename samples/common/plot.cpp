// SPDX-License-Identifier: Apache-2.0
#include "common/plot.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "common/picture.h"
#include "common/table.h"

namespace cuimg::samples {
namespace {

constexpr const char* axis_style = "font-family='sans-serif' font-size='12' fill='#333'";

std::string escaped(const std::string& words) {
  std::string result;
  for (char c : words) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string words_at(double x, double y, const char* anchor, const std::string& words,
                     const std::string& more = "") {
  return text("<text x='%.1f' y='%.1f' text-anchor='%s' %s %s>", x, y, anchor, axis_style,
              more.c_str()) +
         escaped(words) + "</text>\n";
}

std::string upright(double x, double y, const std::string& words) {
  return words_at(x, y, "middle", words, text("transform='rotate(-90 %.1f %.1f)'", x, y));
}

void save(const std::string& path, int width, int height, const std::string& body) {
  std::ofstream file(path);
  file << text(
              "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' "
              "height='%d'>\n",
              width, height, width, height)
       << "<rect width='100%' height='100%' fill='white'/>\n"
       << body << "</svg>\n";
  file.close();
  if (!file) throw Error(path, "cannot be written");
}

std::string value_words(double value) {
  return text(std::fabs(value) < 10 ? "%.2f" : std::fabs(value) < 100 ? "%.1f" : "%.0f", value);
}

// Steps of 1, 2 or 5 times a power of ten, or powers of two.
std::vector<double> ticks(double low, double high, bool logarithmic) {
  std::vector<double> result;
  if (logarithmic) {
    const double first = std::ceil(std::log2(low) - 1e-9), last = std::log2(high) + 1e-9;
    const double step = std::max(1.0, std::ceil((last - first) / 9));
    for (double power = first; power <= last; power += step) result.push_back(std::exp2(power));
    return result;
  }
  const double rough = (high - low) / 6, ten = std::pow(10, std::floor(std::log10(rough)));
  const double step = ten * (rough > 5 * ten ? 10 : rough > 2 * ten ? 5 : rough > ten ? 2 : 1);
  for (double at = std::ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step)
    result.push_back(std::fabs(at) < step / 2 ? 0 : at);
  return result;
}

// 1Ki for 1024: axes by powers of two use these units.
std::string tick_words(double value, bool logarithmic) {
  if (!logarithmic || value < 1024) return text("%g", value);
  if (value < 0x1p20) return text("%gKi", value / 0x1p10);
  return value < 0x1p30 ? text("%gMi", value / 0x1p20) : text("%gGi", value / 0x1p30);
}

}  // namespace

void HeatMap::write(const std::string& path) const {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const auto& row : values)
    for (double value : row)
      if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  constexpr int cell_width = 58, cell_height = 30, left = 90, top = 70;
  const int right = left + cell_width * static_cast<int>(columns.size());
  const int bottom = top + cell_height * static_cast<int>(rows.size());
  std::string body = words_at((left + right) / 2.0, 22, "middle", title);
  body += words_at((left + right) / 2.0, 44, "middle", column_title);
  body += upright(24, (top + bottom) / 2.0, row_title);
  for (std::size_t c = 0; c < columns.size(); ++c)
    body +=
        words_at(left + cell_width * (static_cast<double>(c) + 0.5), top - 8, "middle", columns[c]);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = top + cell_height * static_cast<double>(r);
    body += words_at(left - 8, y + 20, "end", rows[r]);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double value = values[r][c], x = left + cell_width * static_cast<double>(c);
      if (!std::isfinite(value)) continue;
      const double share = most > least ? (value - least) / (most - least) : 1;
      const auto color = ramp(share);
      body += text("<rect x='%.1f' y='%.1f' width='%d' height='%d' fill='rgb(%.0f,%.0f,%.0f)'/>\n",
                   x, y, cell_width - 1, cell_height - 1, color[0], color[1], color[2]);
      body += text(
          "<text x='%.1f' y='%.1f' text-anchor='middle' font-family='sans-serif' "
          "font-size='12' fill='%s' font-weight='%s'>%s</text>\n",
          x + cell_width / 2.0, y + 20, share > 0.6 ? "black" : "white",
          value == most ? "bold" : "normal", value_words(value).c_str());
    }
  }
  body += words_at((left + right) / 2.0, bottom + 22, "middle", unit + "; bold: the most");
  save(path, std::max(right + 30, 420), bottom + 40, body);
}

void LinePlot::write(const std::string& path) const {
  static constexpr const char* colors[] = {"#1b6ca8", "#d1495b", "#2e933c", "#8338a8",
                                           "#e08e1b", "#555555", "#17a2a2", "#a0522d"};
  const double infinity = std::numeric_limits<double>::infinity();
  double low[2] = {infinity, log_y ? infinity : 0}, high[2] = {-infinity, -infinity};
  for (const Line& line : lines)
    for (const auto& [x, y] : line.points) {
      low[0] = std::min(low[0], x), high[0] = std::max(high[0], x);
      low[1] = std::min(low[1], y), high[1] = std::max(high[1], y);
    }
  for (int axis : {0, 1})
    if (!(high[axis] > low[axis])) high[axis] = low[axis] + 1;
  constexpr double left = 80, right = 700, top = 50, bottom = 420;
  const auto place = [&](double value, int axis) {
    const bool logarithmic = axis == 0 ? log_x : log_y;
    const auto scale = [&](double v) { return logarithmic ? std::log2(v) : v; };
    const double share = (scale(value) - scale(low[axis])) / (scale(high[axis]) - scale(low[axis]));
    return axis == 0 ? left + share * (right - left) : bottom - share * (bottom - top);
  };
  const auto stroke = [](double x1, double y1, double x2, double y2, const char* color) {
    return text("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>\n", x1, y1, x2, y2,
                color);
  };
  std::string body = words_at((left + right) / 2, 26, "middle", title);
  body += words_at((left + right) / 2, bottom + 44, "middle", x_title);
  body += upright(24, (top + bottom) / 2, y_title);
  for (double x : ticks(low[0], high[0], log_x)) {
    body += stroke(place(x, 0), top, place(x, 0), bottom, "#ddd");
    body += words_at(place(x, 0), bottom + 18, "middle", tick_words(x, log_x));
  }
  for (double y : ticks(low[1], high[1], log_y)) {
    body += stroke(left, place(y, 1), right, place(y, 1), "#ddd");
    body += words_at(left - 8, place(y, 1) + 4, "end", tick_words(y, false));
  }
  body += stroke(left, bottom, right, bottom, "#333") + stroke(left, top, left, bottom, "#333");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const char* color = colors[i % std::size(colors)];
    std::string points;
    for (const auto& [x, y] : lines[i].points) {
      points += text("%.1f,%.1f ", place(x, 0), place(y, 1));
      body += text("<circle cx='%.1f' cy='%.1f' r='2.5' fill='%s'/>\n", place(x, 0), place(y, 1),
                   color);
    }
    body += text("<polyline points='%s' fill='none' stroke='%s' stroke-width='1.5'/>\n",
                 points.c_str(), color);
    const double y = top + 18 * (static_cast<double>(i) + 0.5);
    body += stroke(right + 14, y, right + 34, y, color);
    body += words_at(right + 40, y + 4, "start", lines[i].name);
  }
  save(path, 900, 480, body);
}

}  // namespace cuimg::samples
