// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/card_frames.h"

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cuimg {
namespace {

// A layer of what the first steps make, and where a card holds it.
struct LayerOfStep {
  std::size_t steps;  ///< How many of them; none: the image itself.
  int layer;
  Storage storage = Storage::pitched;
  friend auto operator<=>(const LayerOfStep&, const LayerOfStep&) = default;
};

// What a card needs to make it. A step writes into whatever its reader reads.
std::vector<LayerOfStep> sources_on_card(Steps steps, const LayerOfStep& wanted) {
  std::vector<LayerOfStep> sources;
  if (wanted.steps == 0) return sources;
  const Operation& step = operation(steps, wanted.steps - 1);
  const LayerPlan& plan = step.plan().layer(wanted.layer);
  for (const int layer : plan.sources) sources.push_back({wanted.steps - 1, layer, plan.storage});
  return sources;
}

const char* name_of(Storage storage) { return storage == Storage::array ? "an array" : "rows"; }

// What the steps make on a card, whole layers. A layer that several steps or layers read is made
// once, and freed after its last reader.
class CardFrames {
 public:
  CardFrames(Steps steps, const Queue& queue, const Image& source, RowProgress& ready)
      : steps_(steps), queue_(queue), source_(source), ready_(ready) {}

  /// To be called for all that take() is called for, before the first of them.
  void expect(const LayerOfStep& wanted) {
    if (made_[wanted].readers++ == 0)
      for (const LayerOfStep& source : sources_of(wanted)) expect(source);
  }
  Frame take(const LayerOfStep& wanted) {
    Made& made = made_[wanted];
    if (!made.frame) made.frame = make(wanted);
    return --made.readers == 0 ? *std::exchange(made.frame, std::nullopt) : *made.frame;
  }

 private:
  struct Made {
    int readers = 0;
    std::optional<Frame> frame;
  };

  std::vector<LayerOfStep> sources_of(const LayerOfStep& wanted) const {
    return sources_on_card(steps_, wanted);
  }
  Frame make(const LayerOfStep& wanted) {
    if (wanted.steps == 0) return upload(wanted);
    const Operation& step = operation(steps_, wanted.steps - 1);
    std::vector<Frame> sources;
    for (const LayerOfStep& source : sources_of(wanted)) sources.push_back(take(source));
    const Spec& output = step.output();
    const Frame frame =
        queue_.allocate(format_of(output, wanted.layer, output.data_window, wanted.storage));
    queue_.time_step(steps_[wanted.steps - 1].name + ", to " + name_of(wanted.storage),
                     [&] { step.run(queue_, wanted.layer, sources, frame); });
    return frame;
  }

  Frame upload(const LayerOfStep& wanted) {
    std::optional<Frame> frame;
    queue_.time_step(copy_to_card_name,
                     [&] { frame = queue_.upload(source_, wanted.layer, ready_, wanted.storage); });
    return *std::move(frame);
  }

  Steps steps_;
  const Queue& queue_;
  const Image& source_;
  RowProgress& ready_;
  std::map<LayerOfStep, Made> made_;
};

}  // namespace

void execute_on_card(Steps steps, const Queue& queue, const RowFlow& flow) {
  const auto& [source, ready, target, done] = flow;
  const auto count = static_cast<int>(target.spec().layers.size());
  CardFrames frames(steps, queue, source, ready);
  for (int layer = 0; layer < count; ++layer) frames.expect({steps.size(), layer});
  for (int layer = 0; layer < count; ++layer) {
    const Frame frame = frames.take({steps.size(), layer});
    RowProgress partial;
    const Rect& window = target.spec().data_window;
    queue.time_step(copy_to_host_name, [&] {
      queue.download(frame.moved_to(window.x, window.y), target, layer,
                     layer + 1 == count ? done : partial);
    });
  }
  queue.synchronize();
}

std::vector<std::string> layout_on_card(const Plan& plan) {
  const Steps steps(plan.steps);
  std::set<LayerOfStep> all;
  const auto visit = [&](const auto& self, const LayerOfStep& wanted) -> void {
    if (all.insert(wanted).second)
      for (const LayerOfStep& source : sources_on_card(steps, wanted)) self(self, source);
  };
  for (int layer = 0; layer < static_cast<int>(plan.output().layers.size()); ++layer)
    visit(visit, {steps.size(), layer});
  std::vector<std::string> lines;
  std::set<std::pair<std::size_t, Storage>> known;
  for (const LayerOfStep& made : all) {
    if (!known.insert({made.steps, made.storage}).second) continue;
    const std::string name = made.steps == 0 ? "input" : steps[made.steps - 1].name;
    lines.push_back("card: " + name + ": into " + name_of(made.storage));
  }
  return lines;
}

}  // namespace cuimg
