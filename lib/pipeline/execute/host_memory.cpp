// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/host_memory.h"

#include <algorithm>

#include "device/queue.h"
#include "pipeline/execute/stretches.h"
#include "pipeline/execute/tiles.h"

namespace cuimg {
namespace {

std::uint64_t bytes_of_rows(const Plan& plan, int rows) {
  const auto height = static_cast<std::uint64_t>(std::max(1, plan.input.data_window.height));
  return plan.input.pixel_bytes() / height * static_cast<std::uint64_t>(rows);
}

// The steps that run in bands from the source.
Steps first_bands(const Plan& plan) {
  const Steps steps(plan.steps);
  std::size_t count = 0;
  while (count < steps.size() && !steps[count].wants_whole_input()) ++count;
  return steps.first(count);
}

}  // namespace

std::uint64_t source_bytes_held(const Plan& plan) {
  const Steps steps = first_bands(plan);
  if (steps.empty()) return 0;
  return bytes_of_rows(plan, rows_held(steps, {window_of(steps).width, band_rows}));
}

std::uint64_t bytes_between(const Plan& plan) {
  std::uint64_t bytes = 0;
  const Spec* input = &plan.input;
  bool is_input_whole = false;
  for (const PlannedStep& step : plan.steps) {
    if (is_input_whole || step.wants_whole_input()) bytes += input->pixel_bytes();
    is_input_whole = step.operation->plan().runs_whole;
    input = &step.operation->output();
  }
  return bytes + (is_input_whole ? input->pixel_bytes() : 0);
}

std::uint64_t bytes_of_bands(const Plan& plan, int threads) {
  const Steps steps(plan.steps);
  const int available = Queue::cpu(threads).threads();
  std::int64_t most = 0;
  for (std::size_t first = 0; first < steps.size();) {
    std::size_t end = first + 1;
    while (end < steps.size() && !steps[end].wants_whole_input()) ++end;
    if (!steps[first].operation->plan().runs_whole)
      most = std::max(most, bands_under_way(steps.subspan(first, end - first), available).bytes);
    first = end;
  }
  return static_cast<std::uint64_t>(most);
}

std::uint64_t bytes_on_cpu(const Plan& plan) {
  return plan.input.pixel_bytes() + bytes_between(plan) + plan.output().pixel_bytes();
}

RowOrder row_order(const Plan& plan, std::uint64_t memory_bytes, int threads) {
  const Steps steps(plan.steps);
  if (steps.empty()) return {true, true};
  const Room room{memory_bytes, Queue::cpu(threads).threads()};
  const auto made = stretches(steps, plan.input, room);
  const Stretch& first = made.front();
  const bool few_rows =
      !first.is_whole &&
      few_rows_fit(plan.input, rows_held(steps.first(first.count), first.tile), room);
  return {few_rows, !made.back().is_whole};
}

}  // namespace cuimg
