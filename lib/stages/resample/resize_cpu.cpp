// SPDX-License-Identifier: Apache-2.0
// Resize on the CPU, a band of rows at a time.
#include <algorithm>
#include <cstring>
#include <vector>

#include "stages/pass/gather_texels.h"
#include "stages/pass/rows_as_floats.h"
#include "stages/resample/periodic_columns.h"
#include "stages/resample/resample_rows.h"
#include "stages/resample/resize_plan.h"
#include "stages/resample/texture_edge.h"
#include "stages/resample/texture_view.h"

namespace cuimg {
namespace {

void fill_zero(const Frame& target) {
  const Rect& t = target.region();
  for (int y = t.y; y < t.bottom(); ++y)
    std::memset(target.pixel(t.x, y), 0,
                target.format().pixel_bytes() * static_cast<std::size_t>(t.width));
}

void copy_nearest(const ResizePlan& plan, const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  std::vector<int> columns;
  for (int x = t.x; x < t.right(); ++x) columns.push_back(plan.horizontal.nearest(x, plan.border));
  for (int y = t.y; y < t.bottom(); ++y) {
    const int row = plan.vertical.nearest(y, plan.border);
    gather_row(target, t.x, t.right(), y, [&](int x) -> const std::byte* {
      const int column = columns[static_cast<std::size_t>(x - t.x)];
      const bool nothing = row == AxisGeometry::nothing || column == AxisGeometry::nothing;
      return nothing ? zero_texel.data() : source.pixel(column, row);
    });
  }
}

// The most rows that a row of the target, or a pair of them, mixes.
int rows_together(const AxisTable& rows, const Rect& target) {
  int most = 1;
  for (int y = target.y; y < target.bottom(); ++y) {
    const int last = std::min(y + 1, target.bottom() - 1);
    const int start = std::min(rows.start_of(y), rows.start_of(last));
    most = std::max({most, rows.start_of(y) + rows.taps_of(y) - start,
                     rows.start_of(last) + rows.taps_of(last) - start});
  }
  return most;
}

// A weighted layer: rows are mixed into one, whose columns are then mixed. The order is the same
// for every size and device.
class Weigher {
 public:
  Weigher(const ResizePlan& plan, const ResizePlan::Layer& layer, const Frame& source,
          const Frame& target)
      : plan_(plan),
        columns_(*layer.columns),
        rows_(*layer.rows),
        source_(source.region()),
        sources_(source, rows_together(*layer.rows, target.region())),
        target_(target.region()),
        targets_(target),
        channels_(source.format().channels),
        mixes_rows_(!rows_.is_identity()),
        mixes_columns_(!columns_.is_identity()),
        periodic_(columns_, channels_, target_.x, target_.right()) {
    std::tie(left_, right_) = columns_.reach(target_.x, target_.right());
    // Aligned, with room for vector loads that pass a row's end.
    mixed_ = Frame::new_host(
        {{0, 0, aligned_width(right_ - left_), 2}, PixelType::f32, channels_, Storage::host});
  }

  void run() {
    int y = target_.y;
    while (y < target_.bottom()) y += make_rows(y);
  }

 private:
  std::size_t floats(int pixels) const {
    return static_cast<std::size_t>(pixels) * static_cast<std::size_t>(channels_);
  }

  float* mixed(int place) const { return mixed_.pixel_as<float>(0, place); }

  // Only Border::wrap's tables reach outside the data window.
  static int wrapped(int i, int low, int length) {
    const int remainder = (i - low) % length;
    return low + (remainder < 0 ? remainder + length : remainder);
  }

  const float* source_row(int x, int y) {
    return sources_.at(x, wrapped(y, plan_.data_window.y, plan_.data_window.height));
  }

  // Makes row y, or y and y + 1. @returns the number of rows.
  int make_rows(int y) {
    if (is_pair(y)) {
      make_pair(y);
      targets_.store(y);
      targets_.store(y + 1, 1);
      return 2;
    }
    make_row(y);
    targets_.store(y);
    return 1;
  }

  void make_row(int y) {
    const Rect& t = target_;
    float* const result = targets_.floats(y);
    if (reads_nothing(y)) {
      std::fill_n(result, floats(t.width), 0.0f);
    } else if (!mixes_columns_) {
      mix_rows_into(y, t.x, t.right(), result);
    } else if (mixes_rows_ || columns_.wraps) {
      make_mixed_row(y);
      mix_columns_of(mixed(0), result);
    } else {
      mix_columns_of(source_row(left_, y), result);
    }
  }

  void make_pair(int y) {
    const Rect &t = target_, &window = plan_.data_window;
    float *const result = targets_.floats(y), *const next = targets_.floats(y + 1, 1);
    if (!mixes_columns_) return mix_pair_into(y, t.x, t.right(), result, next);
    const int low = std::max(left_, window.x), high = std::min(right_, window.right());
    const std::size_t begin = floats(low - left_);
    mix_pair_into(y, low, high, mixed(0) + begin, mixed(1) + begin);
    mix_columns_of(mixed(0), result);
    mix_columns_of(mixed(1), next);
  }

  bool reads_nothing(int y) const {
    return columns_.stride == 0 || rows_.taps_of(y) == 0 || left_ >= right_;
  }

  // Whether rows y and y + 1 share source rows, in the order that mix_row_pair() requires.
  bool is_pair(int y) const {
    if (!mixes_rows_ || columns_.wraps || plan_.clamp_ringing || reads_nothing(y) ||
        y + 1 >= target_.bottom())
      return false;
    const int start = rows_.start_of(y), next = rows_.start_of(y + 1);
    const int end = start + rows_.taps_of(y), next_end = next + rows_.taps_of(y + 1);
    return start <= next && next < end && end <= next_end;
  }

