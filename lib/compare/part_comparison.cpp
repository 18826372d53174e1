// SPDX-License-Identifier: Apache-2.0
#include "compare/part_comparison.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/contains.h"
#include "base/error.h"
#include "compare/aligned_pair.h"
#include "compare/devices_agree.h"
#include "compare/forgiveness.h"
#include "compare/metrics/difference_rows.h"
#include "compare/metrics/metric.h"
#include "compare/verdict.h"

namespace cuimg {
namespace {

// The layer's label, with commas between channels of long names: "Z,ZBack".
std::string name_of_layer(const LayerSpec& layer) {
  if (!layer.name.empty()) return layer.name;
  std::string name;
  for (const std::string& channel : layer.channels)
    name += (name.empty() || channel.size() == 1 ? "" : ",") + channel;
  return name;
}

bool holds_hdr(const Spec& spec, const LayerSpec& layer) {
  return is_floating(layer.type) || is_hdr(spec.color.curve);
}

// The metrics to measure, in the list's order.
std::vector<const Metric*> wanted_metrics(const CompareOptions& options, const Limits& limits,
                                          bool hdr) {
  const std::vector<std::string> of_limits = metrics_of_limits(limits, hdr);
  const bool are_all = contains(options.metrics, all_metrics);
  std::vector<const Metric*> wanted;
  for (const Metric* metric : metrics()) {
    const bool asked = options.metrics.empty() ? metric->one_pass
                                               : are_all || contains(options.metrics, metric->name);
    // HDR-FLIP of integers would use only one exposure.
    const bool fits = metric->name != "hdr_flip" || hdr || options.metric.exposures.has_value();
    if ((asked && fits) || contains(of_limits, metric->name)) wanted.push_back(metric);
  }
  return wanted;
}

MetricOptions options_of_metrics(const CompareOptions& options, const Limits& limits) {
  MetricOptions made = options.metric;
  const double percent = limits.flip_statistic.percent;
  if (limits.fail_flip && percent != FlipStatistic::mean && percent != 50)
    made.flip_percent = percent;
  return made;
}

LayerComparison compare_layer(AlignedPair& pair, int index, const Limits& limits,
                              const CompareOptions& options, const Queue& queue,
                              std::optional<double>& density, Comparison& comparison) {
  const Image& golden = pair.golden();
  const LayerSpec& spec = golden.spec().layer(index);
  const Rect& window = golden.spec().data_window;
  LayerComparison layer;
  layer.layer = index;
  layer.golden_layer = pair.golden_layer(index);
  layer.part_name = golden.spec().part_name;
  layer.name = name_of_layer(spec);
  layer.is_color = spec.is_color();
  layer.holds_ids = spec.holds_ids();
  const ValueLimits values = value_limits(limits);
  const bool forgives = limits.allow_shift || limits.antialiasing;
  ForgivenMap* const map = options.keeps_forgiven_maps ? &layer.forgiven : nullptr;
  if (map != nullptr) {
    map->window = window;
    for (std::size_t i = 0; i < pair.ignored().size(); ++i)
      if (pair.ignored()[i] != 0) map->mark(i, ForgivenBy::ignored);
  }
  PixelStateMap states;
  ComparedLayers layers(golden, pair.result(), index, queue);
  const auto find = [&] {
    const bool maps = (forgives || limits.fail_density) && !spec.holds_ids();
    layer.differences = find_differences(layers, values, pair.ignored(), maps ? &states : nullptr);
  };
  // Called after the result was changed.
  const auto find_again = [&] {
    layers.set_result(pair.result());
    find();
  };
  find();
  if (limits.allow_non_finite && layer.differences.mismatches > 0) {
    comparison.forgiven.non_finite +=
        forgive_non_finite(golden, pair.editable_result(), index, map);
    find_again();
  }
  if (forgives && !spec.holds_ids() && layer.differences.differing > 0) {
    if (limits.allow_shift) {
      comparison.forgiven.shifted +=
          forgive_shifts(golden, pair.editable_result(), index, states, limits, map);
      find_again();
    }
    if (limits.antialiasing) {
      comparison.forgiven.antialiased +=
          forgive_antialiasing(golden, pair.editable_result(), index, states, map);
      find_again();
    }
  }
  if (limits.fail_density && !spec.holds_ids())
    density = largest_density(states, window.width, window.height, limits.density_window);

  const bool hdr = holds_hdr(golden.spec(), spec);
  const MetricOptions metric_options = options_of_metrics(options, limits);
  const std::vector<const Metric*> wanted = wanted_metrics(options, limits, hdr);
  const LayerPair layer_pair(layers, layer.differences, metric_options, wanted, pair.ignored());
  for (const Metric* metric : wanted)
    for (MetricValue& value : metric->measure(layer_pair))
      layer.metrics.push_back(std::move(value));
  if (options.keeps_flip_maps) layer.flip_map = layer_pair.take_flip(hdr);
  return layer;
}

void compare_part_on(const PartPair& parts, const Limits& limits, const CompareOptions& options,
                     const Queue& queue, Comparison& comparison) {
  const auto& [golden, result, number] = parts;
  const std::size_t reasons = comparison.reasons.size();
  AlignedPair pair(golden, result, limits, options.limit_pixels, comparison);
  for (std::size_t i = reasons; comparison.has_several_parts && i < comparison.reasons.size(); ++i)
    comparison.reasons[i].text.insert(0, part_prefix(number, golden.spec().part_name));
  if (!pair.comparable()) return;
  pair.ignore(limits.ignore, options.mask, comparison);
  for (int index = 0; index < pair.golden().spec().layer_count(); ++index) {
    std::optional<double> density;
    LayerComparison layer = compare_layer(pair, index, limits, options, queue, density, comparison);
    layer.part = number;
    for (auto* place : {&layer.differences.first, &layer.differences.worst})
      if (*place) {
        (*place)->part = number;
        (*place)->layer = layer.golden_layer;
      }
    judge_layer(layer, limits, density, holds_hdr(golden.spec(), pair.golden().spec().layer(index)),
                comparison);
    comparison.layers.push_back(std::move(layer));
  }
}

const Metric* metric_of_value(const std::string& name) {
  const Metric* found = nullptr;
  for (const Metric* metric : metrics())
    if (name == metric->name || name.starts_with(std::string(metric->name) + ".") ||
        name.starts_with(std::string(metric->name) + "_of_"))
      found = metric;
  return found;
}

// The position after other values of that metric, which come from another layer; otherwise the end.
std::vector<MetricValue>::const_iterator end_of_metric(const std::vector<MetricValue>& values,
                                                       const Metric* metric) {
  for (auto value = values.end(); value != values.begin(); --value)
    if (metric_of_value(std::prev(value)->name) == metric) return value;
  return values.end();
}

}  // namespace

void compare_part(const PartPair& parts, const Limits& limits, const CompareOptions& options,
                  const Queue& queue, Comparison& comparison) {
  for (const std::string& name : options.metrics)
    if (name != all_metrics && find_metric(name) == nullptr)
      throw Error("compare", "no metric is called " + name);
  if (options.also_on == nullptr) return compare_part_on(parts, limits, options, queue, comparison);
  CompareOptions everything = options;
  everything.keeps_flip_maps = true;
  const std::size_t before = comparison.layers.size();
  Comparison here = comparison, there = comparison;
  compare_part_on(parts, limits, everything, queue, here);
  compare_part_on(parts, limits, everything, *options.also_on, there);
  if (const auto what = figure_that_differs(here, there, queue.name(), options.also_on->name()))
    throw DevicesDisagree(*what);
  for (std::size_t i = before; !options.keeps_flip_maps && i < here.layers.size(); ++i)
    here.layers[i].flip_map = {};
  comparison = std::move(here);
}

Measurer::Cost measuring_cost(const PartPair& parts, const Limits& limits,
                              const CompareOptions& options) {
  Measurer::Cost cost;
  const Spec& spec = parts.golden.spec();
  for (const LayerSpec& layer : spec.layers) {
    double nanoseconds = 0;
    for (const Metric* metric : wanted_metrics(options, limits, holds_hdr(spec, layer)))
      nanoseconds += metric->processor_ns;
    cost.milliseconds += nanoseconds * 1e-6 * static_cast<double>(spec.data_window.pixels());
  }
  cost.copied_bytes = static_cast<double>(spec.pixel_bytes()) +
                      static_cast<double>(parts.result.spec().pixel_bytes());
  return cost;
}

void add_equal_part(const Spec& spec, const Limits& limits, const CompareOptions& options,
                    Comparison& comparison) {
  // Large enough for any metric; this size only decides whether metrics are defined.
  constexpr int most_side = 256;
  const MetricOptions metric_options = options_of_metrics(options, limits);
  const Queue queue = Queue::cpu();
  for (const LayerSpec& layer : spec.layers) {
    Spec alone = spec;
    alone.layers = {layer};
    alone.metadata = {};
    Rect& window = alone.data_window;
    window.width = std::min(window.width, most_side);
    window.height = std::min(window.height, most_side);
    const Image unread(alone);
    const ComparedLayers layers(unread, unread, 0, queue);
    Differences none;
    none.pixels = static_cast<std::uint64_t>(window.pixels());
    none.values = none.pixels * layer.channels.size();
    LayerComparison equal;
    equal.name = name_of_layer(layer);
    const std::vector<const Metric*> wanted =
        wanted_metrics(options, limits, holds_hdr(spec, layer));
    const LayerPair pair(layers, none, metric_options, wanted);
    for (const Metric* metric : wanted)
      for (MetricValue& value : metric->measure(pair)) equal.metrics.push_back(std::move(value));
    comparison.layers.push_back(std::move(equal));
  }
}

void add_level(const std::string& level, Comparison found, Comparison& comparison) {
  const std::string prefix = "level " + level + ": ";
  for (LayerComparison& layer : found.layers) {
    layer.level = level;
    comparison.layers.push_back(std::move(layer));
  }
  for (const Reason& reason : found.reasons)
    comparison.reasons.push_back({reason.code, prefix + reason.text});
  for (const Reason& warning : found.warnings)
    comparison.warnings.push_back({warning.code, prefix + warning.text});
  // A difference that was allowed for the whole picture is not repeated for each level.
  for (const std::string& line : found.allowed)
    if (!contains(comparison.allowed, line)) comparison.allowed.push_back(prefix + line);
  comparison.forgiven.shifted += found.forgiven.shifted;
  comparison.forgiven.antialiased += found.forgiven.antialiased;
  comparison.forgiven.non_finite += found.forgiven.non_finite;
}

void summarize(Comparison& comparison) {
  double worst = -1;
  for (const LayerComparison& layer : comparison.layers) {
    const Differences& d = layer.differences;
    comparison.pixels += d.pixels;
    comparison.pixels_differing += d.differing;
    comparison.pixels_failing += d.failing;
    comparison.mismatches += d.mismatches;
    if (!comparison.first && d.first) {
      comparison.first = d.first;
      comparison.first_level = layer.level;
    }
    const double size = d.mismatches > 0 ? HUGE_VAL : d.max_absolute;
    if (d.worst && size > worst) {
      comparison.worst = d.worst;
      comparison.worst_level = layer.level;
      worst = size;
    }
    for (const MetricValue& value : layer.metrics) {
      const auto known = std::ranges::find_if(
          comparison.metrics, [&](const MetricValue& m) { return m.name == value.name; });
      const Metric* metric = metric_of_value(value.name);
      if (known == comparison.metrics.end())
        comparison.metrics.insert(end_of_metric(comparison.metrics, metric), value);
      else
        *known = worse(*known, value, metric != nullptr && metric->larger_is_better);
    }
  }
}

}  // namespace cuimg
