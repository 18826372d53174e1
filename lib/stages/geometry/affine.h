// SPDX-License-Identifier: Apache-2.0
// Affine warps: of affine and rotate, and of stages that come down to one.
#pragma once

#include <memory>
#include <string>

#include "stages/warp/warp.h"

namespace cuimg {

/// (x, y) goes to (a x + c y + e, b x + d y + f); absolute, pixel centres at halves.
struct AffineMatrix {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;
};
/// Where it only permutes pixels they move as they are.
/// @param place, option for errors. @throws Error: singular, or too far out.
std::unique_ptr<Operation> make_affine(const std::string& place, const std::string& option,
                                       const WarpOptions& p, const Spec& input, const Rect& window,
                                       const AffineMatrix& matrix, bool raw);

}  // namespace cuimg
