// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/weighted_values.h"

#include <algorithm>
#include <cstdint>

#include "kernels/math/bits.h"
#include "kernels/math/math.h"

namespace cuimg {
namespace {

// Errors as integers, so that their sum is the same in any order. 2^30 pixels of 1 fit.
constexpr double unit = 0x1p33;
// Of a float from 0 to 1 the upper 18 bits: 2 % apart at most.
constexpr int dropped_bits = 14;
constexpr std::size_t bins = (0x3f800000u >> dropped_bits) + 1;

std::uint64_t whole(float error) {
  return static_cast<std::uint64_t>(static_cast<double>(error) * unit);
}
std::size_t bin_of(float error) { return bits_of(error) >> dropped_bits; }

}  // namespace

WeightedValues::WeightedValues(const std::vector<float>& map, const Queue& queue)
    : map_(map), sums_(bins) {
  if (map.empty()) return;
  // As many parts as fill the threads; sums of integers do not depend on it.
  const int parts = std::max(1, std::min(queue.threads(), static_cast<int>(map.size() >> 16)));
  struct Part {
    std::vector<std::uint64_t> sums;
    float low = 1, high = 0;
  };
  std::vector<Part> all(static_cast<std::size_t>(parts));
  queue.for_each(parts, [&](int p) {
    Part& part = all[static_cast<std::size_t>(p)];
    part.sums.resize(bins);
    const std::size_t from =
        map.size() * static_cast<std::size_t>(p) / static_cast<std::size_t>(parts);
    const std::size_t to =
        map.size() * static_cast<std::size_t>(p + 1) / static_cast<std::size_t>(parts);
    for (std::size_t i = from; i < to; ++i) {
      const float error = std::clamp(map[i], 0.0f, 1.0f);
      part.sums[bin_of(error)] += whole(error);
      part.low = std::min(part.low, error);
      part.high = std::max(part.high, error);
    }
  });
  minimum_ = 1;
  for (const Part& part : all) {
    for (std::size_t b = 0; b < bins; ++b) sums_[b] += part.sums[b];
    minimum_ = std::min(minimum_, part.low);
    maximum_ = std::max(maximum_, part.high);
  }
  for (const std::uint64_t sum : sums_) sum_ += sum;
}

double WeightedValues::mean() const {
  return map_.empty() ? 0 : static_cast<double>(sum_) / unit / static_cast<double>(map_.size());
}

double WeightedValues::percentile(double percent) const {
  if (sum_ == 0) return 0;
  const double wanted = static_cast<double>(sum_) * (percent / 100);
  std::uint64_t before = 0;
  std::size_t bin = 0;
  while (bin + 1 < bins && static_cast<double>(before + sums_[bin]) < wanted)
    before += sums_[bin++];
  std::vector<float> inside;
  for (const float error : map_)
    if (bin_of(std::clamp(error, 0.0f, 1.0f)) == bin) inside.push_back(error);
  std::sort(inside.begin(), inside.end());
  for (const float error : inside) {
    before += whole(error);
    if (static_cast<double>(before) >= wanted) return static_cast<double>(error);
  }
  return inside.empty() ? static_cast<double>(maximum_) : static_cast<double>(inside.back());
}

}  // namespace cuimg
