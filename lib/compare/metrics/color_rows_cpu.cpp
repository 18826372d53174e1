// SPDX-License-Identifier: Apache-2.0
// Works on blocks of a row, which the compiler vectorises; blocks that are equal in both pictures
// are skipped.
#include <algorithm>
#include <array>

#include "base/instruction_set.h"
#include "compare/metrics/color_rows.h"
#include "compare/metrics/row_sums.h"
#include "device/on_device.h"
#include "kernels/compare/lab_difference.h"
#include "kernels/math/ceil_div.h"

namespace cuimg {
namespace {

constexpr int block = 64;
static_assert(row_lanes % block == 0);

template <class T>
using Block = std::array<T, block>;
struct Labs {
  Block<float> l, a, b;
  Lab at(std::size_t x) const { return {l[x], a[x], b[x]}; }
};

// Loops with few steps over many pixels. A loop that does everything for one pixel would be so long
// that the processor would wait for one step's results before it can begin the next.

// @param rgb of `block` pixels. @param color flip::Triple to Lab.
template <class Color>
inline void colors_of(const float* rgb, const Color& color, Labs& to) {
  for (std::size_t x = 0; x < block; ++x) {
    const Lab made = color(flip::displayed({rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2]}));
    to.l[x] = made.l;
    to.a[x] = made.a;
    to.b[x] = made.b;
  }
}

inline void lab_colors_of(const float* rgb, Labs& to) {
  Block<float> xs, ys, zs;
  for (std::size_t x = 0; x < block; ++x) {
    const flip::Triple xyz =
        flip::relative_xyz(flip::displayed({rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2]}));
    xs[x] = xyz.a;
    ys[x] = xyz.b;
    zs[x] = xyz.c;
  }
  for (Block<float>* values : {&xs, &ys, &zs}) {
    Block<float> exact, part, low;
    for (std::size_t x = 0; x < block; ++x) {
      const SplitLog log = flip::log_of_lab_root((*values)[x]);
      exact[x] = log.exact;
      part[x] = log.s;
      low[x] = log.low;
    }
    for (std::size_t x = 0; x < block; ++x)
      (*values)[x] = flip::lab_curve_of(
          (*values)[x], exp2_inside_of_root({exact[x], part[x], flip::lab_root.c_high, low[x], 0}));
  }
  for (std::size_t x = 0; x < block; ++x) {
    const Lab lab = lab_of_curves({xs[x], ys[x], zs[x]});
    to.l[x] = lab.l;
    to.a[x] = lab.a;
    to.b[x] = lab.b;
  }
}

inline void find_delta_e_2000(Labs& p, Labs& q, Block<float>& errors) {
  Block<float> stretch, p_chroma, q_chroma, difference, weight;
  Block<std::uint32_t> p_hue, q_hue, mean, turned;
  for (std::size_t x = 0; x < block; ++x) stretch[x] = ciede2000::stretch(p.at(x), q.at(x));
  for (std::size_t x = 0; x < block; ++x) {
    p.a[x] *= stretch[x];
    q.a[x] *= stretch[x];
    p_chroma[x] = ciede2000::chroma(p.a[x], p.b[x]);
    q_chroma[x] = ciede2000::chroma(q.a[x], q.b[x]);
  }
  for (std::size_t x = 0; x < block; ++x) p_hue[x] = turns_of(p.b[x], p.a[x]);
  for (std::size_t x = 0; x < block; ++x) q_hue[x] = turns_of(q.b[x], q.a[x]);
  for (std::size_t x = 0; x < block; ++x) {
    const auto hue = ciede2000::hue_difference({p_chroma[x], q_chroma[x], p_hue[x], q_hue[x]});
    difference[x] = hue.difference;
    mean[x] = hue.mean;
  }
  for (std::size_t x = 0; x < block; ++x) weight[x] = ciede2000::hue_weight(mean[x]);
  for (std::size_t x = 0; x < block; ++x) turned[x] = ciede2000::rotation(mean[x]);
  for (std::size_t x = 0; x < block; ++x)
    errors[x] = ciede2000::twist(turned[x], 0.5f * (p_chroma[x] + q_chroma[x]));
  for (std::size_t x = 0; x < block; ++x)
    errors[x] = ciede2000::sum(p.l[x], q.l[x], p_chroma[x], q_chroma[x], difference[x], weight[x],
                               errors[x]);
}

// @param p, q of `block` pixels.
Block<float> errors_of(ColorDifference difference, const float* p, const float* q) {
  Labs a, b;
  Block<float> errors;
  if (difference == ColorDifference::delta_e_2000)
    with_best_instructions([&] {
      lab_colors_of(p, a);
      lab_colors_of(q, b);
      find_delta_e_2000(a, b, errors);
    });
  else
    with_best_instructions([&] {
      colors_of(p, oklab_of, a);
      colors_of(q, oklab_of, b);
      for (std::size_t x = 0; x < block; ++x) errors[x] = oklab_difference(a.at(x), b.at(x));
    });
  return errors;
}

RowOfColors compare_row(ColorDifference difference, const float* a, const float* b, int width) {
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
    const std::array<float, block> errors = errors_of(difference, p, q);
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

std::vector<RowOfColors> compare_on_cpu(ColorDifference difference, const DisplayPair& shown,
                                        const Queue& queue) {
  constexpr int rows_per_item = 16;
  const DisplayPicture &golden = shown.golden, &result = shown.result;
  std::vector<RowOfColors> rows(static_cast<std::size_t>(golden.height));
  queue.for_each(ceil_div(golden.height, rows_per_item), [&](int item) {
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
  queue.for_each(ceil_div(height, rows_per_item), [&](int item) {
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
