// SPDX-License-Identifier: Apache-2.0
// Box on the CPU: strips of columns, then rows in place.
#include "kernels/stencil/box_mean.h"
#include "stages/filter/box.h"
#include "stages/window/window_frames.h"

namespace cuimg {
namespace {

template <int channels>
void average_row(const BoxPlan& plan, const float* row, int left, int width, float* out) {
  const MeanFold fold = mean_of(plan.across);
  with_best_instructions([&] { fold_row<channels>(fold, plan.across, left, width, row, out); });
}

}  // namespace

void box_on_cpu(const Sharing& share, const BoxPlan& plan, const Frame& source,
                const Frame& target) {
  const Frame means = between_passes(source, target);
  fold_frame_columns(share, mean_of(plan.down), plan.down, plan.surround.rows, source, means);
  const auto average = [&](const float* row, int left, int width, float* out) {
    switch (target.format().channels) {
      case 1:
        return average_row<1>(plan, row, left, width, out);
      case 2:
        return average_row<2>(plan, row, left, width, out);
      case 3:
        return average_row<3>(plan, row, left, width, out);
      default:
        return average_row<4>(plan, row, left, width, out);
    }
  };
  fold_frame_rows<float>(share, plan.across, plan.surround.columns, means, target, average);
}

}  // namespace cuimg
