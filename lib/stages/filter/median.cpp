// SPDX-License-Identifier: Apache-2.0
// The description and geometry of median.
#include "stages/filter/median/median.h"

#include "base/error.h"
#include "device/on_device.h"
#include "stages/description.h"
#include "stages/filter/window_words.h"
#include "stages/window/stencil.h"

namespace cuimg {
namespace {

struct Median {
  int size = 3;
  Border border = Border::clamp;
};

std::unique_ptr<Operation> median(const Median& p, const Spec& input, const StageContext& context) {
  const int radius = p.size / 2;
  Stencil stencil(input, p.border, {radius, radius, radius, radius},
                  values_for_order(input, context.raw), context.raw);
  stencil.convert_on_card();
  stencil.plan.cost_ns = p.size <= largest_network ? 8 : 20 + 4 * p.size;
  const MedianPlan plan{p.size, stencil.borders};
  return make_stencil(std::move(stencil), [plan](const Queue& queue, int, const Frame& source,
                                                 const Frame& target) {
    on_device<median_on_cpu, median_on_cuda>(queue, within(plan, source), source, target);
  });
}

}  // namespace

StageDescription median_stage() {
  return describe<Median>("median", "the median of the values around each pixel", Kind::filter)
      .param("size", &Median::size, range(3, largest_median), "side of the window, an odd number",
             unit("pixels"))
      .param("border", &Median::border, "what lies beyond the picture's edge")
      .details(
          "Removes specks and keeps edges. Works on each channel separately, alpha too, in the "
          "type in which it is stored, since encoded values have the same order as light. Colours "
          "with straight alpha are premultiplied first, so that hidden colours do not show. The "
          "result is exactly one of the window's values. -0 is less than +0. NaN is skipped unless "
          "there is nothing else. Of an even number of values, the lower of the two in the middle "
          "is taken. Ids stay. " +
          std::string(data_window_grows))
      .example("cuimg median --size 5 in.exr out.exr")
      .check([](const Median& p) {
        if (p.size % 2 == 0)
          throw Error("median", "--size " + std::to_string(p.size) + " has no middle",
                      "use 3, 5, 7, ... 31");
      })
      .prepare(median);
}

}  // namespace cuimg
