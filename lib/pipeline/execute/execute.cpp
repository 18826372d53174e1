// SPDX-License-Identifier: Apache-2.0
// Bands or tiles on the CPU; whole frames, bands or tiles on a card. The operations are the same.
#include "pipeline/execute/execute.h"

#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "base/kept_thread.h"
#include "device/pinned_pixels.h"
#include "image/scratch.h"
#include "pipeline/execute/card_frames.h"
#include "pipeline/execute/card_tiles.h"
#include "pipeline/execute/planned_steps.h"
#include "pipeline/execute/stretches.h"
#include "pipeline/execute/tiles.h"

namespace cuimg {
namespace {

// Runs an operation that distributes its work itself.
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

// For a plan without steps: copies the rows, possibly to another position.
void copy_rows(const RowFlow& flow) {
  const Image& source = flow.source;
  Image& target = flow.target;
  const Rect& from = source.spec().data_window;
  const Rect& to = target.spec().data_window;
  for (int row = 0; row < from.height; ++row) {
    flow.ready.wait_for(row + 1);
    for (int layer = 0; layer < source.spec().layer_count(); ++layer)
      std::memcpy(target.row(layer, to.y + row), source.row(layer, from.y + row),
                  source.row_bytes(layer));
    flow.ready.release(row + 1);
    flow.done.advance(row + 1);
  }
}

void run_bands(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted) {
  run_tiles(steps, queue, flow, wanted, {window_of(steps).width, band_rows});
}

// An operation that may read its whole input needs it complete, so the steps before it run
// separately.
void execute_in_memory(Steps steps, const Queue& queue, const RowFlow& flow, const Layers& wanted) {
  if (steps.empty()) return copy_rows(flow);
  std::size_t last = steps.size();
  while (last > 0 && !steps[last - 1].wants_whole_input()) --last;
  if (last == 0) return run_bands(steps, queue, flow, wanted);
  const std::size_t step = last - 1;
  if (step > 0) {
    Image between(operation(steps, step - 1).output());
    RowProgress made;
    const Steps rest = steps.subspan(step);
    execute_in_memory(steps.first(step), queue, {flow.source, flow.ready, between, made},
                      layers_needed(rest, between.spec(), wanted));
    made.finish();
    return execute_in_memory(rest, queue, {between, made, flow.target, flow.done}, wanted);
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

// If memory is short: one stretch after another, each in tiles from one image to the next.
void execute_in_room(Steps steps, const Queue& queue, const RowFlow& flow, const Room& room) {
  if (steps.empty()) return copy_rows(flow);
  const Image* source = &flow.source;
  RowProgress* ready = &flow.ready;
  std::optional<Image> before, between;
  std::optional<RowProgress> made_before, made;
  for (const Stretch& stretch : stretches(steps, flow.source.spec(), room)) {
    const std::size_t end = stretch.first + stretch.count;
    const bool is_last = end == steps.size();
    Layers wanted(flow.target.spec().layers.size(), true);
    if (!is_last) {
      between.emplace(operation(steps, end - 1).output());
      made.emplace();
      wanted = layers_needed(steps.subspan(end), between->spec(), wanted);
    }
    const RowFlow part = {*source, *ready, is_last ? flow.target : *between,
                          is_last ? flow.done : *made};
    const Steps together = steps.subspan(stretch.first, stretch.count);
    if (queue.is_cuda())
      run_card_tiles(together, queue, part, wanted, stretch.tile, stretch.lanes);
    else if (stretch.is_whole)
      run_whole(together.front(), queue, part.source, part.ready, part.target, wanted);
    else
      run_tiles(together, queue, part, wanted, stretch.tile, room.tile_bytes());
    if (is_last) return;
    made->finish();
    before = std::move(between);
    made_before.emplace().finish();
    source = &*before;
    ready = &*made_before;
  }
}

void execute_on_cpu(const Plan& plan, const Queue& queue, const RowFlow& flow) {
  flow.blocks.make_pixels(flow.ready);
  if (const auto memory_bytes = Scratch::memory_bytes())
    return execute_in_room(plan.steps, queue, flow, {*memory_bytes, queue.threads()});
  execute_in_memory(plan.steps, queue, flow, Layers(flow.target.spec().layers.size(), true));
}

// @returns false if there is no room, before any row was delivered.
bool execute_whole_on_card(Steps steps, const Queue& queue, const RowFlow& flow) {
  try {
    SourceOnCard source(flow.source, flow.ready, false, flow.blocks.source);
    make_on_card({steps, queue, source, whole_windows(steps, source.window()),
                  Layers(flow.target.spec().layers.size(), true)},
                 flow.target, flow.done, flow.blocks.target);
    return true;
  } catch (const DeviceError& error) {
    if (!error.lacks_room()) throw;
    return false;
  }
}

void pin(const Queue& queue, const Image& image) {
  for (int layer = 0; layer < image.spec().layer_count(); ++layer) pin_pixels(queue, image, layer);
}

// Copies from pinned pixels take no core's time, which is needed to decode and encode, and pinning
// takes a quarter of the time of copies through the ring. If no thread can be started, the ring is
// used.
KeptThread begin_pinning(const Queue& queue, const RowFlow& flow) try {
  return KeptThread([&] {
    try {
      queue.make_current();
      pin(queue, flow.source);
      pin(queue, flow.target);
    } catch (const DeviceError&) {  // the card is broken: the next user of the card reports it
    }
  });
} catch (const std::system_error&) {
  return {};
}

void execute_on_card(const Plan& plan, const Queue& queue, const RowFlow& flow,
                     const CardUse& card) {
  constexpr std::uint64_t worth_pinning = std::uint64_t{16} << 20;
  const std::uint64_t copied = plan.input.pixel_bytes() + plan.output().pixel_bytes();
  const int lanes = card.is_alone && copied >= card.bytes_worth_two_lanes ? most_lanes : 1;
  const bool fits = whole_bytes_on_card(plan) <= card.bytes;
  const auto bands = fits && card.is_alone ? bands_on_card(plan.steps, plan.input) : std::nullopt;
  const Layers all(flow.target.spec().layers.size(), true);
  const bool has_pixels = flow.blocks.source == nullptr && flow.blocks.target == nullptr;
  if (card.is_alone && has_pixels && copied >= worth_pinning) {
    const KeptThread pinning = begin_pinning(queue, flow);
    if (bands) load_kernels(plan.steps, queue, flow, all);
  }
  if (fits) {
    if (bands) flow.blocks.make_pixels(flow.ready);
    if (bands) return run_card_tiles(plan.steps, queue, flow, all, *bands, lanes);
    if (execute_whole_on_card(plan.steps, queue, flow)) return;
  }
  flow.blocks.make_pixels(flow.ready);
  execute_in_room(plan.steps, queue, flow, {card.bytes, queue.threads(), true, lanes});
}

}  // namespace

std::uint64_t whole_bytes_on_card(const Plan& plan) {
  return static_cast<std::uint64_t>(
      bytes_on_card(plan.steps, plan.input, whole_windows(plan.steps, plan.input.data_window)));
}

void execute(const Plan& plan, const Queue& queue, const RowFlow& flow, const CardUse& card) {
  if (queue.is_cuda())
    execute_on_card(plan, queue, flow, card);
  else
    execute_on_cpu(plan, queue, flow);
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
