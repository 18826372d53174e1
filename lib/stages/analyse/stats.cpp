// SPDX-License-Identifier: Apache-2.0
// Statistics of the channels' values.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/exact_moments.h"
#include "base/json.h"
#include "kernels/math/math.h"
#include "stages/analyse/channel_rows.h"
#include "stages/analyse/percentiles.h"
#include "stages/analyse/report_heading.h"
#include "stages/description.h"

namespace cuimg {
namespace {

struct Stats {
  std::vector<double> percentiles;
};

struct ChannelStats {
  ExactMoments moments;  // of finite values
  float low = 0, high = 0;
  std::uint32_t low_id = 0xffffffff, high_id = 0;
  std::uint64_t nan = 0, above = 0, below = 0, negative = 0;

  void operator()(float v) {
    negative += v < 0;
    if (!is_finite(v)) {
      (is_nan(v) ? nan : v > 0 ? above : below) += 1;
      return;
    }
    if (moments.count() == 0) low = high = v;
    if (order_key(v) < order_key(low)) low = v;
    if (order_key(v) > order_key(high)) high = v;
    moments.add(v);
  }
  void operator()(std::uint32_t v) {
    low_id = std::min(low_id, v);
    high_id = std::max(high_id, v);
    moments.add(v);
  }
  void merge(const ChannelStats& o) {
    if (o.moments.count() > 0) {
      const bool first = moments.count() == 0;
      if (first || order_key(o.low) < order_key(low)) low = o.low;
      if (first || order_key(o.high) > order_key(high)) high = o.high;
    }
    low_id = std::min(low_id, o.low_id);
    high_id = std::max(high_id, o.high_id);
    nan += o.nan, above += o.above, below += o.below, negative += o.negative;
    moments.merge(o.moments);
  }
};

// The statistics of each channel of each layer.
struct Table {
  std::vector<std::vector<ChannelStats>> stats;
  std::vector<double> percents;
  std::vector<std::vector<std::vector<double>>> percentiles;  // empty unless requested
};

template <class Visit>
void each_channel(const Spec& spec, const Table& table, const Visit& visit) {
  const std::vector<double> none;
  for (std::size_t l = 0; l < table.stats.size(); ++l)
    for (std::size_t c = 0; c < table.stats[l].size(); ++c)
      visit(spec.layers[l], static_cast<int>(c), table.stats[l][c],
            table.percentiles.empty() ? none : table.percentiles[l][c]);
}

// "1", "99.9".
std::string percent_text(double percent) { return fmt::format("{}", percent); }

std::string json_text(const Spec& spec, const Table& table, const ReportContext& context) {
  const Rect& r = spec.data_window;
  Json channels = Json::list();
  each_channel(
      spec, table,
      [&](const LayerSpec& layer, int c, const ChannelStats& s,
          const std::vector<double>& percentiles) {
        Json one = Json::object({{"name", layer.full_name(c)}, {"type", name_of(layer.type)}});
        if (largest_code(layer.type) > 0) one.set("largest_code", largest_code(layer.type));
        const bool any = s.moments.count() > 0, id = layer.type == PixelType::u32;
        const auto value = [&](float v, std::uint32_t i) {
          return !any ? Json() : id ? Json(i) : Json(v);
        };
        one.set("min", value(s.low, s.low_id));
        one.set("max", value(s.high, s.high_id));
        one.set("mean", any ? Json(s.moments.mean()) : Json());
        one.set("stddev", any ? Json(s.moments.standard_deviation()) : Json());
        if (!table.percents.empty()) {
          Json values = Json::object();
          for (std::size_t i = 0; i < table.percents.size(); ++i)
            values.set(percent_text(table.percents[i]), any ? Json(percentiles[i]) : Json());
          one.set("percentiles", values);
        }
        one.set("finite", s.moments.count());
        one.set("nan", s.nan);
        one.set("positive_infinity", s.above);
        one.set("negative_infinity", s.below);
        one.set("negative", s.negative);
        channels.push(std::move(one));
      });
  const Json window =
      Json::object({{"x", r.x}, {"y", r.y}, {"width", r.width}, {"height", r.height}});
  Json object = report_object(context.subject, spec);
  object.set("data_window", window);
  object.set("channels", channels);
  return object.line();
}

std::string plain_text(const Spec& spec, const Table& table, const std::string& file) {
  const Rect& r = spec.data_window;
  using Row = std::vector<std::string>;
  std::vector<Row> rows = {{"channel", "type", "min", "max", "mean", "stddev"}};
  for (const double percent : table.percents) rows[0].push_back("p" + percent_text(percent));
  for (const char* const name : {"NaN", "+Inf", "-Inf", "negative", "finite"})
    rows[0].emplace_back(name);
  each_channel(
      spec, table,
      [&](const LayerSpec& layer, int c, const ChannelStats& s,
          const std::vector<double>& percentiles) {
        const bool any = s.moments.count() > 0, id = layer.type == PixelType::u32;
        const std::uint32_t most = largest_code(layer.type);
        std::string type(name_of(layer.type));
        if (most > 0 && !id) type += fmt::format(" of {}", most);
        const auto value = [&](float v, std::uint32_t i) {
          return !any ? "-" : id ? fmt::format("{}", i) : fmt::format("{}", v);
        };
        const auto number = [&](double v) { return any ? fmt::format("{:.8g}", v) : "-"; };
        Row row = {printable(layer.full_name(c)), type,
                   value(s.low, s.low_id),        value(s.high, s.high_id),
                   number(s.moments.mean()),      number(s.moments.standard_deviation())};
        for (std::size_t i = 0; i < table.percents.size(); ++i)
          row.push_back(any ? number(percentiles[i]) : "-");
        for (const std::uint64_t count : {s.nan, s.above, s.below, s.negative, s.moments.count()})
          row.push_back(fmt::format("{}", count));
        rows.push_back(std::move(row));
      });
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text =
      fmt::format("{}: {}x{}{:+}{:+}\n", printable(file), r.width, r.height, r.x, r.y);
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i < 2 ? fmt::format("  {:<{}}", row[i], widths[i])
                    : fmt::format("  {:>{}}", row[i], widths[i]);
    text += line + "\n";
  }
  return text;
}

}  // namespace

