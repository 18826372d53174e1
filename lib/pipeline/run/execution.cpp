// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "base/error.h"
#include "device/card_session.h"
#include "image/pixel_pages.h"
#include "image/scratch.h"
#include "pipeline/difference.h"

namespace cuimg {
namespace {

bool has_limit(const CommonOptions& common) { return common.max_card_memory.has_value(); }

const char* what_helps(const DeviceError& error, bool has_limit) {
  if (!error.lacks_room()) return "without a card use --device cpu or auto";
  if (has_limit && error.lacks_memory())
    return "raise --max-card-memory, or use --device auto, which then takes the CPU";
  return "use --device auto, which then takes the CPU";
}

class Execution {
 public:
  Execution(const Plan& plan, const ExecutionContext& context, RunReport& report)
      : plan_(plan), context_(context), common_(context.common), report_(report) {}

  void run(const RowFlow& flow) {
    using enum DeviceChoice::Kind;
    switch (common_.device.kind) {
      case cpu:
        return on_cpu(flow);
      case cuda:
        return with_named_cards([&] { on_any_card(flow); }, has_limit(common_));
      case both:
        return on_both(flow);
      case automatic:
        return on_faster(flow);
    }
  }

 private:
  // @param card of the queue, if it is a card's.
  void on(Queue& queue, const RowFlow& flow, int card = 0) {
    const bool learns = common_.device.kind == DeviceChoice::Kind::automatic && !queue.is_cuda() &&
                        context_.card.has_several_images();
    if (common_.timing || context_.trace.trace != nullptr || learns)
      queue.keep_times(context_.trace);
    report_.explanation.push_back("device: " + queue.name());
    if (queue.is_cuda()) {
      for (std::string& line : layout_on_card(plan_))
        report_.explanation.push_back(std::move(line));
      explain_blocks(flow.blocks);
      execute_in_memory_of(card, queue, flow);
    } else {
      execute(plan_, queue, flow);
    }
    double processor = 0;
    for (StepTime& time : queue.take_times()) {
      if (time.clock == StepClock::processor) processor += time.milliseconds;
      if (context_.trace.trace != nullptr && time.begin) add_to_trace(time, card);
      report_.times.push_back(std::move(time));
    }
    if (learns) context_.card.learn(plan_, processor);
  }

  void explain_blocks(const BlockFlow& blocks) {
    if (blocks.source != nullptr && blocks.source->blocks)
      report_.explanation.emplace_back("card: it decodes the input's blocks to pixels");
    if (blocks.target != nullptr)
      report_.explanation.emplace_back("card: it encodes the output's pixels as blocks");
  }

  // Two images at a time have room whatever they need, so that one's copies run during the other's
  // kernels.
  void execute_in_memory_of(int card, const Queue& queue, const RowFlow& flow) {
    MemoryBudget& memory = context_.cards.memory(card);
    std::uint64_t whole = whole_bytes_on_card(plan_);
    const std::uint64_t room = memory.bytes() / 2;
    if (whole > room)
      report_.explanation.push_back(fmt::format(
          "card: in tiles, since whole frames take {} MB of {}", whole >> 20, room >> 20));
    flow.ready.wait_for(1);  // they may come from another plan on the card, which also needs memory
    if (whole <= room) whole += bytes_of_blocks(flow.blocks);
    if (context_.own_files != nullptr) whole += context_.own_files->own_bytes();
    const bool is_alone = !context_.card.has_several_images();
    try {
      const MemoryBudget::Share share(memory, std::min(whole, room));
      return execute(plan_, queue, flow, {room, is_alone});
    } catch (const DeviceError& error) {
      if (!error.lacks_memory() || is_alone) throw;
    }
    // Other images left too little memory even for its smallest tile. Wait until no other image is
    // on the card, and try again.
    const MemoryBudget::Share share(memory, memory.bytes());
    make_rest(flow, [&](const RowFlow& rest) { execute(plan_, queue, rest, {room}); });
  }

