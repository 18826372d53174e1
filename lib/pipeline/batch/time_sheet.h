// SPDX-License-Identifier: Apache-2.0
// --timing: where a command's time went.
#pragma once

#include <string>
#include <vector>

#include "device/queue.h"

namespace cuimg {

/// Sums each step over the images.
class TimeSheet {
 public:
  void add(const std::vector<StepTime>& times);
  /// A table of the steps, in the order in which they came first, and a sentence on what took most.
  /// @param wall_seconds the command's. @param threads of the CPU that it may use.
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
