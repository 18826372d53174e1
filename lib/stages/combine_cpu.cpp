// SPDX-License-Identifier: Apache-2.0
// Two rows become one, on the CPU.
#include <algorithm>
#include <vector>

#include "image/instruction_set.h"
#include "stages/combine.h"

namespace cuimg {
namespace {

// Rows of a frame for a wider region: the frame's own where it reaches all across, else copies in
// zero.
class ZeroedRows {
 public:
  /// @param channels the frame's; an empty frame need not tell.
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

template <int N, int M, class Op>
void combine(const Op& op, const Combination& what, const Frame& first, const Frame& second,
             const Frame& target) {
  const Rect& t = target.region();
  const Rect within = intersection(t, what.only_within.value_or(t));
  ZeroedRows a(first, t, N), b(second, t, M);
  for (int y = t.y; y < t.bottom(); ++y) {
    const float* const from = a.row(y);
    float* const to = target.pixel_as<float>(t.x, y);
    const bool meets = y >= within.y && y < within.bottom() && within.width > 0;
    if (!meets || within.width != t.width)
      std::copy_n(from, static_cast<std::size_t>(t.width) * N, to);
    if (!meets) continue;
    const float* const other = b.row(y);
    const int begin = within.x - t.x, end = within.right() - t.x;
    with_best_instructions([=] {
      for (std::ptrdiff_t x = begin; x < end; ++x)
        op.template operator()<N, M>(from + N * x, other + M * x, to + N * x);
    });
  }
}

// How many channels the second image has beside the target's depends on the operation.
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
  switch (target.format().channels) {
    case 1:
      return std::visit(Run<1>{what, first, second, target}, what.op);
    case 2:
      return std::visit(Run<2>{what, first, second, target}, what.op);
    case 3:
      return std::visit(Run<3>{what, first, second, target}, what.op);
    default:
      return std::visit(Run<4>{what, first, second, target}, what.op);
  }
}

}  // namespace cuimg