  // The memory held while an image waits for a card: the decoded data, since nothing has been
  // computed from it yet. Pixels count several times: touching memory for the first time takes
  // longer than decoding most of them, and memory of earlier images would be available later.
  static std::uint64_t bytes_held(const RowFlow& flow) {
    constexpr std::uint64_t weight_of_pixels = 4;
    const SourceBlocks* const source = flow.blocks.source;
    return source != nullptr && source->blocks
               ? source->blocks->layout().bytes()
               : weight_of_pixels * flow.source.spec().pixel_bytes();
  }

  // On the card: coefficients, and the samples between coefficients and pixels.
  static std::uint64_t bytes_of_blocks(const BlockFlow& blocks) {
    std::uint64_t coefficients = 0;
    if (blocks.source != nullptr && blocks.source->blocks)
      coefficients += blocks.source->blocks->layout().bytes();
    if (blocks.target != nullptr) coefficients += blocks.target->layout().bytes();
    return coefficients + coefficients / 2;
  }

  // Done while a context is created, which takes longer.
  static void take_pages(const Image& image) {
    for (int layer = 0; image.has_memory() && layer < image.spec().layer_count(); ++layer)
      cuimg::take_pages(image.memory(layer));
  }

  void add_to_trace(const StepTime& time, int card) {
    const auto length = std::chrono::duration<double, std::milli>(time.milliseconds);
    const char* const engine = time.step == copy_to_card_name   ? " copies in"
                               : time.step == copy_to_host_name ? " copies out"
                                                                : " kernels";
    const std::string stream = time.stream == 0 ? "" : " stream " + std::to_string(time.stream + 1);
    context_.trace.trace->add(
        "cuda:" + std::to_string(card) + stream + engine, time.step, context_.trace.image,
        *time.begin, *time.begin + std::chrono::duration_cast<Trace::Time::duration>(length));
  }

  void on_cpu(const RowFlow& flow) {
    Queue queue = Queue::cpu(common_.threads);
    on(queue, flow);
  }

  // Rows that were delivered before a card failed may already have been read, so they are not
  // written again.
  template <class Make>
  static void make_rest(const RowFlow& flow, const Make& make) {
    const int delivered = flow.done.wait_for(0);
    if (delivered == 0) return make(flow);
    Image anew(flow.target.spec());
    RowProgress made;
    make(RowFlow{flow.source, flow.ready, anew, made, {flow.blocks.source, nullptr}});
    const Rect& window = anew.spec().data_window;
    for (int layer = 0; layer < anew.spec().layer_count(); ++layer)
      for (int y = window.y + delivered; y < window.bottom(); ++y)
        std::memcpy(flow.target.row(layer, y), anew.row(layer, y), anew.row_bytes(layer));
    flow.done.finish();
  }

  // Uses the card with the fewest images. If it fails permanently, another card does the image.
  // @throws DeviceError if no card is left, or if this image is too large for a card.
  void on_any_card(const RowFlow& flow) {
    // The copies of a lone image begin with its first rows. Among several, one that is still being
    // decoded would keep the card from others that are ready.
    const bool is_alone = !context_.card.has_several_images();
    flow.ready.wait_for(is_alone ? 1 : INT_MAX);
    if (is_alone && is_being_opened(common_.device.first_card())) take_pages(flow.target);
    context_.cards.await_context(common_.device.first_card(), bytes_held(flow));
    for (;;) {
      const CardShares::Share share(context_.cards);
      bool is_open = false;
      try {
        CardQueueLease queue(share.card(), common_.threads);
        is_open = true;
        return make_rest(flow, [&](const RowFlow& rest) { on(*queue, rest, share.card()); });
      } catch (const DeviceError& error) {
        if (!is_lost(share.card(), is_open, error)) throw;
        const auto [is_first, others] = context_.cards.lose(share.card());
        if (!others) throw;
        if (is_first)
          report_.warnings.push_back("cuda:" + std::to_string(share.card()) + ": " + error.what() +
                                     "; the other cards do its work");
      }
    }
  }

