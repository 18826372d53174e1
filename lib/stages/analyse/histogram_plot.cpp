// SPDX-License-Identifier: Apache-2.0
// The layout of a drawn histogram: a frame for each layer, its channels as overlapping areas.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/exact_math.h"
#include "base/message_text.h"
#include "plot/plot_drawing.h"
#include "plot/plot_ticks.h"
#include "stages/analyse/histogram.h"
#include "text/font.h"

namespace cuimg {
namespace {

constexpr int plot_width = 760, area_height = 240;
constexpr double left = 64, right = 24, area_width = plot_width - left - right;
constexpr float title_size = 15, name_size = 12, small_size = 11;
constexpr std::uint32_t dark = 0x222222, grey = 0x666666, grid_color = 0xe4e4e4,
                        frame_color = 0x999999;

std::uint32_t color_of(const std::string& channel, std::size_t index) {
  const std::string last = channel.substr(channel.rfind('.') + 1);
  if (last == "R") return 0xd62728;
  if (last == "G") return 0x2ca02c;
  if (last == "B") return 0x1f6fd0;
  if (last == "A") return 0x7f7f7f;
  if (last == "Y") return 0x333333;
  constexpr std::uint32_t others[] = {0x9467bd, 0xe08214, 0x17a2a8, 0x8c564b};
  return others[index % 4];
}

constexpr std::uint64_t several = 3;

// The highest count without outliers: a few bins with several times as many values as any other,
// from an opaque alpha or clipped highlights, for example, would make all other bars too low to
// see.
std::uint64_t highest_usual(const ChannelHistogram& channel) {
  std::vector<std::uint64_t> counts = channel.counts;
  std::ranges::sort(counts, std::greater<>());
  const std::size_t few = std::max<std::size_t>(1, counts.size() / 50);
  std::size_t alone = 0;
  for (std::size_t i = 0; i < few && i + 1 < counts.size(); ++i)
    if (counts[i] / several > counts[i + 1]) alone = i + 1;
  return counts[alone];
}

class HistogramFrame {
 public:
  HistogramFrame(const PlotFrame& frame, bool logarithmic, PlotDrawing& drawing)
      : frame_(frame), channels_(frame.channels), logarithmic_(logarithmic), drawing_(drawing) {
    std::uint64_t highest = 0;
    for (const ChannelHistogram& channel : channels_)
      for (const std::uint64_t count : channel.counts) highest = std::max(highest, count);
    most_ = highest;
    if (!logarithmic) {
      std::uint64_t usual = 0;
      for (const ChannelHistogram& channel : channels_)
        usual = std::max(usual, highest_usual(channel));
      if (usual > 0 && highest / several > usual) most_ = usual;
    }
  }

  /// @returns where the frame ends.
  double draw(double y) {
    y = legend(y);
    for (const ChannelHistogram& channel : channels_)
      if (bars_cut(channel) > 0) y += mark_row;
    top_ = y + 4;
    marks();
    grid();
    for (std::size_t i = 0; i < channels_.size(); ++i)
      drawing_.steps(outline(channels_[i]), color_of(channels_[i].name, i));
    border();
    return axis_labels();
  }

 private:
  static constexpr double mark_row = PlotDrawing::mark_height + 2;

  double bottom() const { return top_ + area_height; }
  // The bottom of the bars: within the frame's line, which therefore covers the outlines of empty
  // bins.
  double base() const { return bottom() + 0.5; }
  double x_of(double value) const {
    const ChannelHistogram& one = channels_.front();
    return left + area_width * ((value - one.low) / (one.high - one.low));
  }
  // 5% of the height stays free, except for bars that are cut off.
  double y_of(std::uint64_t count) const {
    if (cut(count)) return top_;
    if (most_ == 0) return base();
    const auto c = static_cast<double>(count), m = static_cast<double>(most_);
    const double share = logarithmic_ ? exact::log(c + 1) / exact::log(m + 1) : c / m;
    return base() - 0.95 * area_height * share;
  }
  bool cut(std::uint64_t count) const { return count > most_; }
  std::size_t bars_cut(const ChannelHistogram& channel) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(channel.counts, [&](std::uint64_t c) { return cut(c); }));
  }
  double bin_middle(const ChannelHistogram& channel, std::size_t bin) const {
    return left + area_width * (static_cast<double>(bin) + 0.5) /
                      static_cast<double>(channel.counts.size());
  }

