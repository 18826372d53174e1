// SPDX-License-Identifier: Apache-2.0
// Gaussians that are blurred on a coarse grid along at least one axis (gaussian_axis.h). The grid
// begins at the display window's corner, so every part of a picture is made from the same cells. In
// the frames between steps, a coarse axis counts cells and the other axis counts pixels.
#pragma once

#include <memory>
#include <vector>

#include "stages/filter/gaussian_axis.h"
#include "stages/resample/resize_plan.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

/// The data that the steps need for one input.
struct CoarseGaussian {
  GaussianAxis columns, rows;
  BorderSampler borders;
  int left = 0, top = 0;   ///< The grid's corner, in pixels.
  Rect output;             ///< The output's data window.
  ResizePlan expands_all;  ///< The last step for the whole output, whose tables a card keeps.

  Convolution kernel() const { return Convolution::separable(columns.kernel, rows.kernel); }
  /// The blurred texels that the last step reads for a region of the output.
  Rect blurred(const Rect& target) const;
  /// The texels to which the blur is applied for these. @param source the pixels that exist.
  Rect reduced(const Rect& blurred, const Rect& source) const;
  /// The texels around those; on a coarse axis nothing is read there.
  BorderSampler around(const Rect& reduced, const Rect& source) const;
  /// The last step as tables, for a region of the output.
  ResizePlan expansion(const Rect& target) const;
};

/// Makes a blur, or the results that `finish` computes from it. @param columns, rows at least one
/// of them is coarse.
/// @param finish for each layer; ignored for layers of ids.
std::unique_ptr<Operation> make_coarse_gaussian(const Spec& input, Border border,
                                                const GaussianAxis& columns,
                                                const GaussianAxis& rows,
                                                std::vector<Finish> finish, bool raw);

/// @name Filters one layer of floats from source to target, on a device.
/// @param source covers what `plan` reads for the target's region.
/// @{
void blur_on_coarse_grid(const Queue& queue, const CoarseGaussian& plan, const Finish& finish,
                         const Frame& source, const Frame& target);
void blur_on_coarse_grid_on_cuda(const Queue& queue, const CoarseGaussian& plan,
                                 const Finish& finish, const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
