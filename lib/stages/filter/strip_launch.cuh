// SPDX-License-Identifier: Apache-2.0
// Launches kernels that move down strips, for any pixels.
#pragma once

#include <algorithm>

#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_queue.h"
#include "stages/filter/convolution.h"
#include "stages/window/narrow_strips.cuh"

namespace cuimg {

constexpr int most_strip_taps = 15;  // sums in registers

template <int T>
StripKernel<T> strip_kernel(const Convolution& kernel) {
  StripKernel<T> weights;
  std::copy_n(kernel.weights.begin(), T, weights.horizontal);
  std::copy_n(kernel.vertical.weights.begin(), T, weights.vertical);
  weights.low_x = kernel.rows.front().low;
  weights.low_y = kernel.vertical.low;
  return weights;
}

/// Whether sums of values from 0 to 1 are from 0 to about 1, and, of values of 8 or 16 bits, 0 or
/// at least 2^-60.
template <int T>
bool is_plain_mean(const StripKernel<T>& kernel) {
  const auto is_plain = [](const float(&weights)[T]) {
    double sum = 0;
    for (const float weight : weights) {
      if (weight != 0.0f && !(weight >= 0x1p-20f)) return false;
      sum += static_cast<double>(weight);
    }
    return sum <= 1 + 0x1p-20;
  };
  return is_plain(kernel.horizontal) && is_plain(kernel.vertical);
}

/// Launches a strip kernel with its own arguments.
/// @param bytes of shared memory. @param rows_at_once from one of its barriers to the next.
template <int T, class Kernel, class Launch>
void launch_strips(CudaQueue& card, const Frame& target, std::size_t bytes, int width, int at_once,
                   int rows_at_once, Kernel* kernel, const Launch& launch,
                   const StripHeights& heights = {}) {
  const Rect& t = target.region();
  const int strips = (t.width + width - 1) / width;
  StripCuts cuts = cuts_of_strips(strips, t.height, T - 1, at_once * card.multiprocessors(),
                                  rows_at_once, heights);
  // A strip's pairs of rows are those of an array's sectors.
  if (target.card().is_array()) cuts.high += cuts.high % 2, cuts.low += cuts.low % 2;
  const dim3 grid(static_cast<unsigned>(strips), static_cast<unsigned>(cuts.parts(t.height)));
  if (bytes > shared_bytes_without_asking)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
  launch(grid, cuts);
  check_launch("convolve_strip");
}

}  // namespace cuimg
