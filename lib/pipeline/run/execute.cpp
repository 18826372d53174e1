// SPDX-License-Identifier: Apache-2.0
// Bands on the CPU, whole frames on a card; the operations are the same.
#include "pipeline/run/execute.h"

#include <algorithm>
#include <climits>
#include <compare>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace cuimg {
namespace {

// Rows enough that the rows which two neighbouring bands both need cost little, few enough that a
// band's floats stay near the processor.
constexpr int band_rows = 32;

using Steps = std::span<const PlannedStep>;
using Layers = std::vector<bool>;  ///< For each of an image's layers whether it is wanted.

const Operation& operation(Steps steps, std::size_t i) { return *steps[i].operation; }

FrameFormat format_of(const Spec& spec, int layer, const Rect& region, Storage storage) {
  const LayerSpec& l = spec.layers[static_cast<std::size_t>(layer)];
  return {region, l.type, l.channel_count(), storage};
}

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

// A layer of an image that lies, for the plan, in `window`.
Frame frame_over(Image& image, int layer, const Rect& window) {
  const FrameFormat format = format_of(image.spec(), layer, window, Storage::host);
  return Frame::over_host(format, image.row(layer, image.spec().data_window.y),
                          static_cast<std::ptrdiff_t>(image.row_bytes(layer)));
}

// A region of what a run of steps gives, made from the rows of an image.
class Band {
 public:
  Band(Steps steps, const Queue& queue, const Image& source, RowProgress& ready)
      : steps_(steps), queue_(queue), source_(source), ready_(ready) {}

  void make(int layer, const Frame& target) const { run(steps_.size(), layer, target); }

  /// How many bands like `region` may be under way: their floats together stay within a limit.
  int most_at_once(Rect region) const {
    constexpr std::int64_t largest = std::int64_t{1} << 30;
    std::int64_t bytes = 1;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      std::int64_t pixel = 0;
      for (const LayerSpec& layer : operation(steps_, i).output().layers)
        pixel = std::max<std::int64_t>(pixel, layer.channel_count() * std::int64_t{sizeof(float)});
      region = operation(steps_, i).needed(region);
      bytes += region.pixels() * pixel;
    }
    return static_cast<int>(std::clamp<std::int64_t>(largest / bytes, 1, INT_MAX));
  }
  /// The first of the image's rows that a region needs, from the top of its window.
  int first_row(Rect region) const {
    for (std::size_t i = steps_.size(); i-- > 0;) region = operation(steps_, i).needed(region);
    return region.empty() ? INT_MAX : region.y - source_.spec().data_window.y;
  }

 private:
  // What the first `count` steps make of a region.
  Frame made(std::size_t count, int layer, const Rect& region) const {
    if (count == 0) {
      if (!region.empty()) ready_.wait_for(region.bottom() - source_.spec().data_window.y);
      return Frame::over_image(source_, layer).cropped(region);
    }
    const Frame frame = Frame::new_host(
        format_of(operation(steps_, count - 1).output(), layer, region, Storage::host));
    run(count, layer, frame);
    return frame;
  }

  void run(std::size_t count, int layer, const Frame& target) const {
    if (target.empty()) return;  // a conversion that shows other rows than the step makes
    const Operation& step = operation(steps_, count - 1);
    const Rect needed = step.needed(target.region());
    std::vector<Frame> sources;
    for (const int source : step.plan().layer(layer).sources)
      sources.push_back(made(count - 1, source, needed));
    queue_.time_step(steps_[count - 1].name, [&] { step.run(queue_, layer, sources, target); });
  }

  Steps steps_;
  const Queue& queue_;
  const Image& source_;
  RowProgress& ready_;
};

// Turns bands that end in any order into rows that are complete from the top, and into rows of
// the source that no later band needs.
class BandProgress {
 public:
  BandProgress(int bands, RowProgress& ready, RowProgress& done)
      : ready_(ready), done_(done), finished_(static_cast<std::size_t>(bands)) {}

  /// @param first_row of a band, the first of the source's rows that it needs.
  template <class FirstRow>
  void release_source(const FirstRow& first_row) {
    if (!ready_.keeps_near()) return;
    needed_from_.assign(finished_.size() + 1, INT_MAX);
    for (std::size_t band = finished_.size(); band-- > 0;)
      needed_from_[band] = std::min(needed_from_[band + 1], first_row(static_cast<int>(band)));
  }

  void finish(int band) {
    const std::lock_guard lock(mutex_);
    finished_[static_cast<std::size_t>(band)] = true;
    while (complete_ < finished_.size() && finished_[complete_]) ++complete_;
    done_.advance(static_cast<int>(complete_) * band_rows);
    if (!needed_from_.empty()) ready_.release(needed_from_[complete_]);
  }

 private:
  RowProgress& ready_;
  RowProgress& done_;
  std::mutex mutex_;
  std::vector<bool> finished_;
  std::size_t complete_ = 0;
  std::vector<int> needed_from_;  ///< By this band and all later ones.
};

