// SPDX-License-Identifier: Apache-2.0
// Convolution on the CPU. Neighbours to the right are one pixel further in memory, so both passes
// mix rows: the vertical pass mixes rows below each other, the horizontal pass mixes shifted copies
// of one row.
#include <algorithm>
#include <vector>

#include "stages/filter/convolution.h"
#include "stages/resample/resample_rows.h"

namespace cuimg {
namespace {

// Floats of a row that are mixed before the next row is started: the data of a strip stays in the
// first-level cache.
constexpr int strip_floats = 128;

class Convolver {
 public:
  Convolver(const Convolution& kernel, const BorderSampler& borders, const Finish& finish,
            const Frame& source, const Frame& target)
      : kernel_(kernel),
        borders_(borders),
        finish_(finish),
        source_(source),
        target_(target),
        channels_(static_cast<std::size_t>(source.format().channels)) {
    const Reach reach = kernel.reach();
    const Rect &s = source.region(), &t = target.region();
    const int left = t.x - reach.left, right = t.right() + reach.right;
    left_ = s.empty() ? left : std::min(left, s.x);
    right_ = s.empty() ? right : std::max(right, s.right());
    pitch_ = floats(right_ - left_);
    for (const KernelRow& row : kernel.rows) {
      above_ = std::max(above_, -row.y);
      below_ = std::max(below_, row.y);
    }
    nothing_.resize(floats(s.width), 0.0f);
  }

  void run() {
    const Rect& t = target_.region();
    // Enough rows that those which several kernel rows share are computed once, few enough for the
    // cache.
    const int block = above_ + below_ > 0 || kernel_.vertical.taps() > 64 ? t.height : 8;
    for (int y = t.y; y < t.bottom(); y += block) make_rows(y, std::min(y + block, t.bottom()));
  }

 private:
  std::size_t floats(int pixels) const { return static_cast<std::size_t>(pixels) * channels_; }
  float* mixed_row(int y) { return mixed_.data() + static_cast<std::size_t>(y - top_) * pitch_; }
  const float* source_row(int y) const {
    const int row = borders_.rows(y);
    return row == BorderAxis::nothing ? nothing_.data()
                                      : source_.pixel_as<float>(source_.region().x, row);
  }

  void make_rows(int from, int to) {
    top_ = from - above_;
    mixed_.resize(static_cast<std::size_t>(to + below_ - top_) * pitch_);
    mix_vertically(top_, to + below_);
    for (int y = top_; y < to + below_; ++y) fill_sides(mixed_row(y));
    for (int y = from; y < to; ++y) make_row(y);
    const Rect& t = target_.region();
    finish_on_cpu(finish_, source_, target_.cropped(rect_from_edges(t.x, from, t.right(), to)));
  }

  void mix_vertically(int from, int to) {
    const Rect& s = source_.region();
    const std::size_t count = floats(s.width), at = floats(s.x - left_);
    if (s.empty()) return;
    const AxisKernel& kernel = kernel_.vertical;
    if (kernel.is_identity()) {
      for (int y = from; y < to; ++y) std::copy_n(source_row(y), count, mixed_row(y) + at);
      return;
    }
    std::vector<const float*> rows;
    for (int y = from + kernel.low; y < to + kernel.high(); ++y) rows.push_back(source_row(y));
    for (std::size_t i = 0; i < count; i += strip_floats) {
      const std::size_t length = std::min<std::size_t>(strip_floats, count - i);
      for (int y = from; y < to; ++y)
        mix_rows(rows.data() + (y - from), kernel.weights.data(), kernel.taps(), length, false,
                 mixed_row(y) + at + i);
      for (const float*& row : rows) row += length;
    }
  }

  // Fills the pixels left and right of the source's columns by the border's rule.
  void fill_sides(float* row) const {
    const Rect& s = source_.region();
    const auto fill = [&](int x) {
      const int column = s.empty() ? BorderAxis::nothing : borders_.columns(x);
      float* pixel = row + floats(x - left_);
      if (column == BorderAxis::nothing)
        std::fill_n(pixel, channels_, 0.0f);
      else
        std::copy_n(row + floats(column - left_), channels_, pixel);
    };
    const int inside_low = s.empty() ? right_ : s.x, inside_high = s.empty() ? right_ : s.right();
    for (int x = left_; x < inside_low; ++x) fill(x);
    for (int x = inside_high; x < right_; ++x) fill(x);
  }

  void make_row(int y) {
    const Rect& t = target_.region();
    const std::size_t count = floats(t.width);
    taps_.clear();
    for (const KernelRow& row : kernel_.rows) {
      const float* first = mixed_row(y + row.y) + floats(t.x + row.low - left_);
      for (int k = 0; k < row.taps; ++k) taps_.push_back(first + floats(k));
    }
    auto* result = target_.pixel_as<float>(t.x, y);
    mix_rows(taps_.data(), kernel_.weights.data(), static_cast<int>(taps_.size()), count, false,
             result);
  }

  const Convolution& kernel_;
  const BorderSampler& borders_;
  const Finish& finish_;
  const Frame& source_;
  const Frame& target_;
  const std::size_t channels_;
  int left_ = 0, right_ = 0;   ///< The columns of a mixed row.
  int above_ = 0, below_ = 0;  ///< The mixed rows above and below that a row needs.
  int top_ = 0;                ///< The first mixed row.
  std::size_t pitch_ = 0;      ///< Floats of a mixed row.
  std::vector<float> mixed_, nothing_;
  std::vector<const float*> taps_;
};

}  // namespace

void finish_on_cpu(const Finish& finish, const Frame& source, const Frame& target) {
  if (finish.is_nothing()) return;
  const Rect &s = source.region(), &t = target.region();
  const auto channels = static_cast<std::size_t>(target.format().channels);
  std::vector<float> original;
  for (int y = t.y; y < t.bottom(); ++y) {
    original.assign(channels * static_cast<std::size_t>(t.width), 0.0f);
    const Rect inside = intersection(s, {t.x, y, t.width, 1});
    if (!inside.empty())
      std::copy_n(source.pixel_as<float>(inside.x, y),
                  channels * static_cast<std::size_t>(inside.width),
                  original.data() + channels * static_cast<std::size_t>(inside.x - t.x));
    auto* const result = target.pixel_as<float>(t.x, y);
    if (finish.sharpens) {  // the same for every channel
      const Finish sharpen = finish;
      for (std::size_t i = 0; i < original.size(); ++i)
        result[i] = sharpen(result[i], original[i], 0);
      continue;
    }
    for (std::size_t i = 0; i < original.size(); i += channels)
      for (std::size_t c = 0; c < channels; ++c)
        result[i + c] = finish(result[i + c], original[i + c], static_cast<int>(c));
  }
}

void convolve_on_cpu(const Convolution& kernel, const BorderSampler& borders, const Finish& finish,
                     const Frame& source, const Frame& target) {
  Convolver(kernel, borders, finish, source, target).run();
}

}  // namespace cuimg
