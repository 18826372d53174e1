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

constexpr int block = 64;
static_assert(row_lanes % block == 0);

struct Labs {
  std::array<float, block> l, a, b;
};

// @param rgb of `block` pixels.
template <class Difference>
inline void colors_of(const float* rgb, Labs& to) {
  for (std::size_t x = 0; x < block; ++x) {
    const Lab color =
        Difference::color(flip::displayed({rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2]}));
    to.l[x] = color.l;
    to.a[x] = color.a;
    to.b[x] = color.b;
  }
}

// Colours first, then differences: what a loop does for a few pixels is then short enough for the
// processor to be at work on several rounds of it.
template <class Difference>
std::array<float, block> errors_of(const float* p, const float* q) {
  Labs a, b;
  std::array<float, block> errors;
  with_best_instructions([&] {
    colors_of<Difference>(p, a);
    colors_of<Difference>(q, b);
    for (std::size_t x = 0; x < block; ++x)
      errors[x] = Difference::between({a.l[x], a.a[x], a.b[x]}, {b.l[x], b.a[x], b.b[x]});
  });
  return errors;
}

template <class Difference>
RowOfColors compare_row(const float* a, const float* b, int width) {
  RowOfColors row;
  const int lane_count = lanes_of_row(width);
  std::array<double, row_lanes> lanes;
  std::fill_n(lanes.begin(), lane_count, 0.0);
  std::array<float, 3 * block> last_a{}, last_b{};
  for (int x0 = 0; x0 < width; x0 += block) {
    const int count = std::min(block, width - x0);
    const float *p = a + 3 * x0, *q = b + 3 * x0;
    if (std::equal(p, p + 3 * count, q)) continue;
    if (count < block) {
      std::copy_n(p, 3 * count, last_a.begin());
      std::copy_n(q, 3 * count, last_b.begin());
      p = last_a.data(), q = last_b.data();
    }
    const std::array<float, block> errors = errors_of<Difference>(p, q);
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

RowOfColors compare_row(ColorDifference difference, const float* a, const float* b, int width) {
  return difference == ColorDifference::delta_e_2000 ? compare_row<DeltaE2000>(a, b, width)
                                                     : compare_row<OklabHyab>(a, b, width);
}

std::vector<RowOfColors> compare_on_cpu(ColorDifference difference, const DisplayPair& shown,
                                        const Queue& queue) {
  constexpr int rows_per_item = 16;
  const DisplayPicture &golden = shown.golden, &result = shown.result;
  std::vector<RowOfColors> rows(static_cast<std::size_t>(golden.height));
  queue.for_each((golden.height + rows_per_item - 1) / rows_per_item, [&](int item) {
    const int end = std::min(golden.height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; ++y)
      rows[static_cast<std::size_t>(y)] =
          compare_row(difference, golden.row(y), result.row(y), golden.width);
  });
  return rows;
}

}  // namespace

std::vector<RowOfColors> color_differences(ColorDifference difference, const DisplayPair& shown,
                                           const Queue& queue) {
  return on_device(
      queue, [&] { return compare_on_cpu(difference, shown, queue); },
      [&] { return color_differences_on_cuda(difference, shown, queue); });
}

std::vector<RowOfColors> color_differences_of_rows(ColorDifference difference,
                                                   const ComparedLayers& layers,
                                                   const std::array<float, 3>& background) {
  constexpr int rows_per_item = 32, rows_at_once = 4;
  const Queue& queue = layers.queue();
  const Queue serial = queue.serial();
  const int width = layers.window().width, height = layers.window().height;
  const DisplayRows golden(layers.golden(), layers.layer(), background);
  const DisplayRows result(layers.result(), layers.layer(), background);
  std::vector<RowOfColors> rows(static_cast<std::size_t>(height));
  queue.for_each((height + rows_per_item - 1) / rows_per_item, [&](int item) {
    const std::size_t row_floats = 3 * static_cast<std::size_t>(width);
    FloatBuffer a, b;
    a.resize(rows_at_once * row_floats);
    b.resize(rows_at_once * row_floats);
    const int end = std::min(height, (item + 1) * rows_per_item);
    for (int y = item * rows_per_item; y < end; y += rows_at_once) {
      const int count = std::min(rows_at_once, end - y);
      golden.make(y, count, serial, a.data());
      result.make(y, count, serial, b.data());
      for (int i = 0; i < count; ++i) {
        const std::size_t first = static_cast<std::size_t>(i) * row_floats;
        rows[static_cast<std::size_t>(y + i)] =
            compare_row(difference, a.data() + first, b.data() + first, width);
      }
    }
  });
  return rows;
}

}  // namespace cuimg
