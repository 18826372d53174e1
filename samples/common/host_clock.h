// SPDX-License-Identifier: Apache-2.0
// The host's clock, for times that events on the card do not include: the cost of calls.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace cuimg::samples {

/// The shortest time of several runs of `work` in microseconds, after one that is not counted.
/// @param work waits for the card itself.
template <class Work>
double best_host_us(int runs, const Work& work) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  work();
  for (int i = 0; i < runs; ++i) {
    const auto begin = Clock::now();
    work();
    const std::chrono::duration<double, std::micro> taken = Clock::now() - begin;
    best = std::min(best, taken.count());
  }
  return best;
}

}  // namespace cuimg::samples
