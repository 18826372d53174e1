// SPDX-License-Identifier: Apache-2.0
// Bands on the CPU, whole frames on a card; the operations are the same.
#include "pipeline/execute.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>

namespace cuimg {
namespace {

// Rows enough that the rows which two neighbouring bands both need cost little, few enough that a
// band's floats stay near the processor.
constexpr int band_rows = 32;

using Steps = std::span<const PlannedStep>;

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

// Which layer of the first step's input `layer` of the last step's output comes from, step by step.
std::vector<int> layer_chain(Steps steps, int layer) {
  std::vector<int> chain(steps.size() + 1);
  chain.back() = layer;
  for (std::size_t i = steps.size(); i-- > 0;)
    chain[i] = operation(steps, i).source_layer(chain[i + 1]);
  return chain;
}

// Turns bands that end in any order into rows that are complete from the top.
class BandProgress {
 public:
  BandProgress(RowProgress& done, int bands)
      : done_(done), finished_(static_cast<std::size_t>(bands)) {}

  void finish(int band) {
    const std::lock_guard lock(mutex_);
    finished_[static_cast<std::size_t>(band)] = true;
    while (complete_ < finished_.size() && finished_[complete_]) ++complete_;
    done_.advance(static_cast<int>(complete_) * band_rows);
  }

 private:
  RowProgress& done_;
  std::mutex mutex_;
  std::vector<bool> finished_;
  std::size_t complete_ = 0;
};

// One band of one layer through a run of steps.
void run_band(Steps steps, const Queue& queue, const Image& source, RowProgress& ready,
              const Frame& target, int layer) {
  const std::vector<int> layers = layer_chain(steps, layer);
  std::vector<Rect> regions(steps.size() + 1);
  regions.back() = target.region();
  for (std::size_t i = steps.size(); i-- > 0;)
    regions[i] = operation(steps, i).needed(regions[i + 1]);
  if (!regions.front().empty())
    ready.wait_for(regions.front().bottom() - source.spec().data_window.y);
  Frame frame = Frame::over_image(source, layers.front()).cropped(regions.front());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool is_last = i + 1 == steps.size();
    const Frame next = is_last
                           ? target
                           : Frame::new_host(format_of(operation(steps, i).output(), layers[i + 1],
                                                       regions[i + 1], Storage::host));
    queue.time_step(steps[i].name,
                    [&] { operation(steps, i).run(queue, layers[i + 1], frame, next); });
    frame = next;
  }
}

void run_bands(Steps steps, const Queue& queue, const Image& source, RowProgress& ready,
               Image& target, RowProgress& done) {
  const Rect window = operation(steps, steps.size() - 1).output().data_window;
  const int bands = (window.height + band_rows - 1) / band_rows;
  BandProgress progress(done, bands);
  queue.for_each(bands, [&](int band) {
    const int top = window.y + band * band_rows;
    const Rect region =
        rect_from_edges(window.x, top, window.right(), std::min(top + band_rows, window.bottom()));
    for (int layer = 0; layer < static_cast<int>(target.spec().layers.size()); ++layer)
      run_band(steps, queue, source, ready, frame_over(target, layer, window).cropped(region),
               layer);
    progress.finish(band);
  });
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
    done.advance(row + 1);
  }
}

// An operation that reads all over its input wants it made first; what lies before it runs by
// itself.
void execute_on_cpu(Steps steps, const Queue& queue, const Image& source, RowProgress& ready,
                    Image& target, RowProgress& done) {
  if (steps.empty()) return copy_rows(source, ready, target, done);
  std::size_t split = steps.size() - 1;
  while (split > 0 && !operation(steps, split).reads_scattered()) --split;
  if (split == 0) return run_bands(steps, queue, source, ready, target, done);
  Image between(operation(steps, split - 1).output());
  RowProgress made;
  execute_on_cpu(steps.first(split), queue, source, ready, between, made);
  made.finish();
  run_bands(steps.subspan(split), queue, between, made, target, done);
}

void execute_on_card(Steps steps, const Queue& queue, const Image& source, RowProgress& ready,
                     Image& target, RowProgress& done) {
  const auto count = static_cast<int>(target.spec().layers.size());
  for (int layer = 0; layer < count; ++layer) {
    const std::vector<int> layers = layer_chain(steps, layer);
    Frame frame =
        queue.upload(source, layers.front(), ready,
                     steps.empty() ? Storage::pitched : operation(steps, 0).storage(layers[1]));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Operation& step = operation(steps, i);
      const Storage storage =
          i + 1 < steps.size() ? operation(steps, i + 1).storage(layers[i + 2]) : Storage::pitched;
      const Frame next = queue.allocate(
          format_of(step.output(), layers[i + 1], step.output().data_window, storage));
      queue.time_step(steps[i].name, [&] { step.run(queue, layers[i + 1], frame, next); });
      frame = next;
    }
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
    execute_on_cpu(steps, queue, source, ready, target, done);
  done.finish();
}

}  // namespace cuimg
