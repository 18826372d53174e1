// SPDX-License-Identifier: Apache-2.0
// Erosion and dilation on the CPU.
#include "image/dispatch.h"
#include "kernels/math/ceil_div.h"
#include "kernels/stencil/window_extremum.h"
#include "stages/filter/morphology/morphology.h"
#include "stages/window/window_frames.h"

namespace cuimg {
namespace {

/// keys[i] = the least of keys[i] and keys[i + distance]: this doubles the length of the windows.
template <class Key>
void join_shifted(Key* keys, std::size_t distance, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    keys[i] = keys[i + distance] < keys[i] ? keys[i + distance] : keys[i];
}

// Windows of 2, 4, 8, ... pixels, and two of those for the full width: as many vector operations as
// the width has binary digits, 17 at most.
template <class Fold>
void fold_row_by_doubling(const Fold& fold, const Window& window, int channels, int width,
                          const typename Fold::Stored* row, typename Fold::Stored* out) {
  const auto n = static_cast<std::size_t>(channels);
  const std::size_t count = static_cast<std::size_t>(width) * n;
  std::size_t length = count + static_cast<std::size_t>(window.width() - 1) * n;
  std::vector<typename Fold::State> memory(length);
  typename Fold::State* keys = memory.data();
  for (std::size_t i = 0; i < length; ++i) keys[i] = fold.load(row[i]);
  int folded = 1;
  for (; 2 * folded <= window.width(); folded *= 2) {
    length -= static_cast<std::size_t>(folded) * n;
    join_shifted(keys, static_cast<std::size_t>(folded) * n, length);
  }
  join_shifted(keys, static_cast<std::size_t>(window.width() - folded) * n, count);
  for (std::size_t i = 0; i < count; ++i) out[i] = fold.store(keys[i]);
}

template <class T>
void morph_box(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
               const Frame& target) {
  const auto fold = plan.greatest ? LeastFold<T>::greatest() : LeastFold<T>::least();
  const Window across{plan.radius.x}, down{plan.radius.y};
  const Frame between = between_passes(source, target);
  const int channels = target.format().channels;
  fold_frame_columns(queue, fold, down, plan.borders.rows, source, between);
  fold_frame_rows<T>(queue, across, plan.borders.columns, between, target,
                     [&](const T* row, int, int width, T* out) {
                       with_best_instructions(
                           [&] { fold_row_by_doubling(fold, across, channels, width, row, out); });
                     });
}

// A disk is rows of different lengths. For each source row the minima of 1, 2, 4, ... pixels are
// tabulated; two of these give the minimum over any length (Urbach and Wilkinson 2008), which is
// merged into the target rows above and below that use it.
template <class T>
class DiskStrip {
 public:
  using Fold = LeastFold<T>;
  using Key = typename Fold::State;

  DiskStrip(const MorphologyPlan& plan, const Frame& source, const Frame& target, int left,
            int width)
      : plan_(plan),
        fold_(plan.greatest ? Fold::greatest() : Fold::least()),
        source_(source),
        target_(target),
        channels_(static_cast<std::size_t>(target.format().channels)),
        left_(left),
        padded_(width + 2 * plan.radius.x),
        lanes_(static_cast<std::size_t>(width) * channels_),
        row_(static_cast<std::size_t>(padded_) * channels_),
        sums_(static_cast<std::size_t>(2 * plan.radius.y + 1) * lanes_) {
    const auto rx = static_cast<std::uint64_t>(plan.radius.x);
    for (int k = 0; k <= floor_log2(2 * rx + 1); ++k) tables_.emplace_back(row_.size());
    for (int dy = 0; dy <= plan.radius.y; ++dy)
      reaches_.push_back(ellipse_reach(plan.radius.x, plan.radius.y, dy));
  }

