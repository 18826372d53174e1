// SPDX-License-Identifier: Apache-2.0
// What values the channels hold, in numbers.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/exact_moments.h"
#include "base/json.h"
#include "kernels/math/math.h"
#include "stages/analyse/channel_rows.h"
#include "stages/analyse/report_heading.h"
#include "stages/description.h"

namespace cuimg {
namespace {

struct ChannelStats {
  ExactMoments moments;  // of the finite values
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

using Table = std::vector<std::vector<ChannelStats>>;

template <class Visit>
void each_channel(const Spec& spec, const Table& table, const Visit& visit) {
  for (std::size_t l = 0; l < table.size(); ++l)
    for (std::size_t c = 0; c < table[l].size(); ++c)
      visit(spec.layers[l], static_cast<int>(c), table[l][c]);
}

std::string json_text(const Spec& spec, const Table& table, const ReportContext& context) {
  const Rect& r = spec.data_window;
  Json channels = Json::list();
  each_channel(spec, table, [&](const LayerSpec& layer, int c, const ChannelStats& s) {
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
  std::vector<std::array<std::string, 11>> rows = {{"channel", "type", "min", "max", "mean",
                                                    "stddev", "NaN", "+Inf", "-Inf", "negative",
                                                    "finite"}};
  each_channel(spec, table, [&](const LayerSpec& layer, int c, const ChannelStats& s) {
    const bool any = s.moments.count() > 0, id = layer.type == PixelType::u32;
    const std::uint32_t most = largest_code(layer.type);
    std::string type(name_of(layer.type));
    if (most > 0 && !id) type += fmt::format(" of {}", most);
    const auto value = [&](float v, std::uint32_t i) {
      return !any ? "-" : id ? fmt::format("{}", i) : fmt::format("{}", v);
    };
    const auto number = [&](double v) { return any ? fmt::format("{:.8g}", v) : "-"; };
    rows.push_back({printable(layer.full_name(c)), type, value(s.low, s.low_id),
                    value(s.high, s.high_id), number(s.moments.mean()),
                    number(s.moments.standard_deviation()), fmt::format("{}", s.nan),
                    fmt::format("{}", s.above), fmt::format("{}", s.below),
                    fmt::format("{}", s.negative), fmt::format("{}", s.moments.count())});
  });
  std::array<std::size_t, 11> widths{};
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
  return describe<NoOptions>("stats", "smallest, largest and mean value of each channel",
                             Kind::sink)
      .details(
          "For each channel: the smallest, the largest and the mean of its finite values and their "
          "standard deviation (divided by their number, not one less); how many are NaN, infinite "
          "and negative, -infinity included. Values are printed as stored, 8- and 16-bit "
          "integers by their codes. Behind stages that compute, as in cuimg exposure --stops 1 + "
          "stats in.exr, they are floats, colours as the input's file encodes them. Only pixels "
          "inside the data window count.\n\n"
          "Sums are kept without any rounding, so the numbers depend neither on threads nor on the "
          "device; they are made from downloaded rows, on the CPU. --json prints an object a line, "
          "of a file that fails with its error.")
      .example("cuimg stats in.exr")
      .example("cuimg stats --json renders/*.exr")
      .report([](const NoOptions&, const Image& image, const ReportContext& context) {
        const Table table =
            tally_channels<ChannelStats>(image, context, [](int, int) { return ChannelStats(); });
        return context.json
                   ? json_text(image.spec(), table, context)
                   : plain_text(image.spec(), table, report_heading(context.subject, image.spec()));
      });
}

}  // namespace cuimg
