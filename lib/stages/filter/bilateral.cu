// SPDX-License-Identifier: Apache-2.0
// The launches of bilateral. Arithmetic is the limit: about 30 instructions for each tap, whose
// texels are in the first-level cache.
#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/stencil/bilateral_weight.h"
#include "stages/filter/bilateral.h"
#include "stages/filter/convolution_cuda.cuh"

namespace cuimg {
namespace {

// Half a row wide: an array fills sectors of two rows.
constexpr dim3 bilateral_block(16, 16);

struct TapTables {
  const int* half_widths;
  const float* nearness;
  int radius;
  float likeness;
  unsigned colors;
};

// read(dx, dy) gives the texel at that offset from the centre.
template <int N, class Read>
__device__ Pixel<N> weigh(const TapTables& taps, const Read& read) {
  BilateralSum<N> sum{};
  sum.centre = read(0, 0);
  const int width = 2 * taps.radius + 1;
  for (int dy = -taps.radius; dy <= taps.radius; ++dy) {
    const int half = __ldg(taps.half_widths + dy + taps.radius);
    const float* nearness = taps.nearness + (dy + taps.radius) * width + taps.radius;
#pragma unroll 4
    for (int dx = -half; dx <= half; ++dx)
      sum.add(__ldg(nearness + dx), taps.likeness, taps.colors, read(dx, dy));
  }
  return sum.result();
}

template <int N>
__global__ void __launch_bounds__(256)
    bilateral(CudaRows<float, N> source, PixelTarget<N> target, BorderAxis columns, BorderAxis rows,
              TapTables taps) {
  const int left = target.left + static_cast<int>(blockIdx.x * blockDim.x);
  const int top = target.top + static_cast<int>(blockIdx.y * blockDim.y);
  const int x = left + static_cast<int>(threadIdx.x), y = top + static_cast<int>(threadIdx.y);
  if (x >= target.left + target.width || y >= target.top + target.height) return;
  // Blocks whose neighbours are all inside need no border.
  const bool inside =
      left - taps.radius >= source.left && top - taps.radius >= source.top &&
      left + static_cast<int>(blockDim.x) + taps.radius <= source.left + source.width &&
      top + static_cast<int>(blockDim.y) + taps.radius <= source.top + source.height;
  Pixel<N> result;
  if (inside)
    result = weigh<N>(taps, [&](int dx, int dy) { return load(source, x + dx, y + dy); });
  else
    result = weigh<N>(
        taps, [&](int dx, int dy) { return load_or_zero(source, columns(x + dx), rows(y + dy)); });
  target.store_streaming(x, y, result);
}

template <int N>
void launch(CudaQueue& card, const BilateralTaps& taps, const BorderSampler& borders,
            std::uint32_t colors, const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const DeviceTable<int> half_widths(card, taps.half_widths);
  const DeviceTable<float> nearness(card, taps.nearness);
  const TapTables tables{half_widths.data(), nearness.data(), taps.radius, taps.likeness, colors};
  bilateral<N>
      <<<blocks_for(t.width, t.height, bilateral_block), bilateral_block, 0, card.stream()>>>(
          source.card().rows_view<float, N>(), target.card().pixel_target<N>(), borders.columns,
          borders.rows, tables);
  check_launch("bilateral");
}

}  // namespace

void bilateral_on_cuda(const Queue& queue, const BilateralTaps& taps, const BorderSampler& borders,
                       std::uint32_t colors, const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  if (target.empty()) return;
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { launch<n()>(card, taps, borders, colors, source, target); });
}

}  // namespace cuimg
