// SPDX-License-Identifier: Apache-2.0
// The kernel launches of box.
#include "stages/filter/box.h"

#include "kernels/stencil/box_mean.h"
#include "stages/filter/box_tiles.h"
#include "stages/pass/stored_form.h"
#include "stages/window/window_cuda.cuh"
#include "stages/window/window_square.cuh"

namespace cuimg {
namespace {

void average(CudaQueue& card, const BoxPlan& plan, const Frame& source, const Frame& target) {
  if (fold_squares_on_card(card, "box_squares", mean_of(plan.across), plan.across, plan.down,
                           plan.borders, source, target))
    return;
  const auto average_columns = [&](const Frame& means) {
    fold_columns_on_card(card, "box_columns", mean_of(plan.down), plan.down, plan.borders.rows,
                         source, means);
  };
  // With a radius of 0 the axis changes nothing.
  if (plan.across.radius == 0) return average_columns(target);
  Frame means = source;
  if (plan.down.radius > 0) {
    FrameFormat format = source.format();
    format.region.y = target.region().y;
    format.region.height = target.region().height;
    means = Frame::on_card(format, card.allocate(format));
    average_columns(means);
  }
  fold_rows_on_card(card, "box_rows", mean_of(plan.across), plan.across, plan.borders.columns,
                    means, target);
}

}  // namespace

void box_on_cuda(const Queue& queue, const BoxPlan& plan, const Frame& source,
                 const Frame& target) {
  if (target.empty() || box_in_tiles(queue.card(), plan, source, target)) return;
  made_as_floats(queue, target, [&](const Frame& to) {
    average(queue.card(), plan, as_floats(queue, source), to);
  });
}

}  // namespace cuimg
