// SPDX-License-Identifier: Apache-2.0
#include "pipeline/frames.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <set>

#include "base/split_text.h"

namespace cuimg {
namespace {

constexpr std::int64_t most_frames = 10'000'000;

[[noreturn]] void refuse() {
  throw BadValue{"is no list of frames", "use 1-100, 1-100x2 or 1,5,9"};
}

// Removes a number from the front of `text`.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) refuse();
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

FrameSet::Run parse_run(std::string_view text) {
  FrameSet::Run run;
  run.first = run.last = take_number(text);
  if (take(text, '-')) {
    run.last = take_number(text);
    if (take(text, 'x')) run.step = take_number(text);
  }
  if (!text.empty()) refuse();
  if (run.step < 1) throw BadValue{"has a step below 1", "use 1-100x2"};
  if (run.last < run.first) throw BadValue{"ends before it begins", "give the lower frame first"};
  return run;
}

}  // namespace

std::vector<int> FrameSet::numbers() const {
  std::vector<int> numbers;
  std::set<int> seen;
  for (const Run& run : runs)
    for (std::int64_t frame = run.first; frame <= run.last; frame += run.step)
      if (seen.insert(static_cast<int>(frame)).second) numbers.push_back(static_cast<int>(frame));
  return numbers;
}

void parse_value(const std::string& text, const Range&, FrameSet& value) {
  FrameSet frames;
  std::int64_t count = 0;
  for (const std::string_view part : split_at(text, ",")) {
    const FrameSet::Run run = parse_run(part);
    count += (std::int64_t{run.last} - run.first) / run.step + 1;
    if (count > most_frames) throw BadValue{"has too many frames", "10,000,000 are the most"};
    frames.runs.push_back(run);
  }
  value = std::move(frames);
}

std::string format_value(const FrameSet& value) {
  std::string text;
  for (const auto& [first, last, step] : value.runs) {
    if (!text.empty()) text += ',';
    text += std::to_string(first);
    if (last != first || step != 1) text += fmt::format("-{}", last);
    if (step != 1) text += fmt::format("x{}", step);
  }
  return text;
}

}  // namespace cuimg
