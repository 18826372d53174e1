// SPDX-License-Identifier: Apache-2.0
#include "base/trace.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/json.h"
#include "build_config.h"
#if CUIMG_HAS_CUDA
#include <nvtx3/nvToolsExt.h>
#endif

namespace cuimg {
namespace {

void begin_range(std::string_view name) {
#if CUIMG_HAS_CUDA
  nvtxRangePushA(std::string(name).c_str());
#else
  (void)name;
#endif
}

void end_range() {
#if CUIMG_HAS_CUDA
  nvtxRangePop();
#endif
}

}  // namespace

void Trace::add(std::string_view row, std::string_view name, std::string_view image, Time begin,
                Time end) {
  const std::lock_guard lock(mutex_);
  events_.push_back({std::string(row), std::string(name), std::string(image),
                     std::this_thread::get_id(), begin, end, 0});
}

// Threads come and go with images, so a row for each would make thousands of rows. Instead a thread
// takes the first lane that is free.
void Trace::assign_lanes(std::vector<Event>& events) {
  std::ranges::sort(events, [](const Event& a, const Event& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::map<std::string, std::vector<Time>> lanes;  // the time until which each lane is taken
  std::map<std::pair<std::string, std::thread::id>, const Event*> outermost;
  for (Event& event : events) {
    const Event*& around = outermost[{event.row, event.thread}];
    if (around != nullptr && event.end <= around->end) {
      event.lane = around->lane;
      continue;
    }
    std::vector<Time>& taken = lanes[event.row];
    const auto free = std::ranges::find_if(taken, [&](Time until) { return until <= event.begin; });
    event.lane = static_cast<int>(free - taken.begin());
    if (free == taken.end())
      taken.push_back(event.end);
    else
      *free = event.end;
    around = &event;
  }
}

std::string Trace::json() const {
  std::vector<Event> events;
  {
    const std::lock_guard lock(mutex_);
    events = events_;
  }
  assign_lanes(events);
  std::map<std::pair<std::string, int>, int> rows;
  for (const Event& event : events) rows.emplace(std::pair{event.row, event.lane}, 0);
  Json list = Json::list();
  for (int number = 1; auto& [row, thread] : rows) {
    thread = number++;
    list.push(Json::object(
        {{"name", "thread_name"},
         {"ph", "M"},
         {"pid", 1},
         {"tid", thread},
         {"args", Json::object({{"name", row.first + " " + std::to_string(row.second + 1)}})}}));
  }
  const auto microseconds = [](auto duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
  };
  for (const Event& event : events)
    list.push(Json::object({{"name", event.name},
                            {"cat", event.row},
                            {"ph", "X"},
                            {"pid", 1},
                            {"tid", rows.at({event.row, event.lane})},
                            {"ts", microseconds(event.begin - start_)},
                            {"dur", microseconds(event.end - event.begin)},
                            {"args", Json::object({{"image", event.image}})}}));
  return Json::object({{"displayTimeUnit", "ms"}, {"traceEvents", list}}).line();
}

TraceSpan::TraceSpan(const ImageTrace& of, std::string_view row, std::string_view name)
    : of_(of), row_(row), name_(name) {
  begin_range(name);
  if (of_.trace != nullptr) begin_ = std::chrono::steady_clock::now();
}

TraceSpan::~TraceSpan() {
  end_range();
  if (of_.trace == nullptr) return;
  try {
    of_.trace->add(row_, name_, of_.image, begin_, std::chrono::steady_clock::now());
  } catch (...) {  // there is no memory for the event
  }
}

}  // namespace cuimg
