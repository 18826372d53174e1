// SPDX-License-Identifier: Apache-2.0
// --timing: where a command's time went.
#pragma once

#include <string>
#include <vector>

#include "device/queue.h"

namespace cuimg {

/// Adds up the time of each step over all images.
class TimeSheet {
 public:
  void add(const std::vector<StepTime>& times);
  /// A table of the steps in the order of their first occurrence, and a sentence about the longest.
  /// @param wall_seconds the command's duration. @param threads of the CPU that it may use.
  std::string text(double wall_seconds, int threads) const;

 private:
  struct Row {
    std::string step;
    double milliseconds;
    StepClock clock;
  };
  double sum(bool (*counts)(const Row&)) const;
  std::string bottleneck(double wall_milliseconds, int threads) const;

  std::vector<Row> rows_;
};

/// The name of a clock in reports.
const char* name_of(StepClock clock);

}  // namespace cuimg
