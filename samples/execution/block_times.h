// SPDX-License-Identifier: Apache-2.0
// Where and when each block ran, and how many were under way at once.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace cuimg::samples {

struct BlockReport {
  unsigned multiprocessor, runs;
  long long begin_clock, end_clock;
  unsigned long long begin_ns, end_ns;
};

/// The most blocks that were under way at once on one multiprocessor.
inline int most_at_once(const std::vector<BlockReport>& blocks) {
  std::map<unsigned, std::vector<std::pair<long long, int>>> changes;  // by clock, ends first
  for (const BlockReport& block : blocks) {
    changes[block.multiprocessor].push_back({block.begin_clock, 1});
    changes[block.multiprocessor].push_back({block.end_clock, -1});
  }
  int most = 0;
  for (auto& [multiprocessor, of_one] : changes) {
    std::ranges::sort(of_one);
    int present = 0;
    for (const auto& [clock, change] : of_one) most = std::max(most, present += change);
  }
  return most;
}

}  // namespace cuimg::samples