  // A card may have no room for one image, or find it too wide, and still process others. If a
  // named card cannot be opened, the command is wrong.
  bool is_lost(int card, bool was_open, const DeviceError& error) const {
    if (is_card_broken(card)) return true;
    return !was_open && !error.lacks_room() && common_.device.cards.empty();
  }

  void on_both(const RowFlow& flow) {
    Image of_card(flow.target.spec());
    RowProgress done;
    const auto on_card = [&] {
      const int card = common_.device.first_card();
      CardQueueLease queue(card, common_.threads);
      on(*queue, {flow.source, flow.ready, of_card, done}, card);
    };
    with_named_cards(on_card, has_limit(common_));
    on_cpu(flow);
    report_.difference = difference(flow.target, of_card);
  }

  void on_faster(const RowFlow& flow) {
    if (!plan_.takes_card || context_.card.is_lost()) {
      if (common_.verbose) report_.fallback.reason = list_devices(false).problem;
      return on_cpu(flow);
    }
    try {
      on_any_card(flow);
      return context_.card.work();
    } catch (const DeviceError& error) {
      if (context_.cards.are_all_lost() && context_.card.lose_card())
        report_.warnings.push_back(std::string(error.what()) + "; the CPU does the rest");
      else
        report_.fallback = {error.what(), is_there(error)};
    }
    make_rest(flow, [&](const RowFlow& rest) { on_cpu(rest); });
  }

  // Whether the card that failed exists: the driver of a broken card no longer responds.
  bool is_there(const DeviceError& error) const {
    return is_card_broken(common_.device.first_card()) ||
           (may_have_cuda() && !error.finds_no_card());
  }

  const Plan& plan_;
  const ExecutionContext& context_;
  const CommonOptions& common_;
  RunReport& report_;
};

}  // namespace

void with_named_cards(const std::function<void()>& work, bool has_limit) {
  try {
    work();
  } catch (const DeviceError& error) {
    throw Error("--device", error.what(), what_helps(error, has_limit));
  }
}

void check_card(const CommonOptions& common) {
  const DeviceChoice::Kind kind = common.device.kind;
  if (kind == DeviceChoice::Kind::cuda || kind == DeviceChoice::Kind::both)
    with_named_cards(
        [&] { const CardQueueLease queue(common.device.first_card(), common.threads); },
        has_limit(common));
}

void choose_device(Plan& plan, const ExecutionContext& context) {
  const CommonOptions& common = context.common;
  CardChoice& card = context.card;
  if (common.device.kind != DeviceChoice::Kind::automatic) return;
  const bool is_worth = card.is_worth(plan);
  // Its driver takes a tenth of a second to answer, and occupies a core.
  if (!is_worth && !common.explain) return;
  // A driver that has not answered yet exists.
  const bool has_driver =
      card.waits_for_card() ? may_have_cuda() : may_have_cuda_yet().value_or(true);
  if (!has_driver) return;
  plan.takes_card = is_worth;
  if (plan.steps.empty()) return;
  plan.explanation.push_back(card.reason(plan));
  const int first = common.device.first_card();
  const bool is_open = card.has_begun_card() && !is_being_opened(first);
  if (!plan.takes_card || is_open || !card.begins_on_cpu(plan)) return;
  plan.takes_card = false;
  plan.explanation.emplace_back("auto: the CPU, while the card's context is made");
  if (common.dry_run) return;
  card.begin_card();
  warm_up_cuda(first);
}

bool may_use_blocks(const Plan& plan, const ExecutionContext& context) {
  using enum DeviceChoice::Kind;
  const DeviceChoice& device = context.common.device;
  if (!context.card.has_several_images() || context.card.is_lost() || Scratch::memory_bytes())
    return false;
  if (device.kind == automatic && !plan.takes_card) return false;
  if (device.kind != automatic && device.kind != cuda) return false;
  return whole_bytes_on_card(plan) <= context.cards.least_memory_bytes(device.first_card()) / 4;
}

void execute_where_asked(const Plan& plan, const ExecutionContext& context, const RowFlow& flow,
                         RunReport& report) {
  Execution(plan, context, report).run(flow);
}

}  // namespace cuimg