  void run() {
    const Rect& t = target_.region();
    const int ry = plan_.radius.y;
    const BorderAxis& rows = plan_.borders.rows;
    MappedPagesCheck pages;
    for (int y = t.y - ry; y < t.bottom() + ry; ++y) {
      pages.next();
      if (y + ry < t.bottom()) std::fill_n(sum(y + ry), lanes_, fold_.neutral());
      const int from = rows(y);
      const bool is_outside = y < rows.low || y >= rows.high;
      if (from == BorderAxis::nothing || !is_outside) {
        read(from);
        for (int dy = 0; dy <= ry; ++dy) join(dy, y);
      }
      if (y - ry >= t.y) finish(y - ry);
    }
  }

 private:
  Key* sum(int y) {
    const int rows = 2 * plan_.radius.y + 1;
    const int slot = (y - target_.region().y) % rows;
    return sums_.data() + static_cast<std::size_t>(slot) * lanes_;
  }

  void read(int y) {
    if (y == BorderAxis::nothing)
      std::fill(row_.begin(), row_.end(), T{});
    else
      pad_row(plan_.borders.columns, source_, left_ - plan_.radius.x, y, row_.data(), padded_);
    std::size_t length = row_.size();
    const Fold fold = fold_;
    const T* __restrict row = row_.data();
    Key* __restrict keys = tables_[0].data();
    for (std::size_t i = 0; i < length; ++i) keys[i] = fold.load(row[i]);
    for (std::size_t k = 1; k < tables_.size(); ++k) {
      const std::size_t distance = channels_ << (k - 1);
      length -= distance;
      const Key* __restrict from = tables_[k - 1].data();
      Key* __restrict to = tables_[k].data();
      for (std::size_t i = 0; i < length; ++i) to[i] = Fold::join(from[i], from[i + distance]);
    }
  }

  void join(int dy, int y) {
    const Rect& t = target_.region();
    const int reach = reaches_[static_cast<std::size_t>(dy)];
    const auto width = static_cast<std::uint64_t>(2 * reach + 1);
    const auto level = static_cast<std::size_t>(floor_log2(width));
    const Key* first =
        tables_[level].data() + static_cast<std::size_t>(plan_.radius.x - reach) * channels_;
    const Key* second = first + (width - (std::uint64_t{1} << level)) * channels_;
    // Bytes may alias anything, including members, so the loop keeps its bounds in locals.
    const auto join_into = [first, second, &t, this](int to) {
      if (to < t.y || to >= t.bottom()) return;
      Key* __restrict sums = sum(to);
      const std::size_t lanes = lanes_;
      for (std::size_t i = 0; i < lanes; ++i)
        sums[i] = Fold::join(sums[i], Fold::join(first[i], second[i]));
    };
    join_into(y - dy);
    if (dy > 0) join_into(y + dy);
  }

  void finish(int y) {
    T* __restrict out = target_.pixel_as<T>(left_, y);
    const Key* __restrict sums = sum(y);
    const std::size_t lanes = lanes_;
    const Fold fold = fold_;
    for (std::size_t i = 0; i < lanes; ++i) out[i] = fold.store(sums[i]);
  }

  const MorphologyPlan& plan_;
  const Fold fold_;
  const Frame& source_;
  const Frame& target_;
  const std::size_t channels_;
  const int left_, padded_;
  const std::size_t lanes_;
  std::vector<T> row_;
  std::vector<std::vector<Key>> tables_;
  std::vector<Key> sums_;
  std::vector<int> reaches_;
};

template <class T>
void morph_disk(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                const Frame& target) {
  const Rect& t = target.region();
  const int values = static_cast<int>(strip_bytes / sizeof(typename Order<T>::Key));
  const int width = std::max(values / target.format().channels, plan.radius.x);
  queue.for_each(ceil_div(t.width, width), [&](int part) {
    const int left = t.x + part * width;
    DiskStrip<T> strip(plan, source, target, left, std::min(width, t.right() - left));
    with_best_instructions([&] { strip.run(); });
  });
}

}  // namespace

void morph_on_cpu(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                  const Frame& target) {
  with_texel_type(target.format().type, [&](auto type) {
    using T = typename decltype(type)::type;
    if (plan.element == Element::box)
      morph_box<T>(queue, plan, source, target);
    else
      morph_disk<T>(queue, plan, source, target);
  });
}

}  // namespace cuimg
