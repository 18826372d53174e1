// SPDX-License-Identifier: Apache-2.0
// Combines two rows on the CPU.
#include <algorithm>
#include <vector>

#include "base/instruction_set.h"
#include "kernels/math/dispatch.h"
#include "stages/combine/combine.h"

namespace cuimg {
namespace {

// The rows of a frame for a wider region: the frame's own rows if it spans the region, otherwise
// copies padded with zeros.
class ZeroedRows {
 public:
  /// @param channels the frame's; ignored for an empty frame.
  ZeroedRows(const Frame& frame, const Rect& region, int channels)
      : frame_(frame),
        region_(region),
        covered_(intersection(frame.region(), region)),
        channels_(static_cast<std::size_t>(channels)) {
    if (covered_ != region) buffer_.resize(static_cast<std::size_t>(region.width) * channels_);
  }

  const float* row(int y) {
    if (covered_ == region_) return frame_.pixel_as<float>(region_.x, y);
    std::fill(buffer_.begin(), buffer_.end(), 0.0f);
    if (!covered_.empty() && y >= covered_.y && y < covered_.bottom())
      std::copy_n(frame_.pixel_as<float>(covered_.x, y),
                  static_cast<std::size_t>(covered_.width) * channels_,
                  buffer_.data() + static_cast<std::size_t>(covered_.x - region_.x) * channels_);
    return buffer_.data();
  }

 private:
  const Frame& frame_;
  const Rect region_, covered_;
  const std::size_t channels_;
  std::vector<float> buffer_;
};

struct Columns {
  int begin, end;
};

// A row's columns that lie in either window, relative to the region's left edge: one interval or
// two.
std::vector<Columns> columns_within(const std::array<Rect, 2>& windows, const Rect& region, int y) {
  std::vector<Columns> found;
  for (const Rect& window : windows) {
    const Rect part = intersection(window, region);
    if (part.empty() || y < part.y || y >= part.bottom()) continue;
    const Columns next = {part.x - region.x, part.right() - region.x};
    if (!found.empty() && next.begin <= found[0].end && found[0].begin <= next.end)
      found[0] = {std::min(found[0].begin, next.begin), std::max(found[0].end, next.end)};
    else
      found.push_back(next);
  }
  return found;
}

template <int N, int M, class Op>
void combine(const Op& op, const Combination& what, const Frame& first, const Frame& second,
             const Frame& target) {
  const Rect& t = target.region();
  const std::array<Rect, 2> windows = what.only_within.value_or(std::array{t, t});
  ZeroedRows a(first, t, N), b(second, t, M);
  for (int y = t.y; y < t.bottom(); ++y) {
    const float* const from = a.row(y);
    float* const to = target.pixel_as<float>(t.x, y);
    const std::vector<Columns> within = columns_within(windows, t, y);
    const bool meets_all = !within.empty() && within[0].begin == 0 && within[0].end == t.width;
    if (!meets_all) std::copy_n(from, static_cast<std::size_t>(t.width) * N, to);
    if (within.empty()) continue;
    const float* const other = b.row(y);
    for (const auto& [begin, end] : within)
      with_best_instructions([=, begin = begin, end = end] {
        for (std::ptrdiff_t x = begin; x < end; ++x)
          op.template operator()<N, M>(from + N * x, other + M * x, to + N * x);
      });
  }
}

// The operation decides how many channels the second image has when the target has N.
template <int N>
struct Run {
  const Combination& what;
  const Frame &first, &second, &target;

  void operator()(const PorterDuff& op) const {
    if constexpr (N < 4)
      if (op.second_alpha == N) return combine<N, N + 1>(op, what, first, second, target);
    combine<N, N>(op, what, first, second, target);
  }
  void operator()(const MaskBy& op) const { combine<N, 1>(op, what, first, second, target); }
  template <class Op>
  void operator()(const Op& op) const {
    combine<N, N>(op, what, first, second, target);
  }
};

}  // namespace

void combine_on_cpu(const Combination& what, const Frame& first, const Frame& second,
                    const Frame& target) {
  with_channels(target.format().channels, [&](auto n) {
    std::visit(Run<n()>{what, first, second, target}, what.op);
  });
}

}  // namespace cuimg
