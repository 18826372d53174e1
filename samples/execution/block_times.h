// SPDX-License-Identifier: Apache-2.0
// Where and when each block ran, and how many ran at the same time.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/plot.h"

namespace cuimg::samples {

struct BlockReport {
  unsigned multiprocessor, runs;
  long long begin_clock, end_clock;
  unsigned long long begin_ns, end_ns;
};

/// The most blocks that ran at the same time on one multiprocessor.
inline int most_at_once(const std::vector<BlockReport>& blocks) {
  std::map<unsigned, std::vector<std::pair<long long, int>>> changes;  // by clock, with ends first
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

/// The beginning and end of each block. @param first_ns the beginning of the first.
inline LinePlot plot_of(const std::vector<BlockReport>& blocks, unsigned long long first_ns,
                        std::string title) {
  const auto us_after = [&](unsigned long long ns) {
    return static_cast<double>(ns - first_ns) / 1e3;
  };
  Line begins{"begins", {}}, ends{"ends", {}};
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    begins.points.emplace_back(static_cast<double>(b), us_after(blocks[b].begin_ns));
    ends.points.emplace_back(static_cast<double>(b), us_after(blocks[b].end_ns));
  }
  return {std::move(title), "block", "us after the first began", {begins, ends}};
}

}  // namespace cuimg::samples
