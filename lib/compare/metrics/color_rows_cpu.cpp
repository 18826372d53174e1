// SPDX-License-Identifier: Apache-2.0
// By blocks of a row, which the compiler vectorises; those that are equal in both are skipped.
#include <algorithm>
#include <array>

#include "base/instruction_set.h"
#include "compare/metrics/color_rows.h"
#include "compare/metrics/row_sums.h"
#include "device/on_device.h"
#include "kernels/compare/lab_difference.h"

namespace cuimg {
namespace {

constexpr int rows_per_item = 16;
constexpr int block = 64;
static_assert(row_lanes % block == 0);

template <class Difference>
RowOfColors compare_row(const float* a, const float* b, int width, const Difference& difference) {
  RowOfColors row;
  const int lane_count = lanes_of_row(width);
  std::array<double, row_lanes> lanes;
  std::fill_n(lanes.begin(), lane_count, 0.0);
  std::array<float, block> errors;
  for (int x0 = 0; x0 < width; x0 += block) {
    const int count = std::min(block, width - x0);
    const float *p = a + 3 * x0, *q = b + 3 * x0;
    if (std::equal(p, p + 3 * count, q)) continue;
    with_best_instructions([&] {
      for (int x = 0; x < count; ++x)
        errors[static_cast<std::size_t>(x)] =
            difference(flip::displayed({p[3 * x], p[3 * x + 1], p[3 * x + 2]}),
                       flip::displayed({q[3 * x], q[3 * x + 1], q[3 * x + 2]}));
    });
    double* const to = lanes.data() + x0 % row_lanes;
    for (int x = 0; x < count; ++x) {
      const float error = errors[static_cast<std::size_t>(x)];
      to[x] += static_cast<double>(error);
      row.largest = std::max(row.largest, error);
    }
  }
  row.sum = sum_of_lanes(lanes.data(), lane_count, 1);
  return row;
}

template <class Difference>
std::vector<RowOfColors> compare_on_cpu(const DisplayPair& shown, const Queue& queue,
                                        const Difference& difference) {
  const DisplayPicture &golden = shown.golden, &result = shown.result;
  std::vector<RowOfColors> rows(static_cast<std::size_t>(golden.height));
  queue.for_each((golden.height + rows_per_item - 1) / rows_per_item, [&](int item) {
    const int end = std::min(golden.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y)
      rows[static_cast<std::size_t>(y)] =
          compare_row(golden.row(y), result.row(y), golden.width, difference);
  });
  return rows;
}

}  // namespace

std::vector<RowOfColors> color_differences(ColorDifference difference, const DisplayPair& shown,
                                           const Queue& queue) {
  return on_device(
      queue,
      [&] {
        return difference == ColorDifference::delta_e_2000
                   ? compare_on_cpu(shown, queue, DeltaE2000())
                   : compare_on_cpu(shown, queue, OklabHyab());
      },
      [&] { return color_differences_on_cuda(difference, shown, queue); });
}

}  // namespace cuimg
