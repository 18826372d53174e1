// SPDX-License-Identifier: Apache-2.0
// The pixel that kernels compute with: one to four floats.
#pragma once

namespace cuimg {

/// N float channels, aligned so that nvcc moves 1, 2 or 4 of them in one access.
/// Three channels only exist in host memory; the card stores them as four.
template <int N>
struct alignas(N == 3 ? 4 : 4 * N) Pixel {
  static_assert(N >= 1 && N <= 4);
  static constexpr int channels = N;
  float v[N];
};

}  // namespace cuimg
