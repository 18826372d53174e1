// SPDX-License-Identifier: Apache-2.0
// Box's description and geometry.
#include "stages/filter/box.h"

#include "build_config.h"
#include "stages/description.h"
#include "stages/registry.h"
#include "stages/window/stencil.h"

namespace cuimg {
namespace {

struct Box {
  Radius radius;
  Border border = Border::clamp;
};

class BoxOperation final : public StencilOperation {
 public:
  BoxOperation(const Box& p, const Spec& input, const StageContext& context)
      : StencilOperation(input, p.border, {p.radius.x, p.radius.y, p.radius.x, p.radius.y},
                         context.raw),
        plan_{{p.radius.x}, {p.radius.y}, surround()} {}

  bool reads_scattered() const override { return false; }
  // Bands would read far more rows than they make.
  bool runs_whole() const override { return plan_.down.radius > 24; }
  double cost_ns() const override { return 15; }

 private:
  void filter(const Queue& queue, int, const Frame& source, const Frame& target) const override {
    if constexpr (build::has_cuda)
      if (queue.is_cuda()) return box_on_cuda(queue, plan_, source, target);
    box_on_cpu(sharing_on(queue, runs_whole()), plan_, source, target);
  }

  BoxPlan plan_;
};

}  // namespace

const StageDescription& box_stage() {
  static const StageDescription description =
      describe<Box>("box", "the mean of a box of pixels", Kind::filter)
          .param("radius", &Box::radius, range(0, 32768),
                 "reach of the box, one number or one each way: 2 N + 1 pixels a side",
                 unit("pixels"))
          .param("border", &Box::border, "what lies beyond the picture's edge")
          .details(
              "Colour is averaged in linear light with premultiplied alpha, unless --raw; ids "
              "stay. The time does not depend on the radius. Sums are made in double, so that "
              "a constant stays constant to its last bit, and values leave no trace once the box "
              "has passed them: an Inf or NaN reaches the pixels whose box holds it and no other.")
          .example("cuimg box --radius 4 in.exr out.exr")
          .example("cuimg box --radius 50,0 --border wrap in.png out.png")
          .prepare([](const Box& p, const Spec& input, const StageContext& context) {
            return std::make_unique<BoxOperation>(p, input, context);
          });
  return description;
}

}  // namespace cuimg