  // @param row its first pixel is that of column left_.
  void mix_columns_of(const float* row, float* result) {
    const Rect& t = target_;
    row -= static_cast<std::ptrdiff_t>(left_) * channels_;
    if (plan_.clamp_ringing)
      mix_columns(row, channels_, columns_, t.x, t.right(), true, result);
    else
      periodic_.mix(row, result);
  }

  // The mixed row over everything that the columns' table reads, including wrapped parts.
  void make_mixed_row(int y) {
    const Rect& window = plan_.data_window;
    const int low = std::max(left_, window.x), high = std::min(right_, window.right());
    if (!columns_.wraps) return mix_rows_into(y, low, high, mixed(0) + floats(low - left_));
    // For a part of the target that does not wrap, the source only contains the pixels for that
    // part.
    const Rect& there = source_;
    whole_.resize(floats(there.width));
    mix_rows_into(y, there.x, there.right(), whole_.data());
    for (int x = left_; x < right_; ++x)
      std::copy_n(whole_.data() + floats(wrapped(x, window.x, window.width) - there.x), channels_,
                  mixed(0) + floats(x - left_));
  }

  void mix_rows_into(int y, int low, int high, float* result) {
    if (!mixes_rows_) {
      std::copy_n(source_row(low, y), floats(high - low), result);
      return;
    }
    point_at(low, rows_.start_of(y), rows_.start_of(y) + rows_.taps_of(y));
    mix_rows(pointers_.data(), rows_.weights_of(y), rows_.taps_of(y), floats(high - low),
             plan_.clamp_ringing, result);
  }

  void mix_pair_into(int y, int low, int high, float* result, float* next) {
    const int start = rows_.start_of(y), next_start = rows_.start_of(y + 1);
    point_at(low, start, next_start + rows_.taps_of(y + 1));
    mix_row_pair(pointers_.data(), {rows_.weights_of(y), 0, rows_.taps_of(y)},
                 {rows_.weights_of(y + 1), next_start - start, rows_.taps_of(y + 1)},
                 floats(high - low), result, next);
  }

  // Points at the source rows [first_row, end_row), from column x on.
  void point_at(int x, int first_row, int end_row) {
    pointers_.clear();
    for (int row = first_row; row < end_row; ++row) pointers_.push_back(source_row(x, row));
  }

  const ResizePlan& plan_;
  const AxisTable& columns_;
  const AxisTable& rows_;
  const Rect source_;
  SourceRows sources_;
  const Rect target_;
  TargetRows targets_;
  const int channels_;
  const bool mixes_rows_, mixes_columns_;
  PeriodicColumns periodic_;
  int left_, right_;
  Frame mixed_;  ///< Two rows.
  std::vector<float> whole_;
  std::vector<const float*> pointers_;
};

// A fixed-point position as a coordinate of a texture whose first texel lies at `origin`: exact for
// distances up to 65,536.
float texture_coordinate(std::int64_t q, int origin) {
  return static_cast<float>(q - 256 * std::int64_t{origin} + 128) / 256.0f;
}

// A float represents coordinates to 1/256 texel only up to 65,536, so longer rows are read in
// tiles.
constexpr int longest_tile = 32768;

void read_texture_unit(const ResizePlan& plan, const Frame& unpadded, const Frame& target) {
  if (unpadded.empty()) return fill_zero(target);
  const Frame source = pad_for_texture(plan, unpadded);
  const Rect& t = target.region();
  const Sampler sampler;  // clamp, linear, in texels
  const std::int64_t step = std::max<std::int64_t>(
      1, std::int64_t{longest_tile} * plan.horizontal.out_size / plan.horizontal.in_size);
  std::vector<float> xs, ys;
  for (std::int64_t left = t.x; left < t.right(); left += step) {
    const int right = static_cast<int>(std::min<std::int64_t>(left + step, t.right()));
    // As in reach(): beyond an edge the edge is read.
    const Rect& r = source.region();
    const int low = static_cast<int>(plan.horizontal.fixed_point(static_cast<int>(left)) >> 8);
    const int high = static_cast<int>(plan.horizontal.fixed_point(right - 1) >> 8) + 2;
    const Rect tile = rect_from_edges(std::clamp(low, r.x, r.right() - 1), r.y,
                                      std::clamp(high, r.x + 1, r.right()), r.bottom());
    const Frame part = source.cropped(tile);
    xs.clear();
    for (int x = static_cast<int>(left); x < right; ++x)
      xs.push_back(texture_coordinate(plan.horizontal.fixed_point(x), tile.x));
    for (int y = t.y; y < t.bottom(); ++y) {
      // The same for tall pictures: only two rows matter.
      const std::int64_t q = plan.vertical.fixed_point(y);
      const int row = std::clamp(static_cast<int>(q >> 8), tile.y, tile.bottom() - 1);
      const int next = std::clamp(static_cast<int>(q >> 8) + 1, tile.y, tile.bottom() - 1);
      const Frame rows = part.cropped(rect_from_edges(tile.x, row, tile.right(), next + 1));
      ys.assign(xs.size(), texture_coordinate(q, row));
      sample_row(texture_view(rows), sampler, xs.data(), ys.data(),
                 static_cast<std::ptrdiff_t>(xs.size()),
                 target.pixel_as<float>(static_cast<int>(left), y));
    }
  }
}

}  // namespace

void resize_on_cpu(const ResizePlan& plan, const ResizePlan::Layer& layer, const Frame& source,
                   const Frame& target) {
  switch (layer.method) {
    case ResizeMethod::nearest:
      return copy_nearest(plan, source, target);
    case ResizeMethod::texture_unit:
      return read_texture_unit(plan, source, target);
    case ResizeMethod::weighed:
      return Weigher(plan, layer, source, target).run();
  }
}

}  // namespace cuimg
