// SPDX-License-Identifier: Apache-2.0
// The median without sorting: counts light by the upper 16 bits of its rank among floats, then the
// values of one bin by the lower 16 bits.
#include <vector>

#include "compare/metrics/card/card_rows.cuh"
#include "compare/metrics/light_range.h"
#include "device/cuda/cuda_rows.cuh"
#include "kernels/compare/flip_color.h"

namespace cuimg {
namespace {

struct LightOf {
  __device__ Pixel<1> operator()(const CudaRows<float, 4>& shown, int x, int y) const {
    const Pixel<4> texel = load<4>(shown, x, y);
    return {
        {flip::luminance(flip::display_light(flip::Triple{texel.v[0], texel.v[1], texel.v[2]}))}};
  }
};

constexpr std::size_t bins = 0x10000;
constexpr std::uint32_t key_of_zero = 0x80000000u;

// An integer in the same order as the floats.
__device__ inline std::uint32_t key_of(float x) {
  const std::uint32_t bits = bits_of(x);
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : key_of_zero);
}
float light_of_key(std::uint32_t key) {
  return float_from_bits(key < key_of_zero ? ~key : key ^ key_of_zero);
}

// Counts by the upper bits of keys, or by the lower bits of keys that have these upper bits.
__global__ void count_keys(CudaRows<float, 1> light, bool by_lower, std::uint32_t upper,
                           unsigned* counts) {
  std::uint32_t bin = 0;
  unsigned count = 0;
  for_column_pixels(light, [&](float value) {
    const std::uint32_t key = key_of(value);
    if (by_lower && key >> 16 != upper) return;
    const std::uint32_t next = by_lower ? key & 0xffffu : key >> 16;
    if (next != bin) {
      if (count != 0) atomicAdd(counts + bin, count);
      bin = next, count = 0;
    }
    ++count;
  });
  if (count != 0) atomicAdd(counts + bin, count);
}

// Finds a picture's values by their rank.
class Ranks {
 public:
  Ranks(CudaQueue& card, const Frame& light)
      : card_(card), light_(light), upper_(counted(false, 0)) {}

  /// The float that about `rank` others precede.
  float at(std::uint64_t rank) const {
    const std::uint32_t upper = bin_of(upper_, rank);
    const std::uint32_t lower = bin_of(counted(true, upper), rank);
    return light_of_key(upper << 16 | lower);
  }
  /// The number of values that are at most 0.
  std::uint64_t at_most_zero() const {
    std::uint64_t sum = counted(true, key_of_zero >> 16)[0];
    for (std::size_t bin = 0; bin < key_of_zero >> 16; ++bin) sum += upper_[bin];
    return sum;
  }

 private:
  // @param rank becomes the rank within the bin.
  static std::uint32_t bin_of(const std::vector<unsigned>& counts, std::uint64_t& rank) {
    std::uint32_t bin = 0;
    for (; bin + 1 < bins && rank >= counts[bin]; ++bin) rank -= counts[bin];
    return bin;
  }
  std::vector<unsigned> counted(bool by_lower, std::uint32_t upper) const {
    const std::vector<unsigned> zeros(bins);
    const DeviceTable<unsigned> counts(card_, std::span(zeros));
    count_keys<<<column_pixel_blocks(light_.region()), column_pixel_block, 0, card_.stream()>>>(
        light_.card().rows_view<float, 1>(), by_lower, upper, counts.data());
    check_launch("count_keys");
    return counts.to_host();
  }

  CudaQueue& card_;
  const Frame& light_;
  std::vector<unsigned> upper_;
};

}  // namespace

LightRange light_range_on_cuda(const Queue& queue, const Frame& shown) {
  if (shown.empty()) return {};
  CudaQueue& card = queue.card();
  const Frame light = queue.allocate({shown.region(), PixelType::f32, 1, Storage::pitched});
  map_rows(card, "luminance", LightOf(), shown.card().rows_view<float, 4>(),
           light.card().rows_view<float, 1>());
  const Ranks ranks(card, light);
  const auto pixels = static_cast<std::uint64_t>(shown.region().pixels());
  LightRange range = {ranks.at(pixels - 1), ranks.at(pixels / 2)};
  if (range.brightest > 0 && !(range.median > 0)) {
    const std::uint64_t black = ranks.at_most_zero();
    range.median = ranks.at(black + (pixels - black) / 2);
  }
  return range;
}

}  // namespace cuimg
