// SPDX-License-Identifier: Apache-2.0
// Code that the benchmarks of a card share: the time of a launch, and the exit if there is no card.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "device/device_error.h"
#include "device/queue.h"

namespace cuimg {

/// Measured for a copy on the H200, counting reads and writes.
inline constexpr double bytes_per_ms = 4.26e9;

/// The median time of one run in milliseconds, between events.
template <class Work>
double median_ms(Queue& queue, const Work& work) {
  for (int i = 0; i < 5; ++i) work();
  queue.keep_times();
  for (int i = 0; i < 31; ++i) queue.time_step("run " + std::to_string(i), work);
  std::vector<double> times;
  for (const StepTime& time : queue.take_times()) times.push_back(time.milliseconds);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Calls `run`, or returns 77 if there is no card: test programs treat 77 as skipped.
inline int run_on_card(const char* program, int (*run)()) {
  try {
    return run();
  } catch (const DeviceError& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 77;
  }
}

}  // namespace cuimg
