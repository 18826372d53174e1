// SPDX-License-Identifier: Apache-2.0
// Artificial work whose amount per element can be chosen. For nvcc.
#pragma once

#include "common/card.h"

namespace cuimg::samples {

/// One cycle of work, exact in 32 bits: multiply by a factor and add an increment. Both are kernel
/// arguments. If they were constants, nvcc would merge several cycles into one instruction: two of
/// the book's additions, or four of these steps.
struct Cycle {
  unsigned factor = 1664525, increment = 1013904223;
};

/// Each thread works on `unroll` elements at a time.
template <int unroll>
__global__ void churn(unsigned* out, const unsigned* in, std::size_t count, int cycles,
                      Cycle cycle) {
  const std::size_t step = std::size_t{unroll} * gridDim.x * blockDim.x;
  for (std::size_t i = std::size_t{unroll} * blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += step) {
    unsigned values[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::size_t at = i + static_cast<std::size_t>(u) * blockDim.x;
      values[u] = at < count ? in[at] : 0;
    }
    for (int done = 0; done < cycles; ++done) {
#pragma unroll
      for (int u = 0; u < unroll; ++u) values[u] = values[u] * cycle.factor + cycle.increment;
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::size_t at = i + static_cast<std::size_t>(u) * blockDim.x;
      if (at < count) out[at] = values[u];
    }
  }
}

/// Whether `out` is `in` after that many cycles. They equal one cycle with another factor and
/// another increment.
inline bool is_churned(const MappedArray<unsigned>& in, const MappedArray<unsigned>& out,
                       int cycles) {
  const Cycle one;
  Cycle all{1, 0};
  for (int i = 0; i < cycles; ++i)
    all = {all.factor * one.factor, all.increment * one.factor + one.increment};
  std::size_t right_ones = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    right_ones += out[i] == in[i] * all.factor + all.increment;
  return right_ones == in.size();
}

}  // namespace cuimg::samples
