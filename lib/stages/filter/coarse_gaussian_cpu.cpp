// SPDX-License-Identifier: Apache-2.0
// A gaussian on a coarse grid on the CPU: each step divides its rows among the queue's threads.
#include <algorithm>
#include <vector>

#include "stages/filter/coarse_gaussian.h"
#include "stages/resample/resample_rows.h"
#include "stages/window/window_rows.h"

namespace cuimg {
namespace {

// Floats of a row that are mixed before the next row is started: the data of a strip stays in the
// second-level cache.
constexpr std::size_t strip_floats = 256;

Frame rows_of(const Frame& frame, int top, int bottom) {
  const Rect& r = frame.region();
  return frame.cropped(rect_from_edges(r.x, top, r.right(), bottom));
}

Frame new_floats(const Frame& like, const Rect& region) {
  return Frame::new_host(like.format().over(region));
}

// The first step: rows, then columns.
class Reduction {
 public:
  Reduction(const CoarseGaussian& plan, const Frame& source, const Frame& target)
      : plan_(plan),
        borders_(plan.borders.within(source.region())),
        source_(source),
        target_(target),
        channels_(static_cast<std::size_t>(source.format().channels)),
        nothing_(channels_ * static_cast<std::size_t>(source.region().width), 0.0f) {
    const Rect& t = target.region();
    const GaussianAxis& axis = plan.columns;
    if (!axis.is_coarse()) return;
    columns_.first = t.x;
    columns_.stride = 3 * axis.cell;
    for (int x = t.x; x < t.right(); ++x) {
      columns_.start.push_back(plan.left + (x - 1) * axis.cell);
      columns_.taps.push_back(columns_.stride);
      columns_.weights.insert(columns_.weights.end(), axis.reduces.begin(), axis.reduces.end());
    }
  }

  void make_rows(int top, int bottom) const {
    const Rect& s = source_.region();
    const Frame mixed = new_floats(source_, {s.x, top, s.width, bottom - top});
    mix_down(mixed);
    for (int y = top; y < bottom; ++y) mix_across(mixed, y);
  }

 private:
  const float* source_row(int y) const {
    const int row = borders_.rows(y);
    return row == BorderAxis::nothing ? nothing_.data()
                                      : source_.pixel_as<float>(source_.region().x, row);
  }

  void mix_down(const Frame& mixed) const {
    const Rect& m = mixed.region();
    const std::size_t count = channels_ * static_cast<std::size_t>(m.width);
    const GaussianAxis& axis = plan_.rows;
    if (!axis.is_coarse()) {
      for (int y = m.y; y < m.bottom(); ++y)
        std::copy_n(source_row(y), count, mixed.pixel_as<float>(m.x, y));
      return;
    }
    const int first = plan_.top + (m.y - 1) * axis.cell, taps = 3 * axis.cell;
    std::vector<const float*> rows;
    for (int i = 0; i < (m.height + 2) * axis.cell; ++i) rows.push_back(source_row(first + i));
    // Beyond the picture's edge a texel may read the same values as the one above it.
    std::vector<bool> repeats(static_cast<std::size_t>(m.height), false);
    for (int y = 1; y < m.height; ++y) {
      const auto taps_of_row = rows.begin() + std::ptrdiff_t{y} * axis.cell;
      repeats[static_cast<std::size_t>(y)] =
          std::equal(taps_of_row, taps_of_row + taps, taps_of_row - axis.cell);
    }
    for (std::size_t i = 0; i < count; i += strip_floats) {
      const std::size_t length = std::min(strip_floats, count - i);
      for (int y = 0; y < m.height; ++y) {
        auto* const result = mixed.pixel_as<float>(m.x, m.y + y) + i;
        if (repeats[static_cast<std::size_t>(y)])
          std::copy_n(mixed.pixel_as<float>(m.x, m.y + y - 1) + i, length, result);
        else
          mix_rows(rows.data() + std::ptrdiff_t{y} * axis.cell, axis.reduces.data(), taps, length,
                   false, result);
      }
      for (const float*& row : rows) row += length;
    }
  }

  void mix_across(const Frame& mixed, int y) const {
    const Rect &m = mixed.region(), &t = target_.region();
    auto* const result = target_.pixel_as<float>(t.x, y);
    if (!plan_.columns.is_coarse()) {
      std::copy_n(mixed.pixel_as<float>(m.x, y), channels_ * static_cast<std::size_t>(m.width),
                  result);
      return;
    }
    const int cell = plan_.columns.cell;
    const int left = plan_.left + (t.x - 1) * cell, width = (t.width + 2) * cell;
    // Room for vector loads that pass the row's end.
    std::vector<float> row(channels_ * static_cast<std::size_t>(width) + 4);
    pad_row(borders_.columns, mixed, left, y, row.data(), width);
    mix_columns(row.data() - std::ptrdiff_t{left} * static_cast<std::ptrdiff_t>(channels_),
                static_cast<int>(channels_), columns_, t.x, t.right(), false, result);
  }

  const CoarseGaussian& plan_;
  const BorderSampler borders_;
  const Frame& source_;
  const Frame& target_;
  const std::size_t channels_;
  const std::vector<float> nothing_;
  AxisTable columns_;
};

}  // namespace

void blur_on_coarse_grid(const Queue& queue, const CoarseGaussian& plan, const Finish& finish,
                         const Frame& source, const Frame& target) {
  if (target.empty()) return;
  const Rect between = plan.blurred(target.region());
  Frame texels = new_floats(source, plan.reduced(between, source.region()));
  const Reduction reduction(plan, source, texels);
  queue.for_rows(texels.region(), 8,
                 [&](int top, int bottom) { reduction.make_rows(top, bottom); });

  const Frame blurred = new_floats(source, between);
  const Convolution kernel = plan.kernel();
  const BorderSampler around = plan.around(texels.region(), source.region());
  queue.for_rows(between, 8, [&](int top, int bottom) {
    convolve_on_cpu(kernel, around, {}, texels, rows_of(blurred, top, bottom));
  });
  texels = {};

  const bool is_all = target.region() == plan.output;
  const ResizePlan expansion = is_all ? plan.expands_all : plan.expansion(target.region());
  queue.for_rows(target.region(), 16, [&](int top, int bottom) {
    const Frame rows = rows_of(target, top, bottom);
    resize_on_cpu(expansion, expansion.layers.front(), blurred, rows);
    finish_on_cpu(finish, source, rows);
  });
}

}  // namespace cuimg
