// SPDX-License-Identifier: Apache-2.0
// Box on the CPU: strips of columns, then rows in place.
#include "kernels/math/dispatch.h"
#include "kernels/stencil/box_mean.h"
#include "stages/filter/box.h"
#include "stages/window/window_frames.h"

namespace cuimg {
namespace {

void average_row(const BoxPlan& plan, int channels, const float* row, int left, int width,
                 float* out) {
  const MeanFold fold = mean_of(plan.across);
  with_channels(channels, [&](auto n) {
    with_best_instructions([&] { fold_row<n()>(fold, plan.across, left, width, row, out); });
  });
}

}  // namespace

void box_on_cpu(const Queue& queue, const BoxPlan& plan, const Frame& source, const Frame& target) {
  const Frame means = between_passes(source, target);
  fold_frame_columns(queue, mean_of(plan.down), plan.down, plan.borders.rows, source, means);
  fold_frame_rows<float>(queue, plan.across, plan.borders.columns, means, target,
                         [&](const float* row, int left, int width, float* out) {
                           average_row(plan, target.format().channels, row, left, width, out);
                         });
}

}  // namespace cuimg
