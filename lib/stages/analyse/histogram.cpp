// SPDX-License-Identifier: Apache-2.0
#include "stages/analyse/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/json.h"
#include "io/codec.h"
#include "io/output_file.h"
#include "kernels/math/math.h"
#include "stages/analyse/channel_rows.h"
#include "stages/analyse/report_heading.h"
#include "stages/description.h"

namespace cuimg {
namespace {

enum class PlotAxis : std::uint8_t { automatic, linear, stops };
std::span<const Choice<PlotAxis>> choices_of(PlotAxis) {
  static constexpr Choice<PlotAxis> choices[] = {
      {PlotAxis::automatic, "auto", "stops for half and float colours without --min and --max"},
      {PlotAxis::linear, "linear", "the bins that are printed"},
      {PlotAxis::stops, "stops", "log2(value / 0.18): 0 is mid grey, 1 is twice as much light"}};
  return choices;
}

struct Histogram {
  int bins = 256;
  std::optional<float> min,
      max;  // in the values' own type, so that --max 0.3 includes values of 0.3
  std::string plot;
  bool log = false;
  bool alpha = false;
  PlotAxis axis = PlotAxis::automatic;
};

void check_plot(const Histogram& p) {
  if (p.plot.empty()) {
    const char* const drawn = p.log                           ? "--log"
                              : p.alpha                       ? "--alpha"
                              : p.axis != PlotAxis::automatic ? "--axis"
                                                              : nullptr;
    if (drawn != nullptr)
      throw Error("histogram", std::string(drawn) + " says how a plot is drawn",
                  "name its file, --plot FILE.svg");
  }
  if (p.axis == PlotAxis::stops && (p.min || p.max))
    throw Error("histogram", "--axis stops is drawn from the darkest light to the brightest",
                "leave out --min and --max");
}

// Finds a value's bin and counts the values in each bin.
struct Counter {
  double low, high;
  std::vector<std::uint64_t> counts;
  std::uint64_t below = 0, above = 0, nan = 0;

  Counter(double from, double to, int bins)
      : low(from), high(to), counts(static_cast<std::size_t>(bins)) {}
  void operator()(float v) {
    if (is_nan(v))
      ++nan;
    else
      count(v);
  }
  void operator()(std::uint32_t v) { count(v); }
  void count(double v) {
    if (v < low) {
      ++below;
    } else if (v > high) {
      ++above;
    } else {
      // The product has few digits and is exact. Multiplying by bins / (high - low), which is
      // rounded, would put some values on a bin's edge into the bin below.
      const double place = (v - low) * static_cast<double>(counts.size()) / (high - low);
      ++counts[std::min(static_cast<std::size_t>(place), counts.size() - 1)];
    }
  }
  void merge(const Counter& o) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += o.counts[i];
    below += o.below, above += o.above, nan += o.nan;
  }
};

// The smallest and largest finite values.
struct Reach {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void operator()(float v) {
    if (is_finite(v)) add(v);
  }
  void operator()(std::uint32_t v) { add(v); }
  void merge(const Reach& o) {
    low = std::min(low, o.low);
    high = std::max(high, o.high);
  }

 private:
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

// The default range of a layer's bins: all codes of integers, light from 0 to 1 for colours, and
// the existing range for depth, ids and similar data.
class UsualRange {
 public:
  UsualRange(const Image& image, const ReportContext& context) : spec_(image.spec()) {
    if (std::ranges::any_of(spec_.layers, by_reach))
      reaches_ = tally_channels<Reach>(image, context, [](int, int) { return Reach(); });
  }
  Reach of(int layer) const {
    const LayerSpec& l = spec_.layer(layer);
    if (!by_reach(l)) return {0, std::max(1.0, static_cast<double>(code_of(l)))};
    Reach range;
    for (const Reach& reach : reaches_[static_cast<std::size_t>(layer)]) range.merge(reach);
    if (range.low > range.high) return {0, 1};  // no value is finite
    if (range.low == range.high) range.high += std::max(1.0, std::abs(range.low));
    return range;
  }

 private:
  static std::uint32_t code_of(const LayerSpec& l) {
    return l.type == PixelType::u32 ? 0 : largest_code(l.type);
  }
  static bool by_reach(const LayerSpec& l) { return !l.is_color() && code_of(l) == 0; }

