// SPDX-License-Identifier: Apache-2.0
#include "compare/report/history_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "plot/plot_ticks.h"
#include "text/font.h"
#include "text/web_text.h"

namespace cuimg {
namespace {

constexpr int plot_width = 380, plot_height = 190, columns = 2, margin = 20, heading = 48;
// A plot's margins: room for the numbers on the left and for the runs' labels below.
constexpr double left = 62, right = 12, top = 30, bottom = 34;
constexpr double area_width = plot_width - left - right, area_height = plot_height - top - bottom;
constexpr float text_size = 11;

constexpr std::string_view style = R"(<style>
svg { color-scheme: light dark; font: 11px system-ui, "DejaVu Sans", sans-serif; }
.page { fill: #ffffff; } .name { fill: #1c1c1c; font-weight: 600; font-size: 12px; }
.title { fill: #1c1c1c; font-weight: 600; font-size: 15px; }
.soft { fill: #606060; } .grid { stroke: #e2e2e2; } .range { fill: #1f5fbf; fill-opacity: 0.14; }
.mean { stroke: #1f5fbf; stroke-width: 1.75; fill: none; }
.worst { fill: #b3261e; } .mean-point { fill: #1f5fbf; }
@media (prefers-color-scheme: dark) {
.page { fill: #161616; } .name, .title { fill: #e6e6e6; } .soft { fill: #a2a2a2; }
.grid { stroke: #363636; } .range { fill: #7fb0ff; fill-opacity: 0.18; } .mean { stroke: #7fb0ff; }
.worst { fill: #ff8a80; } .mean-point { fill: #7fb0ff; }
}
</style>
)";

/// One metric in one run.
struct RunValue {
  double best = 0, worst = 0, mean = 0;
};

struct History {
  std::string metric;
  std::vector<std::optional<RunValue>> values;  ///< By run; nothing if no pair has the metric.
};

std::vector<double> values_of(const HistoryRun& run, const std::string& metric) {
  std::vector<double> values;
  for (const StoredPair& pair : run.pairs)
    for (const auto& [name, value] : pair.metrics)
      if (name == metric && std::isfinite(value)) values.push_back(value);
  return values;
}

std::optional<RunValue> summary(const std::vector<double>& values, bool larger_is_better) {
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax_element(values);
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  return larger_is_better ? RunValue{*high, *low, mean} : RunValue{*low, *high, mean};
}

std::vector<History> histories(const std::vector<HistoryRun>& runs) {
  std::vector<History> found;
  for (const HistoryRun& run : runs)
    for (const StoredPair& pair : run.pairs)
      for (const auto& [name, value] : pair.metrics) {
        const auto has_name = [&](const History& h) { return h.metric == name; };
        if (std::ranges::none_of(found, has_name)) found.push_back({name, {}});
      }
  for (History& history : found)
    for (const HistoryRun& run : runs)
      history.values.push_back(
          summary(values_of(run, history.metric), larger_is_better(history.metric)));
  const auto is_empty = [](const History& history) {
    return std::ranges::none_of(history.values,
                                [](const auto& value) { return value.has_value(); });
  };
  std::erase_if(found, is_empty);
  return found;
}

class MetricPlot {
 public:
  MetricPlot(const History& history, const std::vector<HistoryRun>& runs)
      : history_(history), runs_(runs) {
    bool is_first = true;
    for (const auto& value : history.values) {
      if (!value) continue;
      const auto [low, high] = std::minmax(value->best, value->worst);
      low_ = is_first ? low : std::min(low_, low);
      high_ = is_first ? high : std::max(high_, high);
      is_first = false;
    }
    // The axis of an error begins at 0; for an SSIM this would hide its distance from 1.
    if (!larger_is_better(history.metric)) low_ = std::min(low_, 0.0);
    if (!(high_ > low_)) high_ = low_ + (low_ == 0 ? 1 : std::abs(low_) * 0.1);
  }

  std::string drawn() {
    write("<text class=\"name\" x=\"{}\" y=\"16\">{}</text>\n", left, xml_text(history_.metric));
    draw_axes();
    draw_range();
    draw_points();
    return body_;
  }

 private:
  template <class... T>
  void write(fmt::format_string<T...> pattern, T&&... words) {
    fmt::format_to(std::back_inserter(body_), pattern, std::forward<T>(words)...);
  }

  double x(std::size_t run) const {
    if (runs_.size() == 1) return left + area_width / 2;
    return left + area_width * static_cast<double>(run) / static_cast<double>(runs_.size() - 1);
  }
  double y(double value) const {
    // The distance of two finite numbers may be infinite, that of their halves is not.
    const double share = std::isinf(high_ - low_) ? (value / 2 - low_ / 2) / (high_ / 2 - low_ / 2)
                                                  : (value - low_) / (high_ - low_);
    return top + area_height * (1 - share);
  }

  void draw_axes() {
    for (const PlotTick& tick : round_ticks(low_, high_, 4)) {
      write("<path class=\"grid\" d=\"M{} {:.2f}h{}\"/>\n", left, y(tick.at), area_width);
      write("<text class=\"soft\" x=\"{}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left - 6,
            y(tick.at) + 4, xml_text(tick.label));
    }
    // As many labels as fit, including the last run's.
    constexpr double label_width = 72;
    const auto most = static_cast<std::size_t>(area_width / label_width);
    const std::size_t step = (runs_.size() + most - 1) / most;
    const Font font(text_size);
    const std::size_t last = runs_.size() - 1;
    for (std::size_t i = last % step; i <= last; i += step) {
      const char* anchor = last == 0 ? "middle" : i == 0 ? "start" : i == last ? "end" : "middle";
      write("<text class=\"soft\" x=\"{:.2f}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x(i),
            plot_height - 14, anchor, xml_text(font.shortened(runs_[i].label, label_width)));
    }
  }

  void draw_range() {
    std::string upper, lower, mean;
    bool begins = true;
    const auto close = [&] {
      if (!upper.empty()) write("<path class=\"range\" d=\"{}{}Z\"/>\n", upper, lower);
      upper.clear();
      lower.clear();
      begins = true;
    };
    for (std::size_t i = 0; i < history_.values.size(); ++i) {
      const auto& value = history_.values[i];
      if (!value) {
        close();
        continue;
      }
      upper += fmt::format("{}{:.2f} {:.2f}", begins ? 'M' : 'L', x(i), y(value->best));
      lower.insert(0, fmt::format("L{:.2f} {:.2f}", x(i), y(value->worst)));
      mean += fmt::format("{}{:.2f} {:.2f}", begins ? 'M' : 'L', x(i), y(value->mean));
      begins = false;
    }
    close();
    write("<path class=\"mean\" d=\"{}\"/>\n", mean);
  }

  void draw_points() {
    for (std::size_t i = 0; i < history_.values.size(); ++i) {
      const auto& value = history_.values[i];
      if (!value) continue;
      const std::string label = xml_text(runs_[i].label);
      for (const auto& [name, number, kind] :
           {std::tuple{"worst", value->worst, "worst"}, {"mean", value->mean, "mean-point"}})
        write(
            "<circle class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.5\"><title>{}: {} {:.6g}"
            "</title></circle>\n",
            kind, x(i), y(number), label, name, number);
    }
  }

  const History& history_;
  const std::vector<HistoryRun>& runs_;
  double low_ = 0, high_ = 1;
  std::string body_;
};

}  // namespace

bool larger_is_better(std::string_view metric) {
  const std::string_view name = metric.substr(0, metric.find('.'));
  return name == "psnr" || name == "ssim" || name == "ssim_of_channel" || name == "ms_ssim";
}

std::string history_plot(const std::vector<HistoryRun>& runs) {
  if (runs.empty()) throw Error("history", "there is no report to draw");
  const std::vector<History> all = histories(runs);
  if (all.empty()) throw Error("history", "no report has a metric with a number");
  const int count = static_cast<int>(all.size());
  const int across = std::min(columns, count), rows = (count + across - 1) / across;
  const int width = across * plot_width + 2 * margin;
  const int height = heading + rows * plot_height + margin;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"Metrics of {2} runs\">\n",
      width, height, runs.size());
  svg += style;
  svg += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", width, height);
  svg += fmt::format(
      "<text class=\"title\" x=\"{0}\" y=\"28\">Metrics by run</text>\n"
      "<circle class=\"mean-point\" cx=\"{1}\" cy=\"24\" r=\"3.5\"/>"
      "<text class=\"soft\" x=\"{2}\" y=\"28\">mean of pairs</text>\n"
      "<circle class=\"worst\" cx=\"{3}\" cy=\"24\" r=\"3.5\"/>"
      "<text class=\"soft\" x=\"{4}\" y=\"28\">worst pair</text>\n",
      margin, margin + 150, margin + 158, margin + 250, margin + 258);
  for (int i = 0; i < count; ++i)
    svg += fmt::format("<g transform=\"translate({} {})\">\n{}</g>\n",
                       margin + i % across * plot_width, heading + i / across * plot_height,
                       MetricPlot(all[static_cast<std::size_t>(i)], runs).drawn());
  return svg + "</svg>\n";
}

}  // namespace cuimg
