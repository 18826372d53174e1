// SPDX-License-Identifier: Apache-2.0
// Convolution for blur, unsharp and convolve: weighted sums over a neighbourhood, the same for
// every pixel. Weights are applied as written, without flipping the kernel.
#pragma once

#include <memory>
#include <vector>

#include "kernels/stencil/convolved_pixel.h"
#include "stages/window/stencil.h"

namespace cuimg {

/// A run of weights: pixel i becomes the sum over k of weights[k] * pixel[i + low + k]. No weight
/// is zero.
struct AxisKernel {
  int low = 0;
  std::vector<float> weights = {1.0f};

  int taps() const { return static_cast<int>(weights.size()); }
  int high() const { return low + taps() - 1; }
  bool is_identity() const { return low == 0 && taps() == 1 && weights.front() == 1.0f; }
};

/// A run in a row of a kernel: `taps` weights, beginning at index `first` of Convolution::weights,
/// apply to the pixels from (low, y) on, relative to the output pixel. No weight is zero: a zero
/// weight reads nothing, not even a NaN.
struct KernelRow {
  int y, low, taps, first;
};

/// First a pass down the columns, then the rows of a kernel from the top, tap by tap from the left.
/// With one row these are the two passes of a separable kernel; if the first pass is the identity,
/// the rows can form any kernel.
struct Convolution {
  AxisKernel vertical;
  std::vector<KernelRow> rows;
  std::vector<float> weights;

  static Convolution separable(const AxisKernel& horizontal, const AxisKernel& vertical);
  bool is_separable() const { return rows.size() == 1 && rows.front().y == 0; }
  Reach reach() const;
};

/// @param finish for each layer; ignored for layers of ids.
std::unique_ptr<Operation> make_convolution(const Spec& input, Border border, Convolution kernel,
                                            std::vector<Finish> finish, bool raw);

/// @name Filters one layer of floats from source to target, on a device.
/// @param source covers what `kernel` reads for the target's region.
/// @{
void convolve_on_cpu(const Convolution& kernel, const BorderSampler& borders, const Finish& finish,
                     const Frame& source, const Frame& target);
void convolve_on_cuda(const Queue& queue, const Convolution& kernel, const BorderSampler& borders,
                      const Finish& finish, const Frame& source, const Frame& target);
/// @}

/// On the CPU: replaces the sums in target by the results, in place.
/// @param source of the originals, which count as zero where it has none.
void finish_on_cpu(const Finish& finish, const Frame& source, const Frame& target);

}  // namespace cuimg
