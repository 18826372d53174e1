// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/metric.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compare/metrics/flip_map.h"

namespace cuimg {

#define CUIMG_METRIC(name) const Metric& name##_metric();
#include "compare/metrics/metric_list.inc"
#undef CUIMG_METRIC

std::span<const Metric* const> metrics() {
#define CUIMG_METRIC(name) &name##_metric(),
  static const std::array all = {
#include "compare/metrics/metric_list.inc"
  };
#undef CUIMG_METRIC
  return all;
}

const Metric* find_metric(std::string_view name) {
  for (const Metric* metric : metrics())
    if (metric->name == name) return metric;
  return nullptr;
}

MetricValue worse(const MetricValue& a, const MetricValue& b, bool larger_is_better) {
  if (!a.value) return b;
  if (!b.value) return a;
  const bool a_is_larger = *a.value >= *b.value;
  return a_is_larger == larger_is_better ? b : a;
}

bool LayerPair::wants(std::string_view metric) const {
  return std::ranges::any_of(wanted_, [&](const Metric* wanted) { return wanted->name == metric; });
}

const DisplayPair& LayerPair::shown() const {
  if (!shown_) shown_ = display_pair(layers_, options_.background);
  return *shown_;
}

const FlipMap& LayerPair::flip(bool hdr) const {
  std::optional<FlipMap>& map = hdr ? hdr_flip_ : flip_;
  if (map) return *map;
  map = flip_map(*this, hdr);
  if (ignored_.empty()) return *map;
  // The filters spread errors to ignored pixels.
  std::vector<float> values = map->values(queue());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (ignored_[i] != 0) values[i] = 0;
  map->on_card = {};
  map->on_cpu = std::move(values);
  return *map;
}

std::vector<float> LayerPair::take_flip(bool hdr) const {
  const std::optional<FlipMap> map = std::exchange(hdr ? hdr_flip_ : flip_, std::nullopt);
  return map ? map->values(queue()) : std::vector<float>();
}

}  // namespace cuimg
