// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/card_frames.h"

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <utility>

namespace cuimg {
namespace {

// The results of the steps on a card. A layer that several steps or layers read is made once, and
// freed after its last reader.
class CardFrames {
 public:
  explicit CardFrames(const WorkOnCard& work) : work_(work) {}

  /// Called for everything that take() will request, before the first call of take().
  void expect(const LayerOfStep& wanted) {
    if (made_[wanted].readers++ == 0)
      if (wanted.steps > 0)
        for (const LayerOfStep& source : run_for(wanted).sources) expect(source);
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

  RunOnCard run_for(const LayerOfStep& wanted) const {
    return run_on_card(work_.steps, work_.regions, wanted);
  }
  Frame make(const LayerOfStep& wanted) {
    if (wanted.steps == 0)
      return work_.source.upload(work_.queue, wanted.layer, work_.regions.front(), wanted.storage);
    const RunOnCard run = run_for(wanted);
    std::vector<Frame> sources;
    for (std::size_t i = 0; i < run.sources.size(); ++i) {
      const Frame source = take(run.sources[i]);
      sources.push_back(run.decoded[i] ? source.seen_as_floats(run.decoded[i]) : source);
    }
    const Frame frame =
        work_.queue.allocate(format_of(operation(work_.steps, wanted.steps - 1).output(),
                                       wanted.layer, work_.regions[wanted.steps], wanted.storage));
    const Frame target = run.encoded ? frame.seen_as_floats(run.encoded) : frame;
    work_.queue.time_step(name_of(work_.steps, run) + ", to " + name_of(wanted.storage), [&] {
      operation(work_.steps, run.step).run(work_.queue, run.layer, sources, target);
    });
    return frame;
  }

  const WorkOnCard& work_;
  std::map<LayerOfStep, Made> made_;
};

// @param use called with each wanted layer and its frame as they are made.
template <class Use>
void for_each_made(const WorkOnCard& work, const Use& use) {
  CardFrames frames(work);
  const auto count = static_cast<int>(work.wanted.size());
  for (int layer = 0; layer < count; ++layer)
    if (work.wanted[static_cast<std::size_t>(layer)]) frames.expect({work.steps.size(), layer});
  for (int layer = 0; layer < count; ++layer)
    if (work.wanted[static_cast<std::size_t>(layer)])
      use(layer, frames.take({work.steps.size(), layer}));
}

}  // namespace

// Nothing if the image has pixels, as it does afterwards.
std::optional<Frame> SourceOnCard::upload_blocks(const Queue& queue, const Rect& region,
                                                 Storage storage) {
  if (blocks_ == nullptr) return std::nullopt;
  ready_.wait_for(INT_MAX);
  if (!blocks_->blocks) return std::nullopt;
  std::optional<Frame> frame;
  if (region == window())
    queue.time_step(copy_to_card_name,
                    [&] { frame = queue.upload(*blocks_->blocks, region, storage); });
  if (!frame) blocks_->make_pixels();
  return frame;
}

Frame SourceOnCard::upload_rows(const Queue& queue, int layer, const Rect& region,
                                Storage storage) {
  std::optional<Frame> frame;
  queue.time_step(copy_to_card_name,
                  [&] { frame = queue.upload(image_, layer, region, ready_, storage); });
  return *std::move(frame);
}

// Another queue that also wants the layer waits here. Its work is not ordered after the copy, which
// must therefore be complete by then.
Frame SourceOnCard::upload_once(const Queue& queue, int layer, Storage storage) {
  const std::lock_guard lock(mutex_);
  if (const auto found = whole_.find({layer, storage}); found != whole_.end()) return found->second;
  Frame frame = upload_rows(queue, layer, window(), storage);
  queue.synchronize();
  whole_.emplace(std::pair(layer, storage), frame);
  return frame;
}

Frame SourceOnCard::upload(const Queue& queue, int layer, const Rect& region, Storage storage) {
  if (std::optional<Frame> frame = upload_blocks(queue, region, storage)) return *std::move(frame);
  if (keeps_whole_ && region == window()) return upload_once(queue, layer, storage);
  return upload_rows(queue, layer, region, storage);
}

// A kernel cannot be launched over an empty region, or read from one. Pixels beyond an edge are
// computed from the pixels at that edge.
static Rect at_least_a_pixel(const Rect& needed, const Rect& all) {
  if (!needed.empty() || all.empty()) return needed;
  const int x = std::clamp(needed.x, all.x, all.right() - 1);
  const int y = std::clamp(needed.y, all.y, all.bottom() - 1);
  return intersection({x, y, std::max(1, needed.width), std::max(1, needed.height)}, all);
}

Regions needed_regions(Steps steps, const Rect& source, const Rect& region) {
  Regions regions(steps.size() + 1);
  regions.back() = region;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Rect& all = i == 0 ? source : operation(steps, i - 1).output().data_window;
    regions[i] = at_least_a_pixel(operation(steps, i).needed(regions[i + 1]), all);
  }
  return regions;
}

void make_on_card(const WorkOnCard& work, Image& target, RowProgress& done, TargetBlocks* blocks) {
  const Layers& wanted = work.wanted;
  const Queue& queue = work.queue;
  const auto last = wanted.rend() - std::find(wanted.rbegin(), wanted.rend(), true) - 1;
  const Rect& made = work.steps.empty() ? work.source.window() : window_of(work.steps);
  const Rect& window = target.spec().data_window;
  for_each_made(work, [&](int layer, const Frame& frame) {
    if (blocks != nullptr)
      return queue.time_step(copy_to_host_name, [&] { blocks->take(queue, frame); });
    const Rect& region = frame.region();
    RowProgress partial;
    queue.time_step(copy_to_host_name, [&] {
      queue.download(frame.moved_to(region.x - made.x + window.x, region.y - made.y + window.y),
                     target, layer, layer == last ? done : partial);
    });
  });
  queue.synchronize();
}

void try_on_card(const WorkOnCard& work) {
  for_each_made(work, [](int, const Frame&) {});
}

}  // namespace cuimg