  // Channel names, and the values that the bars do not show; entries that do not fit start a new
  // line.
  double legend(double y) {
    constexpr double swatch = 10, after_swatch = 5, after_name = 8, between = 22, line = 20;
    double x = left;
    y += line;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const ChannelHistogram& channel = channels_[i];
      const std::string name =
          Font(name_size).shortened(printable(channel.name), static_cast<float>(area_width / 2));
      const double name_width = Font(name_size).width(name);
      const double before = swatch + after_swatch + name_width + after_name;
      const std::string remark =
          Font(small_size).shortened(remarks(channel), static_cast<float>(area_width - before));
      const double width = before + Font(small_size).width(remark);
      if (x > left && x + width > left + area_width) {
        x = left;
        y += line;
      }
      drawing_.box(x, y - swatch + 1, swatch, swatch, color_of(channel.name, i));
      drawing_.text({x + swatch + after_swatch, y, name_size, Anchor::start, dark, name});
      if (!remark.empty()) drawing_.text({x + before, y, small_size, Anchor::start, grey, remark});
      x += width + between;
    }
    return y + 8;
  }

  std::string remarks(const ChannelHistogram& c) const {
    std::string text;
    const auto add = [&](const std::string& what) { add_item(text, what); };
    if (c.not_positive > 0) add(grouped_count(c.not_positive) + " at 0 or less");
    if (c.below > 0) add(grouped_count(c.below) + " below");
    if (c.above > 0) add(grouped_count(c.above) + " above");
    if (c.nan > 0) add(grouped_count(c.nan) + " NaN");
    if (const std::size_t bars = bars_cut(c); bars > 0) {
      const auto highest = std::ranges::max_element(c.counts);
      add((bars > 1 ? std::to_string(bars) + " bars cut off, up to " : "cut off: ") +
          grouped_count(*highest) + " at " + place_of(c, highest - c.counts.begin()));
    }
    return text;
  }
  std::string place_of(const ChannelHistogram& c, std::ptrdiff_t bin) const {
    const double from =
        c.low + (c.high - c.low) * static_cast<double>(bin) / static_cast<double>(c.counts.size());
    if (frame_.scale == PlotScale::stops) return fmt::format("{:+.2f} stops", from);
    return frame_.scale == PlotScale::codes ? fmt::format("{}", std::ceil(from))
                                            : fmt::format("{:.4g}", from);
  }

  // Each channel has its own line of marks.
  void marks() {
    double y = top_ - 2 - PlotDrawing::mark_height;
    for (std::size_t i = channels_.size(); i-- > 0;) {
      const ChannelHistogram& channel = channels_[i];
      if (bars_cut(channel) == 0) continue;
      for (std::size_t bin = 0; bin < channel.counts.size(); ++bin)
        if (cut(channel.counts[bin]))
          drawing_.mark(bin_middle(channel, bin), y, color_of(channel.name, i));
      y -= mark_row;
    }
  }

  std::vector<PlotTick> ticks() const {
    const ChannelHistogram& one = channels_.front();
    if (frame_.scale == PlotScale::codes) return code_ticks(one.high);
    if (frame_.scale == PlotScale::stops) return stop_ticks(one.low, one.high);
    return round_ticks(one.low, one.high, 10);
  }

  void grid() {
    for (const PlotTick& tick : ticks()) {
      const bool mid_grey = frame_.scale == PlotScale::stops && tick.at == 0;
      drawing_.box(std::floor(x_of(tick.at)), top_, 1, area_height,
                   mid_grey ? frame_color : grid_color);
    }
    double last = bottom() + 2 * small_size;
    for (const PlotTick& tick : count_ticks(static_cast<double>(most_), logarithmic_)) {
      const double y = y_of(static_cast<std::uint64_t>(tick.at));
      if (last - y < small_size) continue;
      last = y;
      drawing_.box(left, std::floor(y), area_width, 1, grid_color);
      drawing_.text({left - 7, y + 4, small_size, Anchor::end, grey, tick.label});
    }
    drawing_.text({left - 7, top_ - 5, small_size, Anchor::end, grey, "pixels"});
  }

  PlotSteps outline(const ChannelHistogram& channel) const {
    PlotSteps steps{left, left + area_width, base(), {}};
    for (const std::uint64_t count : channel.counts) steps.tops.push_back(y_of(count));
    return steps;
  }

  void border() {
    drawing_.box(left - 1, top_ - 1, area_width + 2, 1, frame_color);
    drawing_.box(left - 1, bottom(), area_width + 2, 1, frame_color);
    drawing_.box(left - 1, top_, 1, area_height, frame_color);
    drawing_.box(left + area_width, top_, 1, area_height, frame_color);
  }

  double axis_labels() {
    constexpr double line = 16;
    double y = bottom() + line;
    const bool stops = frame_.scale == PlotScale::stops;
    numbers(ticks(), y, stops ? "stops" : frame_.scale == PlotScale::codes ? "code" : "value");
    if (stops) {
      const ChannelHistogram& one = channels_.front();
      const auto decades = decade_ticks(one.low, one.high);
      for (const PlotTick& tick : decades)
        drawing_.box(std::floor(x_of(tick.at)), bottom() + 1, 1, 3, grey);
      numbers(decades, y += line, "value");
    }
    return y;
  }

  // Numbers that would touch the previous one are left out.
  void numbers(const std::vector<PlotTick>& all, double y, const std::string& what) {
    constexpr double titles = left - 14;
    drawing_.text({titles, y, small_size, Anchor::end, grey, what});
    double taken = titles;
    for (const PlotTick& tick : all) {
      const double width = Font(small_size).width(tick.label);
      const double start =
          std::min(x_of(tick.at) - width / 2, static_cast<double>(plot_width) - 4 - width);
      if (start < taken + 4) continue;
      taken = start + width;
      drawing_.text({start, y, small_size, Anchor::start, dark, tick.label});
    }
  }

  const PlotFrame& frame_;
  const LayerHistogram& channels_;
  bool logarithmic_;
  PlotDrawing& drawing_;
  std::uint64_t most_ = 0;
  double top_ = 0;
};

// @returns the picture's height.
int draw_histogram(const std::vector<PlotFrame>& frames, const std::string& heading,
                   bool logarithmic, PlotDrawing& drawing) {
  const Font font(title_size);
  drawing.text({left, 28, title_size, Anchor::start, dark,
                font.shortened(heading, static_cast<float>(area_width))});
  double y = 32;
  for (const PlotFrame& frame : frames)
    y = HistogramFrame(frame, logarithmic, drawing).draw(y) + 16;
  return static_cast<int>(y);
}

}  // namespace

std::string histogram_svg(const std::vector<PlotFrame>& frames, const std::string& heading,
                          bool logarithmic) {
  SvgDrawing drawing;
  const int height = draw_histogram(frames, heading, logarithmic, drawing);
  return drawing.file(plot_width, height);
}

Image histogram_picture(const std::vector<PlotFrame>& frames, const std::string& heading,
                        bool logarithmic) {
  PictureDrawing drawing(plot_width);
  const int height = draw_histogram(frames, heading, logarithmic, drawing);
  return drawing.image(height);
}

}  // namespace cuimg
