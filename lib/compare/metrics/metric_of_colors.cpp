// SPDX-License-Identifier: Apache-2.0
// Colour differences of pixels by themselves: CIEDE2000, and HyAB in OKLab; of display colours.
#include <algorithm>
#include <array>

#include "base/instruction_set.h"
#include "compare/metrics/metric.h"
#include "kernels/compare/lab_difference.h"

namespace cuimg {
namespace {

constexpr int rows_per_item = 16;

struct Total {
  double sum = 0;
  float largest = 0;
};

// @param difference of two display colours.
template <class Difference>
std::vector<MetricValue> measure(const LayerPair& pair, const std::string& name,
                                 const Difference& difference) {
  if (!pair.spec().is_color()) return {{name + ".mean", {}}};
  if (pair.is_equal()) return {{name + ".mean", 0.0}, {name + ".maximum", 0.0}};
  const DisplayPicture &golden = pair.shown_golden(), &result = pair.shown_result();
  const int items = (golden.height + rows_per_item - 1) / rows_per_item;
  std::vector<Total> totals(static_cast<std::size_t>(items));
  pair.queue().for_each(items, [&](int item) {
    Total& total = totals[static_cast<std::size_t>(item)];
    const int end = std::min(golden.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y) {
      const float *a = golden.row(y), *b = result.row(y);
      constexpr int block = 64;
      std::array<float, block> errors;
      for (int x0 = 0; x0 < golden.width; x0 += block) {
        const int count = std::min(block, golden.width - x0);
        const float *p = a + 3 * x0, *q = b + 3 * x0;
        if (std::equal(p, p + 3 * count, q)) continue;
        with_best_instructions([&] {
          for (int x = 0; x < count; ++x)
            errors[static_cast<std::size_t>(x)] = difference(
                flip::Triple{clamp(p[3 * x], 0.0f, 1.0f), clamp(p[3 * x + 1], 0.0f, 1.0f),
                             clamp(p[3 * x + 2], 0.0f, 1.0f)},
                flip::Triple{clamp(q[3 * x], 0.0f, 1.0f), clamp(q[3 * x + 1], 0.0f, 1.0f),
                             clamp(q[3 * x + 2], 0.0f, 1.0f)});
        });
        for (int x = 0; x < count; ++x) {
          total.sum += static_cast<double>(errors[static_cast<std::size_t>(x)]);
          total.largest = std::max(total.largest, errors[static_cast<std::size_t>(x)]);
        }
      }
    }
  });
  Total all;
  for (const Total& total : totals) {
    all.sum += total.sum;
    all.largest = std::max(all.largest, total.largest);
  }
  return {{name + ".mean", all.sum / static_cast<double>(pair.window().pixels())},
          {name + ".maximum", static_cast<double>(all.largest)}};
}

}  // namespace

const Metric& delta_e_2000_metric() {
  static const Metric metric = {"delta_e_2000",
                                "CIEDE2000",
                                false,
                                false,
                                [](const LayerPair& pair) {
                                  return measure(pair, "delta_e_2000",
                                                 [](flip::Triple a, flip::Triple b) {
                                                   return delta_e_2000(lab_of(a), lab_of(b));
                                                 });
                                },
                                "delta_e_2000.mean"};
  return metric;
}

const Metric& oklab_hyab_metric() {
  static const Metric metric = {"oklab_hyab",
                                "HyAB in OKLab, white to black being 1",
                                false,
                                false,
                                [](const LayerPair& pair) {
                                  return measure(
                                      pair, "oklab_hyab", [](flip::Triple a, flip::Triple b) {
                                        return oklab_difference(oklab_of(a), oklab_of(b));
                                      });
                                },
                                "oklab_hyab.mean"};
  return metric;
}

}  // namespace cuimg
