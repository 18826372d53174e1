// SPDX-License-Identifier: Apache-2.0
// Gaussians of which one axis at least is blurred on a coarse grid (gaussian_axis.h). The grid
// begins at the display window's corner, so that every part of a picture is made from the same
// cells. In frames between the steps a coarse axis counts cells, the other one pixels.
#pragma once

#include <memory>
#include <vector>

#include "stages/filter/gaussian_axis.h"
#include "stages/resample/resize_plan.h"
#include "stages/warp/border_sampler.h"

namespace cuimg {

/// What the steps need to know, for one input.
struct CoarseGaussian {
  GaussianAxis columns, rows;
  BorderSampler borders;
  int left = 0, top = 0;   ///< The grid's corner, in pixels.
  Rect output;             ///< The output's data window.
  ResizePlan expands_all;  ///< The last step for all of it, whose tables a card keeps.

  Convolution kernel() const { return Convolution::separable(columns.kernel, rows.kernel); }
  /// The blurred texels that the last step reads for a region of the output.
  Rect blurred(const Rect& target) const;
  /// The texels that are blurred for them. @param source pixels that there are.
  Rect reduced(const Rect& blurred, const Rect& source) const;
  /// What lies around those; on a coarse axis nothing is read there.
  BorderSampler around(const Rect& reduced, const Rect& source) const;
  /// The last step as tables, for a region of the output.
  ResizePlan expansion(const Rect& target) const;
};

/// Blur, or what `finish` makes of it. @param columns, rows one of them at least is coarse.
/// @param finish for each layer; those of layers of ids are not looked at.
std::unique_ptr<Operation> make_coarse_gaussian(const Spec& input, Border border,
                                                const GaussianAxis& columns,
                                                const GaussianAxis& rows,
                                                std::vector<Finish> finish, bool raw);

/// @name One layer of floats, source to target, on a device.
/// @param source covers what `plan` reads for the target's region.
/// @{
void blur_on_coarse_grid(const Queue& queue, const CoarseGaussian& plan, const Finish& finish,
                         const Frame& source, const Frame& target);
void blur_on_coarse_grid_on_cuda(const Queue& queue, const CoarseGaussian& plan,
                                 const Finish& finish, const Frame& source, const Frame& target);
/// @}

}  // namespace cuimg