void run_bands(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted) {
  const Rect window = operation(steps, steps.size() - 1).output().data_window;
  const int bands = (window.height + band_rows - 1) / band_rows;
  const auto region_of = [&](int band) {
    const int top = window.y + band * band_rows;
    return rect_from_edges(window.x, top, window.right(),
                           std::min(top + band_rows, window.bottom()));
  };
  const Queue serial = queue.serial();  // bands are the items that threads share
  const Band band_of(steps, serial, flow.source, flow.ready);
  BandProgress progress(bands, flow.ready, flow.done);
  progress.release_source([&](int band) { return band_of.first_row(region_of(band)); });
  const auto make = [&](int band) {
    const Rect region = region_of(band);
    try {
      flow.done.wait_for_room(region.y - window.y);
      for (int layer = 0; layer < static_cast<int>(wanted.size()); ++layer)
        if (wanted[static_cast<std::size_t>(layer)])
          band_of.make(layer, frame_over(flow.target, layer, window).cropped(region));
    } catch (...) {
      flow.done.abandon();  // bands that wait for room would wait for rows that never come
      throw;
    }
    progress.finish(band);
  };
  queue.for_each(bands, make, band_of.most_at_once(region_of(bands / 2)));
}

// An operation that shares its work out by itself.
void run_whole(const PlannedStep& step, const Queue& queue, const Image& source, RowProgress& ready,
               Image& target, const Layers& wanted) {
  ready.wait_for(source.spec().data_window.height);
  const Operation& operation = *step.operation;
  const Rect window = operation.output().data_window;
  for (int layer = 0; layer < static_cast<int>(wanted.size()); ++layer) {
    if (!wanted[static_cast<std::size_t>(layer)]) continue;
    std::vector<Frame> sources;
    for (const int from : operation.plan().layer(layer).sources)
      sources.push_back(Frame::over_image(source, from).cropped(operation.needed(window)));
    const Frame made = frame_over(target, layer, window);
    queue.time_step(step.name, [&] { operation.run(queue, layer, sources, made); });
  }
}

// A plan without steps: the same rows, perhaps elsewhere.
void copy_rows(const RowFlow& flow) {
  const auto& [source, ready, target, done] = flow;
  const Rect& from = source.spec().data_window;
  const Rect& to = target.spec().data_window;
  for (int row = 0; row < from.height; ++row) {
    ready.wait_for(row + 1);
    for (int layer = 0; layer < static_cast<int>(source.spec().layers.size()); ++layer)
      std::memcpy(target.row(layer, to.y + row), source.row(layer, from.y + row),
                  source.row_bytes(layer));
    ready.release(row + 1);
    done.advance(row + 1);
  }
}

// Which layers of `before` these steps need for those that are wanted of their output. A card makes
// no others, and a stage that refuses some values must not see more of them here than there.
Layers layers_needed(Steps steps, const Spec& before, Layers wanted) {
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Spec& input = i == 0 ? before : operation(steps, i - 1).output();
    Layers needed(input.layers.size());
    for (int layer = 0; layer < static_cast<int>(wanted.size()); ++layer)
      if (wanted[static_cast<std::size_t>(layer)])
        for (const int from : operation(steps, i).plan().layer(layer).sources)
          needed[static_cast<std::size_t>(from)] = true;
    wanted = std::move(needed);
  }
  return wanted;
}

// An operation that reads all over its input wants it made first; what lies before it runs by
// itself.
void execute_on_cpu(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted) {
  if (steps.empty()) return copy_rows(flow);
  std::size_t last = steps.size();
  while (last > 0 && !steps[last - 1].wants_whole_input()) --last;
  if (last == 0) return run_bands(steps, queue, flow, wanted);
  const std::size_t step = last - 1;
  if (step > 0) {
    Image between(operation(steps, step - 1).output());
    RowProgress made;
    const Steps rest = steps.subspan(step);
    execute_on_cpu(steps.first(step), queue, {flow.source, flow.ready, between, made},
                   layers_needed(rest, between.spec(), wanted));
    made.finish();
    return execute_on_cpu(rest, queue, {between, made, flow.target, flow.done}, wanted);
  }
  if (!steps.front().operation->plan().runs_whole) return run_bands(steps, queue, flow, wanted);
  if (steps.size() == 1)
    return run_whole(steps.front(), queue, flow.source, flow.ready, flow.target, wanted);
  Image between(steps.front().operation->output());
  run_whole(steps.front(), queue, flow.source, flow.ready, between,
            layers_needed(steps.subspan(1), between.spec(), wanted));
  RowProgress made;
  made.finish();
  run_bands(steps.subspan(1), queue, {between, made, flow.target, flow.done}, wanted);
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
    queue_.time_step(copy_to_card_name, [&] {
      frame = queue_.upload(source_, wanted.layer, ready_, wanted.storage);
    });
    return *std::move(frame);
  }

  Steps steps_;
  const Queue& queue_;
  const Image& source_;
  RowProgress& ready_;
  std::map<LayerOfStep, Made> made_;
};

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

}  // namespace

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

void execute(const Plan& plan, const Queue& queue, const RowFlow& flow) {
  const Steps steps(plan.steps);
  if (queue.is_cuda())
    execute_on_card(steps, queue, flow);
  else
    execute_on_cpu(steps, queue, flow, Layers(flow.target.spec().layers.size(), true));
  flow.done.finish();
}

Image execute(const Plan& plan, const Queue& queue, const Image& source) {
  Image target(plan.output());
  RowProgress ready, done;
  ready.finish();
  execute(plan, queue, {source, ready, target, done});
  return target;
}

}  // namespace cuimg
