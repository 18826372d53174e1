// SPDX-License-Identifier: Apache-2.0
// --frames: the numbers of a sequence's frames.
#pragma once

#include <string>
#include <vector>

#include "options/parameter.h"

namespace cuimg {

/// "1-100x2,120": frames from FIRST to LAST with a step, and single ones, in the given order.
struct FrameSet {
  struct Run {
    int first = 0, last = 0, step = 1;
    friend bool operator==(const Run&, const Run&) = default;
  };
  std::vector<Run> runs;  ///< Empty: the frames that exist on disk.

  bool empty() const { return runs.empty(); }
  /// All of them, without duplicates.
  std::vector<int> numbers() const;
  friend bool operator==(const FrameSet&, const FrameSet&) = default;
};

void parse_value(const std::string& text, const Range& range, FrameSet& value);
std::string format_value(const FrameSet& value);
constexpr TypeName type_name(const FrameSet&) { return {"frames", "A-BxN,..."}; }

}  // namespace cuimg
