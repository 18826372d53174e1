// SPDX-License-Identifier: Apache-2.0
// Mean and weighted percentiles of a map of errors from 0 to 1, without sorting it: each pixel
// weighs as much as its error (P. Andersson et al. 2020, section 5).
#pragma once

#include <vector>

#include "device/queue.h"

namespace cuimg {

class WeightedValues {
 public:
  /// @param map errors from 0 to 1; must outlive this.
  WeightedValues(const std::vector<float>& map, const Queue& queue);

  double mean() const;
  double minimum() const { return static_cast<double>(minimum_); }
  double maximum() const { return static_cast<double>(maximum_); }
  /// The error up to which the smaller ones add up to that share of the sum; 0 of zeros.
  /// @param percent 0 to 100.
  double percentile(double percent) const;

 private:
  const std::vector<float>& map_;
  std::vector<std::uint64_t> sums_;  ///< By the upper bits of the error, in 2^-33.
  std::uint64_t sum_ = 0;
  float minimum_ = 0, maximum_ = 0;
};

}  // namespace cuimg
