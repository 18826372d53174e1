// SPDX-License-Identifier: Apache-2.0
// Mean and weighted percentiles of a map of errors from 0 to 1, without sorting: each pixel is
// weighted by its error (P. Andersson et al. 2020, section 5).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "compare/metrics/flip_rows.h"
#include "device/queue.h"

namespace cuimg {

/// A map's errors by their upper bits: errors within a bin differ by at most 2 %.
struct ErrorBins {
  std::vector<std::uint64_t> sums;  ///< The sum of each bin's errors, in units of error_bin::unit.
  float minimum = 0, maximum = 0;
  std::uint64_t pixels = 0;
};

class WeightedValues {
 public:
  /// @param queue the map's queue; it and the map must outlive this. @throws DeviceError, as
  /// percentile() does.
  WeightedValues(const FlipMap& map, const Queue& queue);

  double mean() const;
  double minimum() const { return static_cast<double>(bins_.minimum); }
  double maximum() const { return static_cast<double>(bins_.maximum); }
  /// The error up to which smaller errors contribute that share of the sum; 0 if all are 0.
  /// @param percent 0 to 100; 0 is the least error.
  double percentile(double percent) const;

 private:
  ErrorBins bins_;
  std::uint64_t sum_ = 0;
  /// (bin) -> for each of its error_bin::values_each values the number of pixels that have it.
  std::function<std::vector<std::uint32_t>(std::size_t)> counts_;
};

/// @name The same for a map on a card: rows of one float from 0 to 1. @throws DeviceError. @{
ErrorBins error_bins_on_cuda(const Queue& queue, const Frame& map);
std::vector<std::uint32_t> error_counts_on_cuda(const Queue& queue, const Frame& map,
                                                std::size_t bin);
/// @}

}  // namespace cuimg
