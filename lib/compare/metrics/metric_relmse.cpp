// SPDX-License-Identifier: Apache-2.0
// The mean of squared differences, each relative to the golden's value. It measures renderers'
// noise, since it weights shadows as much as highlights (Rousselle, Knaus and Zwicker, "Adaptive
// Sampling and Reconstruction using Greedy Error Minimization", 2011).
#include <array>
#include <vector>

#include "compare/metrics/metric.h"
#include "compare/metrics/row_sums.h"
#include "image/dispatch.h"
#include "kernels/color/encoding.h"
#include "kernels/compare/value_difference.h"
#include "kernels/math/dispatch.h"

namespace cuimg {
namespace {

// Added to the square of a golden value, so that black also has a relative error.
constexpr double floor_of_squares = 0.01;

template <class T>
double sum_of_row(const T* golden, const T* result, int width, int channels) {
  std::array<double, std::size_t{4} * row_lanes> lanes{};
  for (int x = 0; x < width; ++x)
    for (int c = 0; c < channels; ++c) {
      const int i = x * channels + c;
      const float a = stored_to_float(golden[i]);
      const double difference = finite_difference(a, stored_to_float(result[i]));
      const double square = is_finite(a) ? static_cast<double>(a) * static_cast<double>(a) : 0.0;
      lanes[static_cast<std::size_t>(x % row_lanes * channels + c)] +=
          difference * difference / (square + floor_of_squares);
    }
  return sum_of_lanes(lanes.data(), lanes_of_row(width), channels);
}

std::vector<MetricValue> relmse(const LayerPair& pair) {
  if (pair.spec().holds_ids()) return {{"relmse", {}}};
  const Differences& d = pair.differences();
  if (pair.is_equal() || d.values_of_means() == 0) return {{"relmse", 0.0}};
  const ComparedLayers& layers = pair.layers();
  const Rect& window = pair.window();
  std::vector<double> rows(static_cast<std::size_t>(window.height));
  // Even if a card measures the other metrics.
  const Queue processor = Queue::cpu(pair.queue().threads());
  processor.for_each(window.height, [&](int row) {
    const auto* golden = layers.golden().row(layers.layer(), window.y + row);
    const auto* result = layers.result().row(layers.layer(), window.y + row);
    with_stored_type(pair.spec().type, [&](auto t) {
      using T = typename decltype(t)::type;
      rows[static_cast<std::size_t>(row)] =
          sum_of_row(reinterpret_cast<const T*>(golden), reinterpret_cast<const T*>(result),
                     window.width, pair.spec().channel_count());
    });
  });
  const double sum = sum_in_pairs(0, rows.size(), [&](std::size_t y) { return rows[y]; });
  return {{"relmse", sum / static_cast<double>(d.values_of_means())}};
}

}  // namespace

const Metric& relmse_metric() {
  static constexpr Metric metric = {
      "relmse", "mean of (a - b)^2 / (a^2 + 0.01), with a the golden", false, false, relmse, 4};
  return metric;
}

}  // namespace cuimg
