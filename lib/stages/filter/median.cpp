// SPDX-License-Identifier: Apache-2.0
// Median's description and geometry.
#include "stages/filter/median.h"

#include "base/error.h"
#include "build_config.h"
#include "stages/description.h"
#include "stages/registry.h"
#include "stages/window/stencil.h"

namespace cuimg {
namespace {

struct Median {
  int size = 3;
  Border border = Border::clamp;
};

class MedianOperation final : public StencilOperation {
 public:
  MedianOperation(const Median& p, const Spec& input, const StageContext& context)
      : StencilOperation(input, p.border, reach_of(p), values_for_order(input, context.raw),
                         context.raw),
        plan_{p.size, surround()} {}

  double cost_ns() const override {
    return plan_.size <= largest_network ? 8 : 20 + 4 * plan_.size;
  }

 private:
  static Reach reach_of(const Median& p) {
    if (p.size % 2 == 0)
      throw Error("median", "--size " + std::to_string(p.size) + " has no middle",
                  "use 3, 5, 7, ... 31");
    return {p.size / 2, p.size / 2, p.size / 2, p.size / 2};
  }

  void filter(const Queue& queue, int, const Frame& source, const Frame& target) const override {
    if constexpr (build::has_cuda)
      if (queue.is_cuda()) return median_on_cuda(queue, plan_, source, target);
    median_on_cpu(plan_, source, target);
  }

  MedianPlan plan_;
};

}  // namespace

const StageDescription& median_stage() {
  static const StageDescription description =
      describe<Median>("median", "the middle of the values around each pixel", Kind::filter)
          .param("size", &Median::size, range(3, largest_median), "the window's side, odd",
                 unit("pixels"))
          .param("border", &Median::border, "what lies beyond the picture's edge")
          .details(
              "Takes out specks and keeps edges. Each channel by itself, alpha too, in the type "
              "that it is stored in: order is the same in encoded values and in light. Only where "
              "alpha is straight are colours premultiplied first, so that hidden ones do not show. "
              "The result is one of the window's values, exactly. -0 lies below +0; NaN is passed "
              "over unless there is nothing else, and of an even number of values the lower of the "
              "two in the middle is taken. Ids stay.")
          .example("cuimg median --size 5 in.exr out.exr")
          .prepare([](const Median& p, const Spec& input, const StageContext& context) {
            return std::make_unique<MedianOperation>(p, input, context);
          });
  return description;
}

}  // namespace cuimg
