// SPDX-License-Identifier: Apache-2.0
// Affine warps, for affine, rotate and stages that reduce to an affine warp.
#pragma once

#include <memory>
#include <string>

#include "stages/warp/warp.h"

namespace cuimg {

/// (x, y) goes to (a x + c y + e, b x + d y + f), in absolute coordinates with pixel centres at
/// halves.
struct AffineMatrix {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
};

/// The option that gives a matrix, for errors.
struct MatrixSource {
  std::string stage, option;
};

/// If the map only permutes pixels, their values are copied unchanged.
/// @throws Error if it is singular, or positions are too far out.
std::unique_ptr<Operation> make_affine(const MatrixSource& from, const WarpOptions& p,
                                       const Spec& input, const Rect& window,
                                       const AffineMatrix& matrix, bool raw);

}  // namespace cuimg
