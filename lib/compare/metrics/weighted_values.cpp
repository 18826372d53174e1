// SPDX-License-Identifier: Apache-2.0
#include "compare/metrics/weighted_values.h"

#include <algorithm>

#include "device/on_device.h"
#include "kernels/compare/error_bin.h"
#include "kernels/math/math.h"

namespace cuimg {
namespace {

ErrorBins error_bins(const std::vector<float>& map, const Queue& queue) {
  ErrorBins bins;
  bins.sums.resize(error_bin::count);
  bins.pixels = map.size();
  if (map.empty()) return bins;
  // Enough parts to occupy the threads; sums of integers do not depend on their number.
  const int parts = std::max(1, std::min(queue.threads(), static_cast<int>(map.size() >> 16)));
  struct Part {
    std::vector<std::uint64_t> sums;
    float low = 1, high = 0;
  };
  std::vector<Part> all(static_cast<std::size_t>(parts));
  queue.for_each(parts, [&](int p) {
    Part& part = all[static_cast<std::size_t>(p)];
    part.sums.resize(error_bin::count);
    const std::size_t from =
        map.size() * static_cast<std::size_t>(p) / static_cast<std::size_t>(parts);
    const std::size_t to =
        map.size() * static_cast<std::size_t>(p + 1) / static_cast<std::size_t>(parts);
    for (std::size_t i = from; i < to; ++i) {
      const float error = map[i];
      part.sums[error_bin::of(error)] += error_bin::whole(error);
      part.low = std::min(part.low, error);
      part.high = std::max(part.high, error);
    }
  });
  bins.minimum = 1;
  for (const Part& part : all) {
    for (std::size_t b = 0; b < error_bin::count; ++b) bins.sums[b] += part.sums[b];
    bins.minimum = std::min(bins.minimum, part.low);
    bins.maximum = std::max(bins.maximum, part.high);
  }
  return bins;
}

std::vector<std::uint32_t> error_counts(const std::vector<float>& map, std::size_t bin) {
  std::vector<std::uint32_t> counts(error_bin::values_each);
  for (const float error : map)
    if (error_bin::of(error) == bin) ++counts[error_bin::place(error)];
  return counts;
}

}  // namespace

WeightedValues::WeightedValues(const FlipMap& map, const Queue& queue) {
  const auto on_cpu = [&] {
    bins_ = error_bins(map.on_cpu, queue);
    counts_ = [&map](std::size_t bin) { return error_counts(map.on_cpu, bin); };
  };
  if (map.on_card.empty())
    on_cpu();
  else
    on_device(queue, on_cpu, [&] {
      bins_ = error_bins_on_cuda(queue, map.on_card);
      counts_ = [&map, &queue](std::size_t bin) {
        return error_counts_on_cuda(queue, map.on_card, bin);
      };
    });
  for (const std::uint64_t sum : bins_.sums) sum_ += sum;
}

double WeightedValues::mean() const {
  return bins_.pixels == 0
             ? 0
             : static_cast<double>(sum_) / error_bin::unit / static_cast<double>(bins_.pixels);
}

double WeightedValues::percentile(double percent) const {
  if (sum_ == 0) return 0;
  // Errors of 0 have no weight: any share of the sum is reached after them.
  if (percent <= 0) return minimum();
  const double wanted = static_cast<double>(sum_) * (percent / 100);
  std::uint64_t before = 0;
  std::size_t bin = 0;
  while (bin + 1 < error_bin::count && static_cast<double>(before + bins_.sums[bin]) < wanted)
    before += bins_.sums[bin++];
  double last = maximum();
  const std::vector<std::uint32_t> counts = counts_(bin);
  for (std::uint32_t place = 0; place < counts.size(); ++place) {
    if (counts[place] == 0) continue;
    const float error = error_bin::value(static_cast<std::uint32_t>(bin), place);
    last = static_cast<double>(error);
    before += counts[place] * error_bin::whole(error);
    if (static_cast<double>(before) >= wanted) break;
  }
  return last;
}

}  // namespace cuimg
