// SPDX-License-Identifier: Apache-2.0
// The environment map that is made: its layout and rotation.
#pragma once

#include "kernels/math/platform.h"
#include "kernels/math/vector3.h"
#include "kernels/warp/env_layout.h"

namespace cuimg {

struct EnvOutput {
  EnvLayout layout;
  bool is_turned = false;  ///< If false the matrix is ignored.
  /// Rows of the matrix from a direction of the layout to one of the source. Computed on the host
  /// in double; for right angles its numbers are 1, 0 and -1, so that turning is exact.
  Vector3 turn[3] = {};

  /// As in the layout, but for the source.
  CUIMG_HD Vector3 direction(int face, int x, int y, EnvOffset offset = {}) const {
    return turned(layout.direction(face, x, y, offset));
  }
  CUIMG_HD Vector3 ray(int face, int x, int y, EnvOffset offset = {}) const {
    return turned(layout.ray(face, x, y, offset));
  }

 private:
  CUIMG_HD Vector3 turned(const Vector3& d) const {
    return is_turned ? Vector3{dot(turn[0], d), dot(turn[1], d), dot(turn[2], d)} : d;
  }
};

}  // namespace cuimg
