// SPDX-License-Identifier: Apache-2.0
// The description and geometry of box.
#include "stages/filter/box.h"

#include "device/on_device.h"
#include "stages/description.h"
#include "stages/filter/window_words.h"
#include "stages/window/stencil.h"

namespace cuimg {
namespace {

struct Box {
  Radius radius;
  Border border = Border::clamp;
};

std::unique_ptr<Operation> box(const Box& p, const Spec& input, const StageContext& context) {
  const auto [x, y] = p.radius;
  Stencil stencil(input, p.border, {x, y, x, y}, light_but_ids(input), context.raw);
  stencil.convert_on_card();
  stencil.plan.reads_scattered = false;
  // Bands would read far more rows than they produce.
  stencil.plan.runs_whole = y > 24;
  stencil.plan.cost_ns = 15;
  const BoxPlan plan{{x}, {y}, stencil.borders};
  return make_stencil(std::move(stencil), [plan](const Queue& queue, int, const Frame& source,
                                                 const Frame& target) {
    on_device<box_on_cpu, box_on_cuda>(queue, within(plan, source), source, target);
  });
}

}  // namespace

StageDescription box_stage() {
  return describe<Box>("box", "the mean of a box of pixels", Kind::filter)
      .param("radius", &Box::radius, range(0, 32768),
             "radius of the box, one or one across and one down; a side is 2 N + 1", unit("pixels"))
      .param("border", &Box::border, "what lies beyond the picture's edge")
      .details(
          "Colour is averaged in linear light with premultiplied alpha, unless --raw is given; ids "
          "stay. The time does not depend on the radius. Sums are computed in double, so a "
          "constant stays constant to its last bit. A value affects only pixels whose box contains "
          "it, even an Inf or NaN. " +
          std::string(data_window_grows))
      .example("cuimg box --radius 4 in.exr out.exr")
      .example("cuimg box --radius 50,0 --border wrap in.png out.png")
      .prepare(box);
}

}  // namespace cuimg
