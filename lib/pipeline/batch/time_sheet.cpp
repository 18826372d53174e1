// SPDX-License-Identifier: Apache-2.0
#include "pipeline/batch/time_sheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/message_text.h"
#include "pipeline/run/run_report.h"

namespace cuimg {
namespace {

// "1.23 ms", "45.6 ms", "7.89 s".
std::string duration(double milliseconds) {
  if (milliseconds >= 1000) return fmt::format("{:.2f} s", milliseconds / 1000);
  return fmt::format("{:.1f} ms", milliseconds);
}

}  // namespace

const char* name_of(StepClock clock) {
  constexpr const char* names[] = {"processor", "card", "thread", "waiting"};
  return names[static_cast<std::size_t>(clock)];
}

void TimeSheet::add(const std::vector<StepTime>& times) {
  for (const StepTime& time : times) {
    const auto known = std::ranges::find_if(
        rows_, [&](const Row& row) { return row.step == time.step && row.clock == time.clock; });
    if (known == rows_.end())
      rows_.push_back({time.step, time.milliseconds, time.clock});
    else
      known->milliseconds += time.milliseconds;
  }
}

double TimeSheet::sum(bool (*counts)(const Row&)) const {
  double sum = 0;
  for (const Row& row : rows_)
    if (counts(row)) sum += row.milliseconds;
  return sum;
}

std::string TimeSheet::text(double wall_seconds, int threads) const {
  const double busy = sum([](const Row& row) { return row.clock != StepClock::waiting; });
  std::string text = fmt::format("{:<34} {:>10} {:>6}  {}\n", "step", "time", "share", "of");
  for (const Row& row : rows_) {
    const bool waits = row.clock == StepClock::waiting;
    if (waits && row.milliseconds < 0.05) continue;
    text += fmt::format(
        "{:<34} {:>10} {:>6}  {}\n", printable(row.step), duration(row.milliseconds),
        waits ? "" : fmt::format("{:.0f} %", 100 * row.milliseconds / busy), name_of(row.clock));
  }
  return text + bottleneck(1000 * wall_seconds, threads);
}

// "Most of it is decoding, 61 %: 0.52 s of 0.85 s; 2 threads worked for 70 % of 0.61 s."
std::string TimeSheet::bottleneck(double wall_milliseconds, int threads) const {
  struct Group {
    const char* name;
    double milliseconds;
  };
  const Group groups[] = {
      {"opening and planning", sum([](const Row& row) { return row.step == open_name; })},
      {"decoding", sum([](const Row& row) { return row.step == decode_name; })},
      {"the stages", sum([](const Row& row) { return row.clock == StepClock::processor; })},
      {"the card", sum([](const Row& row) { return row.clock == StepClock::card; })},
      {"encoding", sum([](const Row& row) { return row.step == encode_name; })},
      {"reporting", sum([](const Row& row) { return row.step == report_name; })},
      {"writing files", sum([](const Row& row) { return row.step == write_name; })}};
  const double busy = sum([](const Row& row) { return row.clock != StepClock::waiting; });
  if (busy <= 0) return "";
  const Group& most = *std::max_element(
      std::begin(groups), std::end(groups),
      [](const Group& a, const Group& b) { return a.milliseconds < b.milliseconds; });
  std::string sentence = fmt::format("Most went into {}: {} of {}, in {} on {}.\n", most.name,
                                     duration(most.milliseconds), duration(busy),
                                     duration(wall_milliseconds), counted(threads, "thread"));
  const double memory = sum([](const Row& row) { return row.step == memory_wait_name; });
  if (memory > wall_milliseconds)
    sentence +=
        fmt::format("Images waited {} for memory: a larger --max-memory allows more at a time.\n",
                    duration(memory));
  return sentence;
}

}  // namespace cuimg
