// SPDX-License-Identifier: Apache-2.0
// The descriptions of erode, dilate, open and close, and the geometry of two in a row.
#include "stages/filter/morphology/morphology.h"

#include "device/on_device.h"
#include "stages/description.h"
#include "stages/filter/window_words.h"
#include "stages/window/stencil.h"

namespace cuimg {
namespace {

struct Morphology {
  Radius radius;
  Element shape = Element::box;
};

constexpr bool erosion = false, dilation = true;

std::unique_ptr<Operation> morphology(const Morphology& p, const std::vector<bool>& steps,
                                      const Spec& input, const StageContext& context) {
  const auto reach_of = [&](int count) {
    return Reach{count * p.radius.x, count * p.radius.y, count * p.radius.x, count * p.radius.y};
  };
  const auto count = static_cast<int>(steps.size());
  Stencil stencil(input, Border::clamp, reach_of(count), values_for_order(input, context.raw),
                  context.raw);
  stencil.convert_on_card();
  stencil.plan.reads_scattered = false;
  stencil.plan.runs_whole = stencil.reach.up > 24;
  stencil.plan.cost_ns = count * (p.shape == Element::disk ? 4 + 2 * p.radius.y : 8);
  std::vector<MorphologyPlan> plans;
  Spec between = input;
  for (const bool greatest : steps) {
    plans.push_back({greatest, p.shape, p.radius, BorderSampler(between, Border::clamp)});
    between.data_window = grown_window(between.data_window, input.display_window, reach_of(1));
  }
  return make_stencil(
      std::move(stencil), [plans = std::move(plans)](const Queue& queue, int, const Frame& source,
                                                     const Frame& target) {
        Frame from = source;
        for (std::size_t i = 0; i < plans.size(); ++i) {
          Frame to = target;
          if (i + 1 < plans.size()) {
            const MorphologyPlan& next = plans[i + 1];
            to = queue.allocate(target.format().between_passes().over(
                next.borders.sources_around(target.region(), next.radius.x, next.radius.y)));
          }
          on_device<morph_on_cpu, morph_on_cuda>(queue, within(plans[i], from), from, to);
          from = to;
        }
      });
}

StageDescription describe_morphology(std::string_view name, std::string_view summary,
                                     const std::string& meaning, const std::vector<bool>& steps) {
  const std::string stage(name);
  return describe<Morphology>(name, summary, Kind::filter)
      .param("radius", &Morphology::radius, range(0, 32768),
             "radius of the element, one or one across and one down", unit("pixels"))
      .param("shape", &Morphology::shape, "the element")
      .details(meaning +
               "\n\nWorks on each channel separately, alpha too, in the type in which it is "
               "stored, since encoded values have the same order as light. Colours with straight "
               "alpha are premultiplied first, so that hidden colours do not show. -0 is less than "
               "+0. NaN is skipped unless there is nothing else. Ids stay. Pixels beyond the "
               "picture do not count. A box takes the same time for every radius; the time of a "
               "disk, (x/rx)^2 + (y/ry)^2 <= 1, grows in proportion to the radius. " +
               std::string(data_window_grows))
      .example("cuimg " + stage + " --radius 3 mask.png out.png")
      .example("cuimg " + stage + " --radius 15 --shape disk in.exr out.exr")
      .prepare([steps](const Morphology& p, const Spec& input, const StageContext& context) {
        return morphology(p, steps, input, context);
      });
}

}  // namespace

std::span<const Choice<Element>> choices_of(Element) {
  static constexpr Choice<Element> choices[] = {
      {Element::box, "box", "2 N + 1 pixels a side", "square"},
      {Element::disk, "disk", "an ellipse where the radii differ", "circle"}};
  return choices;
}

StageDescription erode_stage() {
  return describe_morphology("erode", "the smallest value around each pixel",
                             "Bright parts shrink.", {erosion});
}

StageDescription dilate_stage() {
  return describe_morphology("dilate", "the largest value around each pixel", "Bright parts grow.",
                             {dilation});
}

StageDescription open_stage() {
  return describe_morphology(
      "open", "erode, then dilate",
      "Bright parts smaller than the element vanish; others keep their size.", {erosion, dilation});
}

StageDescription close_stage() {
  return describe_morphology("close", "dilate, then erode",
                             "Dark parts smaller than the element vanish; others keep their size.",
                             {dilation, erosion});
}

}  // namespace cuimg
