// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/metric.h"

#include <array>

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

const DisplayPicture& LayerPair::shown_golden() const {
  if (!shown_golden_) shown_golden_ = display_picture(golden_, layer_, options_.background, queue_);
  return *shown_golden_;
}
const DisplayPicture& LayerPair::shown_result() const {
  if (!shown_result_) shown_result_ = display_picture(result_, layer_, options_.background, queue_);
  return *shown_result_;
}

}  // namespace cuimg