  const Spec& spec_;
  std::vector<std::vector<Reach>> reaches_;
};

std::vector<LayerHistogram> count_values(const Histogram& p, const Image& image,
                                         const ReportContext& context) {
  const Spec& spec = image.spec();
  const UsualRange usual(image, context);
  const auto tallies = tally_channels<Counter>(image, context, [&](int l, int) {
    const Reach range = usual.of(l);
    const double low = p.min ? *p.min : range.low, high = p.max ? *p.max : range.high;
    if (!(low < high))
      throw Error("histogram", fmt::format("--min {:.7g} is not below --max {:.7g}", low, high));
    return Counter(low, high, p.bins);
  });
  std::vector<LayerHistogram> layers;
  for (std::size_t l = 0; l < tallies.size(); ++l) {
    if (tallies[l].empty()) continue;
    layers.emplace_back();
    for (std::size_t c = 0; c < tallies[l].size(); ++c) {
      const Counter& t = tallies[l][c];
      layers.back().push_back({spec.layers[l].full_name(static_cast<int>(c)),
                               std::string(name_of(spec.layers[l].type)), t.low, t.high, t.counts,
                               t.below, t.above, t.nan});
    }
  }
  return layers;
}

std::string json_text(const std::vector<LayerHistogram>& layers, Json object) {
  Json channels = Json::list();
  for (const LayerHistogram& layer : layers)
    for (const ChannelHistogram& c : layer)
      channels.push(Json::object({{"name", c.name},
                                  {"type", c.type},
                                  {"min", c.low},
                                  {"max", c.high},
                                  {"below", c.below},
                                  {"above", c.above},
                                  {"nan", c.nan},
                                  {"counts", c.counts}}));
  object.set("channels", channels);
  return object.line();
}

// A line for each bin and a column for each channel; layers with another range follow below.
std::string plain_text(const std::vector<LayerHistogram>& layers, const std::string& file) {
  std::string text = printable(file) + ":\n";
  for (const LayerHistogram& layer : layers) {
    const auto line = [&](const std::string& first, const auto& value) {
      text += fmt::format("  {:>14}", first);
      for (const ChannelHistogram& c : layer) text += fmt::format(" {:>12}", value(c));
      text += "\n";
    };
    const ChannelHistogram& one = layer.front();
    line("from", [](const ChannelHistogram& c) { return printable(c.name); });
    line("below", [](const ChannelHistogram& c) { return fmt::format("{}", c.below); });
    const std::size_t bins = one.counts.size();
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const double from =
          one.low + (one.high - one.low) * static_cast<double>(bin) / static_cast<double>(bins);
      line(fmt::format("{:.6g}", from),
           [&](const ChannelHistogram& c) { return fmt::format("{}", c.counts[bin]); });
    }
    line("above", [](const ChannelHistogram& c) { return fmt::format("{}", c.above); });
    line("NaN", [](const ChannelHistogram& c) { return fmt::format("{}", c.nan); });
  }
  return text;
}

// Fills in {part}. Otherwise several parts would write to the same file.
std::string plot_of_part(std::string plot, const ReportSubject& subject) {
  const std::string key = "{part}";
  const std::size_t at = plot.find(key);
  if (at == std::string::npos && subject.part)
    throw Error("histogram", "--plot " + plot + " names one file for several parts",
                "put {part} into the name, or choose one with --part");
  if (at != std::string::npos)
    plot.replace(at, key.size(), std::to_string(subject.part.value_or(0)));
  return plot;
}

// Fills in {stem} too. Otherwise several images would write to the same file. Empty: no plot is
// drawn.
std::string plot_name(const Histogram& p, const ReportSubject& subject) {
  if (p.plot.empty()) return {};
  const std::string plot = plot_of_part(p.plot, subject);
  if (!plot.ends_with(".svg") && !plot.ends_with(".png"))
    throw Error("histogram", "--plot " + plot + " does not end in .svg or .png",
                "these are what plots are drawn as");
  const std::string key = "{stem}";
  const std::size_t at = plot.find(key);
  if (at == std::string::npos) {
    if (subject.alone) return plot;
    throw Error("histogram", "--plot " + plot + " names one file for several pictures",
                "put {stem} into the name");
  }
  const std::string stem =
      subject.input == "-" ? "stdin" : std::filesystem::path(subject.input).stem().string();
  return std::string(plot).replace(at, key.size(), stem);
}

// The channels that are drawn: without alpha, which is often opaque, unless the layer has nothing
// else.
PlotFrame plot_frame(const Histogram& p, const LayerHistogram& counted, int layer,
                     const Image& image, const ReportContext& context) {
  const LayerSpec& spec = image.spec().layer(layer);
  const bool integers = largest_code(spec.type) != 0;
  const bool usual = spec.is_color() && !p.min && !p.max;
  const bool in_stops =
      !integers && (p.axis == PlotAxis::stops || (p.axis == PlotAxis::automatic && usual));
  PlotFrame frame{PlotScale::values, counted};
  if (in_stops)
    frame = {PlotScale::stops, count_stops(image, layer, context, p.bins)};
  else if (integers && counted.front().low == 0 && counted.front().high == largest_code(spec.type))
    frame.scale = PlotScale::codes;
  const int alpha = spec.alpha_index();
  if (!p.alpha && alpha >= 0 && frame.channels.size() > 1)
    frame.channels.erase(frame.channels.begin() + alpha);
  return frame;
}

std::vector<PlotFrame> plot_frames(const Histogram& p, const std::vector<LayerHistogram>& counted,
                                   const Image& image, const ReportContext& context) {
  std::vector<PlotFrame> frames;
  for (std::size_t l = 0; l < image.spec().layers.size(); ++l)
    if (context.layers.contains(l))
      frames.push_back(plot_frame(p, counted[frames.size()], static_cast<int>(l), image, context));
  return frames;
}

void write_plot(const std::string& name, const std::vector<PlotFrame>& frames,
                const std::string& heading, bool logarithmic, bool no_clobber) {
  OutputFile file(name, no_clobber);
  if (name.ends_with(".svg")) {
    const std::string svg = histogram_svg(frames, heading, logarithmic);
    file.sink().write(std::as_bytes(std::span(svg)));
  } else {
    RowProgress ready;
    ready.finish();
    codec_named("png")->encode(histogram_picture(frames, heading, logarithmic), {}, ready,
                               file.sink());
  }
  file.commit();
}

}  // namespace

