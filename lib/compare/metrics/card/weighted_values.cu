// SPDX-License-Identifier: Apache-2.0
// Sorts a map's errors into bins on a card, with integer additions, whose order does not matter.
#include <algorithm>
#include <limits>

#include "compare/metrics/card/card_rows.cuh"
#include "compare/metrics/weighted_values.h"
#include "kernels/compare/error_bin.h"

namespace cuimg {
namespace {

using BinSum = unsigned long long;

// @param ends the bits of the lowest and of the highest error, which are ordered like the errors.
__global__ void add_to_bins(CudaRows<float, 1> map, BinSum* sums, unsigned* ends) {
  std::uint32_t bin = 0;
  BinSum sum = 0;
  unsigned low = 0xffffffffu, high = 0;
  for_column_pixels(map, [&](float error) {
    const std::uint32_t next = error_bin::of(error);
    if (next != bin) {
      if (sum != 0) atomicAdd(sums + bin, sum);
      bin = next, sum = 0;
    }
    sum += error_bin::whole(error);
    const unsigned bits = bits_of(error);
    low = bits < low ? bits : low;
    high = bits > high ? bits : high;
  });
  if (sum != 0) atomicAdd(sums + bin, sum);
  if (low <= high) {
    // Most blocks change neither.
    if (low < ends[0]) atomicMin(ends, low);
    if (high > ends[1]) atomicMax(ends + 1, high);
  }
}

__global__ void count_in_bin(CudaRows<float, 1> map, std::uint32_t bin, unsigned* counts) {
  std::uint32_t place = 0;
  unsigned count = 0;
  for_column_pixels(map, [&](float error) {
    if (error_bin::of(error) != bin) return;
    const std::uint32_t next = error_bin::place(error);
    if (next != place) {
      if (count != 0) atomicAdd(counts + place, count);
      place = next, count = 0;
    }
    ++count;
  });
  if (count != 0) atomicAdd(counts + place, count);
}

}  // namespace

ErrorBins error_bins_on_cuda(const Queue& queue, const Frame& map) {
  CudaQueue& card = queue.card();
  const std::vector<BinSum> zeros(error_bin::count);
  const unsigned none[] = {std::numeric_limits<unsigned>::max(), 0};
  const DeviceTable<BinSum> sums(card, std::span(zeros));
  const DeviceTable<unsigned> ends(card, std::span(none));
  add_to_bins<<<column_pixel_blocks(map.region()), column_pixel_block, 0, card.stream()>>>(
      map.card().rows_view<float, 1>(), sums.data(), ends.data());
  check_launch("add_to_bins");
  const std::vector<BinSum> found = sums.to_host();
  const std::vector<unsigned> found_ends = ends.to_host();
  ErrorBins bins;
  bins.sums.assign(found.begin(), found.end());
  bins.minimum = float_from_bits(found_ends[0]);
  bins.maximum = float_from_bits(found_ends[1]);
  bins.pixels = static_cast<std::uint64_t>(map.region().pixels());
  return bins;
}

std::vector<std::uint32_t> error_counts_on_cuda(const Queue& queue, const Frame& map,
                                                std::size_t bin) {
  CudaQueue& card = queue.card();
  const std::vector<unsigned> zeros(error_bin::values_each);
  const DeviceTable<unsigned> counts(card, std::span(zeros));
  count_in_bin<<<column_pixel_blocks(map.region()), column_pixel_block, 0, card.stream()>>>(
      map.card().rows_view<float, 1>(), static_cast<std::uint32_t>(bin), counts.data());
  check_launch("count_in_bin");
  return counts.to_host();
}

}  // namespace cuimg
