// SPDX-License-Identifier: Apache-2.0
// Bands on the CPU, whole frames on a card; the operations are the same.
#include "pipeline/execute.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <mutex>
#include <span>

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
    const Operation& step = operation(steps_, count - 1);
    const Rect needed = step.needed(target.region());
    std::vector<Frame> sources;
    for (const int source : step.source_layers(layer))
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

void run_bands(Steps steps, const Queue& queue, const Image& source, RowProgress& ready,
               Image& target, const Layers& wanted, RowProgress& done) {
  const Rect window = operation(steps, steps.size() - 1).output().data_window;
  const int bands = (window.height + band_rows - 1) / band_rows;
  const auto region_of = [&](int band) {
    const int top = window.y + band * band_rows;
    return rect_from_edges(window.x, top, window.right(),
                           std::min(top + band_rows, window.bottom()));
  };
  const Band band_of(steps, queue, source, ready);
  BandProgress progress(bands, ready, done);
  progress.release_source([&](int band) { return band_of.first_row(region_of(band)); });
  const auto make = [&](int band) {
    const Rect region = region_of(band);
    try {
      done.wait_for_room(region.y - window.y);
      for (int layer = 0; layer < static_cast<int>(wanted.size()); ++layer)
        if (wanted[static_cast<std::size_t>(layer)])
          band_of.make(layer, frame_over(target, layer, window).cropped(region));
    } catch (...) {
      done.abandon();  // bands that wait for room would wait for rows that never come
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
    for (const int from : operation.source_layers(layer))
      sources.push_back(Frame::over_image(source, from).cropped(operation.needed(window)));
    const Frame made = frame_over(target, layer, window);
    queue.time_step(step.name, [&] { operation.run(queue, layer, sources, made); });
  }
}

// A plan without steps: the same rows, perhaps elsewhere.
void copy_rows(const Image& source, RowProgress& ready, Image& target, RowProgress& done) {
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
        for (const int from : operation(steps, i).source_layers(layer))
          needed[static_cast<std::size_t>(from)] = true;
    wanted = std::move(needed);
  }
  return wanted;
}

// An operation that reads all over its input wants it made first; what lies before it runs by
// itself.
void execute_on_cpu(Steps steps, const Queue& queue, const Image& source, RowProgress& ready,
                    Image& target, const Layers& wanted, RowProgress& done) {
  if (steps.empty()) return copy_rows(source, ready, target, done);
  std::size_t last = steps.size();
  while (last > 0 && !steps[last - 1].wants_whole_input()) --last;
  if (last == 0) return run_bands(steps, queue, source, ready, target, wanted, done);
  const std::size_t step = last - 1;
  if (step > 0) {
    Image between(operation(steps, step - 1).output());
    RowProgress made;
    const Steps rest = steps.subspan(step);
    execute_on_cpu(steps.first(step), queue, source, ready, between,
                   layers_needed(rest, between.spec(), wanted), made);
    made.finish();
    return execute_on_cpu(rest, queue, between, made, target, wanted, done);
  }
  if (!steps.front().operation->runs_whole())
    return run_bands(steps, queue, source, ready, target, wanted, done);
  if (steps.size() == 1) return run_whole(steps.front(), queue, source, ready, target, wanted);
  Image between(steps.front().operation->output());
  run_whole(steps.front(), queue, source, ready, between,
            layers_needed(steps.subspan(1), between.spec(), wanted));
  RowProgress made;
  made.finish();
  run_bands(steps.subspan(1), queue, between, made, target, wanted, done);
}

// What the first `count` steps make of a layer, whole.
Frame made_on_card(Steps steps, std::size_t count, const Queue& queue, const Image& source,
                   RowProgress& ready, int layer, Storage storage) {
  if (count == 0) return queue.upload(source, layer, ready, storage);
  const Operation& step = operation(steps, count - 1);
  std::vector<Frame> sources;
  for (const int from : step.source_layers(layer))
    sources.push_back(
        made_on_card(steps, count - 1, queue, source, ready, from, step.storage(layer)));
  const Frame frame =
      queue.allocate(format_of(step.output(), layer, step.output().data_window, storage));
  queue.time_step(steps[count - 1].name, [&] { step.run(queue, layer, sources, frame); });
  return frame;
}

void execute_on_card(Steps steps, const Queue& queue, const Image& source, RowProgress& ready,
                     Image& target, RowProgress& done) {
  const auto count = static_cast<int>(target.spec().layers.size());
  for (int layer = 0; layer < count; ++layer) {
    const Frame frame =
        made_on_card(steps, steps.size(), queue, source, ready, layer, Storage::pitched);
    RowProgress partial;
    const Rect& window = target.spec().data_window;
    queue.download(frame.moved_to(window.x, window.y), target, layer,
                   layer + 1 == count ? done : partial);
  }
  queue.synchronize();
}

}  // namespace

void execute(const Plan& plan, const Queue& queue, const Image& source, RowProgress& ready,
             Image& target, RowProgress& done) {
  const Steps steps(plan.steps);
  if (queue.is_cuda())
    execute_on_card(steps, queue, source, ready, target, done);
  else
    execute_on_cpu(steps, queue, source, ready, target, Layers(target.spec().layers.size(), true),
                   done);
  done.finish();
}

}  // namespace cuimg
