// SPDX-License-Identifier: Apache-2.0
// Erode, dilate, open and close: descriptions, and the geometry of one after the other.
#include "stages/filter/morphology.h"

#include "build_config.h"
#include "stages/description.h"
#include "stages/registry.h"
#include "stages/window/stencil.h"

namespace cuimg {
namespace {

struct Morphology {
  Radius radius;
  Element shape = Element::box;
};

constexpr bool erosion = false, dilation = true;

class MorphologyOperation final : public StencilOperation {
 public:
  MorphologyOperation(const Morphology& p, const std::vector<bool>& steps, const Spec& input,
                      const StageContext& context)
      : StencilOperation(input, Border::clamp, reach_of(p, static_cast<int>(steps.size())),
                         values_for_order(input, context.raw), context.raw) {
    Spec between = input;
    for (const bool greatest : steps) {
      plans_.push_back({greatest, p.shape, p.radius, BorderSampler(between, Border::clamp)});
      between.data_window = grown_window(between.data_window, input.display_window, reach_of(p, 1));
    }
  }

  bool reads_scattered() const override { return false; }
  bool runs_whole() const override { return reach().up > 24; }
  double cost_ns() const override {
    const MorphologyPlan& plan = plans_.front();
    const double once = plan.element == Element::disk ? 4 + 2 * plan.radius.y : 8;
    return once * static_cast<double>(plans_.size());
  }

 private:
  static Reach reach_of(const Morphology& p, int steps) {
    return {steps * p.radius.x, steps * p.radius.y, steps * p.radius.x, steps * p.radius.y};
  }

  void filter(const Queue& queue, int, const Frame& source, const Frame& target) const override {
    Frame from = source;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      Frame to = target;
      if (i + 1 < plans_.size()) {
        const MorphologyPlan& next = plans_[i + 1];
        FrameFormat format = target.format();
        format.region = next.surround.sources_around(target.region(), next.radius.x, next.radius.y);
        to = queue.allocate(format);
      }
      run_step(queue, plans_[i], from, to);
      from = to;
    }
  }

  void run_step(const Queue& queue, const MorphologyPlan& plan, const Frame& source,
                const Frame& target) const {
    if constexpr (build::has_cuda)
      if (queue.is_cuda()) return morph_on_cuda(queue, plan, source, target);
    morph_on_cpu(sharing_on(queue, runs_whole()), plan, source, target);
  }

  std::vector<MorphologyPlan> plans_;
};

StageDescription describe_morphology(std::string_view name, std::string_view summary,
                                     const std::string& meaning, const std::vector<bool>& steps) {
  const std::string stage(name);
  return describe<Morphology>(name, summary, Kind::filter)
      .param("radius", &Morphology::radius, range(0, 32768),
             "reach of the element, one number or one each way", unit("pixels"))
      .param("shape", &Morphology::shape, "the element")
      .details(meaning +
               "\n\nEach channel by itself, alpha too, in the type that it is stored in: order is "
               "the same in encoded values and in light. Only where alpha is straight are colours "
               "premultiplied first, so that hidden ones do not show. -0 lies below +0, NaN is "
               "passed over unless there is nothing else; ids stay. What lies beyond the picture "
               "does not count. A box takes the same time for every radius, a disk "
               "(x/rx)^2 + (y/ry)^2 <= 1 time in proportion to it.")
      .example("cuimg " + stage + " --radius 3 mask.png out.png")
      .example("cuimg " + stage + " --radius 15 --shape disk in.exr out.exr")
      .prepare([steps](const Morphology& p, const Spec& input, const StageContext& context) {
        return std::make_unique<MorphologyOperation>(p, steps, input, context);
      });
}

}  // namespace

std::span<const Choice<Element>> choices_of(Element) {
  static constexpr Choice<Element> choices[] = {
      {Element::box, "box", "2 N + 1 pixels a side", "square"},
      {Element::disk, "disk", "an ellipse where the radii differ", "circle"}};
  return choices;
}

const StageDescription& erode_stage() {
  static const StageDescription description = describe_morphology(
      "erode", "the least value around each pixel", "Bright parts shrink.", {erosion});
  return description;
}

const StageDescription& dilate_stage() {
  static const StageDescription description = describe_morphology(
      "dilate", "the greatest value around each pixel", "Bright parts grow.", {dilation});
  return description;
}

const StageDescription& open_stage() {
  static const StageDescription description =
      describe_morphology("open", "erode, then dilate",
                          "Bright parts smaller than the element vanish, the rest keep their size.",
                          {erosion, dilation});
  return description;
}

const StageDescription& close_stage() {
  static const StageDescription description = describe_morphology(
      "close", "dilate, then erode",
      "Dark parts smaller than the element vanish, the rest keep their size.", {dilation, erosion});
  return description;
}

}  // namespace cuimg
