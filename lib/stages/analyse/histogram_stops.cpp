// SPDX-License-Identifier: Apache-2.0
// Counts light in stops: every stop from 2^-32 to 2^32 of mid grey in 24 bins, which a plot
// combines as it needs.
#include <algorithm>
#include <numeric>

#include "base/exact_math.h"
#include "kernels/math/math.h"
#include "stages/analyse/channel_rows.h"
#include "stages/analyse/histogram.h"

namespace cuimg {
namespace {

constexpr int bins_a_stop = 24, farthest_stop = 32, stops_counted = 2 * farthest_stop;
constexpr double mid_grey = 0.18;

// The start of each bin, and the end of the last one. As float, so that counting needs no
// logarithm.
const std::vector<float>& bin_starts() {
  static const std::vector<float> starts = [] {
    std::vector<float> made;
    for (int i = 0; i <= stops_counted * bins_a_stop; ++i)
      made.push_back(static_cast<float>(
          mid_grey * exact::pow(2, static_cast<double>(i) / bins_a_stop - farthest_stop)));
    return made;
  }();
  return starts;
}

struct StopCounter {
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(stops_counted * bins_a_stop);
  std::uint64_t below = 0, above = 0, nan = 0, not_positive = 0;

  void operator()(float v) {
    const std::vector<float>& starts = bin_starts();
    if (is_nan(v))
      ++nan;
    else if (v <= 0)
      ++not_positive;
    else if (v < starts.front())
      ++below;
    else if (v >= starts.back())
      ++above;
    else
      ++counts[static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), v) -
                                        starts.begin() - 1)];
  }
  void operator()(std::uint32_t v) { (*this)(static_cast<float>(v)); }
  void merge(const StopCounter& o) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += o.counts[i];
    below += o.below, above += o.above, nan += o.nan, not_positive += o.not_positive;
  }
};

struct StopRange {
  int first, last;  // in stops from the start of the counts
};

// Noise near black extends over many stops in which there is nothing to see.
StopRange shown_stops(const std::vector<StopCounter>& channels) {
  std::vector<std::uint64_t> all(stops_counted);
  for (const StopCounter& channel : channels)
    for (std::size_t i = 0; i < channel.counts.size(); ++i)
      all[i / bins_a_stop] += channel.counts[i];
  const std::uint64_t total = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  if (total == 0) return {farthest_stop - 8, farthest_stop + 4};
  StopRange range{0, stops_counted};
  for (std::uint64_t left_out = all[0]; left_out <= total / 1000;)
    left_out += all[static_cast<std::size_t>(++range.first)];
  while (all[static_cast<std::size_t>(range.last - 1)] == 0) --range.last;
  constexpr int narrowest = 6;
  while (range.last - range.first < narrowest) {
    if (range.first > 0) --range.first;
    if (range.last < stops_counted) ++range.last;
  }
  return range;
}

int bins_a_shown_stop(int stops, int most_bins) {
  for (const int bins : {24, 12, 8, 6, 4, 3, 2})
    if (stops * bins <= most_bins) return bins;
  return 1;
}

}  // namespace

LayerHistogram count_stops(const Image& image, int layer, const ReportContext& context,
                           int most_bins) {
  const auto index = static_cast<std::size_t>(layer);
  const LayerSpec& spec = image.spec().layers[index];
  ReportContext this_layer = context;
  this_layer.layers.chosen.assign(image.spec().layers.size(), false);
  this_layer.layers.chosen[index] = true;
  const auto tallies = std::move(tally_channels<StopCounter>(
      image, this_layer, [](int, int) { return StopCounter(); })[index]);

  const StopRange range = shown_stops(tallies);
  const int merged = bins_a_stop / bins_a_shown_stop(range.last - range.first, most_bins);
  LayerHistogram channels;
  for (std::size_t c = 0; c < tallies.size(); ++c) {
    const StopCounter& t = tallies[c];
    const auto sum = [&](int from, int to) {
      return std::accumulate(t.counts.begin() + from, t.counts.begin() + to, std::uint64_t{0});
    };
    const int first = range.first * bins_a_stop, last = range.last * bins_a_stop;
    ChannelHistogram made;
    made.name = spec.full_name(static_cast<int>(c));
    made.type = name_of(spec.type);
    made.low = range.first - farthest_stop;
    made.high = range.last - farthest_stop;
    for (int bin = first; bin < last; bin += merged) made.counts.push_back(sum(bin, bin + merged));
    made.below = t.below + sum(0, first);
    made.above = t.above + sum(last, static_cast<int>(t.counts.size()));
    made.nan = t.nan;
    made.not_positive = t.not_positive;
    channels.push_back(std::move(made));
  }
  return channels;
}

}  // namespace cuimg