StageDescription stats_stage() {
  return describe<Stats>("stats", "smallest, largest and mean value of each channel", Kind::sink)
      .param("percentiles", &Stats::percentiles, range(0.0, 100.0),
             "percentiles to print as well, such as 1,50,99; 50 is the median")
      .details(
          "Prints for each channel the smallest, largest and mean of the finite values and their "
          "standard deviation (the population's: divided by N, not N - 1), and how many values are "
          "NaN, infinite and negative (-infinity counts as negative). Values are printed as "
          "stored, 8- and 16-bit integers as codes. After a stage that computes, as in cuimg "
          "exposure --stops 1 + stats in.exr, they are floats, and colours are encoded as in the "
          "input's file. Only pixels inside the data window count.\n\nA percentile P is the value "
          "at position (n - 1) P / 100, counted from 0, of the n finite values in order. Between "
          "two positions it is interpolated linearly, as in numpy.\n\nSums are exact, so the "
          "numbers depend neither on threads nor on the device. They are computed on the CPU. "
          "--json prints one object a line; for a file that fails, the object holds the error.")
      .example("cuimg stats in.exr")
      .example("cuimg stats --json renders/*.exr")
      .example("cuimg stats --percentiles 1,50,99 in.exr")
      .report([](const Stats& p, const Image& image, const ReportContext& context) {
        Table table;
        table.stats =
            tally_channels<ChannelStats>(image, context, [](int, int) { return ChannelStats(); });
        table.percents = p.percentiles;
        if (!p.percentiles.empty())
          table.percentiles = percentiles_of(image, context, p.percentiles);
        return context.json
                   ? json_text(image.spec(), table, context)
                   : plain_text(image.spec(), table, report_heading(context.subject, image.spec()));
      });
}

}  // namespace cuimg
