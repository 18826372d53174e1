// SPDX-License-Identifier: Apache-2.0
// Code that convolution's kernels share: neighbours read by the border's rule, and overlapping
// sums.
#pragma once

#include "device/cuda/cuda_rows.cuh"
#include "kernels/stencil/convolved_pixel.h"
#include "kernels/stencil/resample.h"
#include "kernels/texture/border.h"
#include "stages/filter/convolution.h"

namespace cuimg {

/// The pixel at an index that a BorderAxis gave for each axis; zero for `nothing`.
template <int N>
__device__ inline Pixel<N> load_or_zero(const CudaRows<float, N>& rows, int x, int y) {
  if (x == BorderAxis::nothing || y == BorderAxis::nothing) return {};
  return load(rows, x, y);
}

/// The original that Finish needs at (x, y); zero outside the source.
template <int N>
__device__ inline Pixel<N> original_at(const Finish& finish, const CudaRows<float, N>& source,
                                       int x, int y) {
  if (finish.needs_original() && x >= source.left && x < source.left + source.width &&
      y >= source.top && y < source.top + source.height)
    return load(source, x, y);
  return {};
}

/// The result of Finish for a sum at (x, y).
template <int N>
__device__ inline Pixel<N> finished(const Finish& finish, const CudaRows<float, N>& source, int x,
                                    int y, const Pixel<N>& sum) {
  if (finish.is_nothing()) return sum;
  return finish(sum, original_at(finish, source, x, y));
}

/// R neighbouring sums over `taps` weights each: sum j begins at input j. An input is read once and
/// added to all the sums that use it, to each in the order of its taps.
/// @param read (int input) -> Pixel<N>. @param weights the same for all threads of a warp.
template <int N, int R, class Read>
__device__ inline void add_window(const Read& read, const float* weights, int taps,
                                  TapSum<N> (&sums)[R]) {
  if (taps < R) {
    for (int i = 0; i < taps + R - 1; ++i) {
      const Pixel<N> texel = read(i);
#pragma unroll
      for (int j = 0; j < R; ++j)
        if (i - j >= 0 && i - j < taps) sums[j].add(__ldg(weights + (i - j)), texel);
    }
    return;
  }
  float window[R];  // window[j] is the weight of the current input in sum j
#pragma unroll
  for (int i = 0; i < R - 1; ++i) {
    const Pixel<N> texel = read(i);
#pragma unroll
    for (int j = R - 1; j > 0; --j) window[j] = window[j - 1];
    window[0] = __ldg(weights + i);
#pragma unroll
    for (int j = 0; j <= i; ++j) sums[j].add(window[j], texel);
  }
#pragma unroll 8
  for (int i = R - 1; i < taps; ++i) {
    const Pixel<N> texel = read(i);
#pragma unroll
    for (int j = R - 1; j > 0; --j) window[j] = window[j - 1];
    window[0] = __ldg(weights + i);
#pragma unroll
    for (int j = 0; j < R; ++j) sums[j].add(window[j], texel);
  }
#pragma unroll
  for (int i = 0; i < R - 1; ++i) {
    const Pixel<N> texel = read(taps + i);
#pragma unroll
    for (int j = R - 1; j > 0; --j) window[j] = window[j - 1];
#pragma unroll
    for (int j = i + 1; j < R; ++j) sums[j].add(window[j], texel);
  }
}

/// Whether convolve_in_strips() converts the frames' stored forms, if they have any.
bool converts_in_strips(CudaQueue& card, const Finish& finish, const Frame& source,
                        const Frame& target);

/// For a separable kernel whose two passes have the same odd number of taps, if the code is
/// compiled for that number. @returns whether it was; then target is complete. @throws DeviceError.
bool convolve_in_strips(CudaQueue& card, const Convolution& kernel, const BorderSampler& borders,
                        const Finish& finish, const Frame& source, const Frame& target);

/// The same for one channel, if the kernel is known to be of this kind and the frames' forms are
/// converted in strips.
void convolve_grey_in_strips(CudaQueue& card, const Convolution& kernel,
                             const BorderSampler& borders, const Finish& finish,
                             const Frame& source, const Frame& target);

}  // namespace cuimg
