// SPDX-License-Identifier: Apache-2.0
// A block per row, and a thread per lane of row_sums.h.
#include <algorithm>

#include "compare/metrics/card/card_rows.cuh"
#include "compare/metrics/color_rows.h"
#include "compare/metrics/row_sums.h"
#include "device/cuda/cuda_queue.h"
#include "device/cuda/cuda_rows.cuh"
#include "kernels/compare/lab_difference.h"

namespace cuimg {
namespace {

__device__ inline flip::Triple displayed_pixel(const float* row, int x) {
  const Pixel<4> texel = load<4>(row + 4 * static_cast<std::size_t>(x));
  return flip::displayed(flip::display_light(flip::Triple{texel.v[0], texel.v[1], texel.v[2]}));
}

template <class Difference>
__global__ void __launch_bounds__(row_lanes)
    compare_colors(CudaRows<float, 4> golden, CudaRows<float, 4> result, Difference difference,
                   RowOfColors* rows) {
  __shared__ double sums[row_lanes];
  __shared__ float largests[row_lanes];
  const int row = static_cast<int>(blockIdx.x);
  const float* const a = golden.row(golden.top + row)->v;
  const float* const b = result.row(result.top + row)->v;
  RowOfColors own;
  for (int x = static_cast<int>(threadIdx.x); x < golden.width; x += static_cast<int>(blockDim.x)) {
    const float error = difference(displayed_pixel(a, x), displayed_pixel(b, x));
    own.sum += static_cast<double>(error);
    own.largest = own.largest < error ? error : own.largest;
  }
  own.sum = sum_of_block(own.sum, sums);
  own.largest =
      join_of_block(own.largest, largests, [](float i, float j) { return i < j ? j : i; });
  if (threadIdx.x == 0) rows[row] = own;
}

template <class Difference>
std::vector<RowOfColors> compare_on_card(CudaQueue& card, const DisplayPair& shown,
                                         const Difference& difference) {
  const auto golden = shown.golden_on_card.card().rows_view<float, 4>();
  const DeviceTable<RowOfColors> rows(card, static_cast<std::size_t>(golden.height));
  const auto threads = static_cast<unsigned>(std::max(32, lanes_of_row(golden.width)));
  compare_colors<<<static_cast<unsigned>(golden.height), threads, 0, card.stream()>>>(
      golden, shown.result_on_card.card().rows_view<float, 4>(), difference, rows.data());
  check_launch("compare_colors");
  return rows.to_host();
}

}  // namespace

std::vector<RowOfColors> color_differences_on_cuda(ColorDifference difference,
                                                   const DisplayPair& shown, const Queue& queue) {
  return difference == ColorDifference::delta_e_2000
             ? compare_on_card(queue.card(), shown, DeltaE2000())
             : compare_on_card(queue.card(), shown, OklabHyab());
}

}  // namespace cuimg