StageDescription histogram_stage() {
  using H = Histogram;
  return describe<H>("histogram", "how often each value occurs", Kind::sink)
      .param("bins", &H::bins, range(1, 65536), "number of bins for each channel, all of one width")
      .param("min", &H::min, "where the first bin begins; default 0, or the lowest value")
      .param("max", &H::max, "where the last bin ends, inclusive; default 1, or the largest value")
      .param("plot", &H::plot,
             "also draw it as SVG or PNG; {stem} is the image's name, {part} the part's number",
             placeholder("FILE"))
      .param("log", &H::log, "draw counts logarithmically")
      .param("axis", &H::axis, "horizontal axis of the plot")
      .param("alpha", &H::alpha, "plot alpha too")
      .details(
          "A value v falls into bin floor((v - min) * bins / (max - min)). Values below --min or "
          "above --max, infinities included, are counted separately, and so is NaN. Values are "
          "counted as stored, 8- and 16-bit integers by their codes. After a stage that computes, "
          "they are floats, and colours are encoded as in the input's file. By default the bins "
          "cover all codes of integers, 0 to 1 for float colours, and the lowest to the highest "
          "finite value for depth, ids and similar data. Only pixels inside the data window count. "
          "The counting runs on the CPU.\n\nPrints one line for each bin: where it begins, and "
          "each channel's count. With --json it prints one object with all bins; for a file that "
          "fails, the object holds the error. --plot also draws the channels of each layer on top "
          "of each other, without alpha. Half and float light is drawn on an axis in stops, unless "
          "--min, --max or --axis linear asks for the printed bins. That axis leaves out the "
          "darkest thousandth of the light, ends at the brightest, and divides each stop into as "
          "many parts as --bins allows. If a few bars are more than three times as high as all "
          "others, they are cut off and marked.")
      .example("cuimg histogram --bins 16 in.png")
      .example("cuimg histogram --max 4 --plot out.svg in.exr")
      .writes("plot", plot_name)
      .check(check_plot)
      .report([](const H& p, const Image& image, const ReportContext& context) {
        const std::string plot = plot_name(p, context.subject);
        const std::vector<LayerHistogram> layers = count_values(p, image, context);
        if (!plot.empty())
          write_plot(plot, plot_frames(p, layers, image, context),
                     printable(report_heading(context.subject, image.spec())), p.log,
                     context.no_clobber);
        return context.json ? json_text(layers, report_object(context.subject, image.spec()))
                            : plain_text(layers, report_heading(context.subject, image.spec()));
      });
}

}  // namespace cuimg
