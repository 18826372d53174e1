// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/execution.h"

#include "base/error.h"
#include "device/card_session.h"
#include "pipeline/run/difference.h"
#include "pipeline/run/worth_a_card.h"

namespace cuimg {
namespace {

// Runs work on the card that --device names.
template <class Work>
void need_card(Work work) {
  try {
    work();
  } catch (const DeviceError& error) {
    throw Error("--device", error.what(), "without a card use --device cpu or auto");
  }
}

class Execution {
 public:
  Execution(const Plan& plan, const CommonOptions& common, RunReport& report)
      : plan_(plan), common_(common), report_(report) {}

  void run(const RowFlow& flow) {
    using Kind = DeviceChoice::Kind;
    switch (common_.device.kind) {
      case Kind::cpu:
        return on_cpu(flow);
      case Kind::cuda:
        return on_requested_card(flow);
      case Kind::both:
        return on_both(flow);
      case Kind::automatic:
        return on_faster(flow);
    }
  }

 private:
  void on(Queue& queue, const RowFlow& flow) {
    if (common_.timing) queue.keep_times();
    report_.explanation.push_back("device: " + queue.name());
    if (queue.is_cuda())
      for (std::string& line : layout_on_card(plan_))
        report_.explanation.push_back(std::move(line));
    execute(plan_, queue, flow);
    for (StepTime& time : queue.take_times()) report_.times.push_back(std::move(time));
  }

  void on_cpu(const RowFlow& flow) {
    Queue queue = Queue::cpu(common_.threads);
    on(queue, flow);
  }

  void on_card(const RowFlow& flow) {
    CardQueueLease queue(common_.device.index, common_.threads);
    on(*queue, flow);
  }

  void on_requested_card(const RowFlow& flow) {
    need_card([&] { on_card(flow); });
  }

  void on_both(const RowFlow& flow) {
    Image of_card(flow.target.spec());
    RowProgress done;
    on_requested_card({flow.source, flow.ready, of_card, done});
    on_cpu(flow);
    report_.difference = difference(flow.target, of_card);
  }

  void on_faster(const RowFlow& flow) {
    if (is_worth_a_card(plan_, common_.threads)) {
      try {
        // The encoder sees no row before the card has delivered all of them, so that the CPU can
        // still begin afresh.
        RowProgress unseen;
        return on_card({flow.source, flow.ready, flow.target, unseen});
      } catch (const DeviceError& error) {
        report_.fallback = error.what();
      }
    } else if (common_.verbose) {
      report_.fallback = list_devices(false).problem;
    }
    on_cpu(flow);
  }

  const Plan& plan_;
  const CommonOptions& common_;
  RunReport& report_;
};

}  // namespace

void check_card(const CommonOptions& common) {
  using Kind = DeviceChoice::Kind;
  if (common.device.kind == Kind::cuda || common.device.kind == Kind::both)
    need_card([&] { const CardQueueLease queue(common.device.index, common.threads); });
}

void execute_where_asked(const Plan& plan, const CommonOptions& common, const RowFlow& flow,
                         RunReport& report) {
  Execution(plan, common, report).run(flow);
}

}  // namespace cuimg
