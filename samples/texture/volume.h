// SPDX-License-Identifier: Apache-2.0
// A volume to cut slices from, and its trilinear interpolation.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/math/platform.h"

namespace cuimg::samples {

/// In texel coordinates.
struct Place {
  float x, y, z;
};

/// The value of texel (x, y, z): shells around the middle.
CUIMG_HD inline float shells(int x, int y, int z, int size) {
  const int dx = 2 * x + 1 - size, dy = 2 * y + 1 - size, dz = 2 * z + 1 - size;
  const int phase = (dx * dx + dy * dy + dz * dz) * 64 / (size * size) % 32;
  return static_cast<float>(phase < 16 ? phase : 32 - phase) / 16.0f;
}

/// All texels, front to back.
inline std::vector<float> volume(int size) {
  std::vector<float> texels;
  for (int z = 0; z < size; ++z)
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) texels.push_back(shells(x, y, z, size));
  return texels;
}

/// Trilinear interpolation as in textbooks, with weights of 8 bits along each axis and full
/// precision otherwise.
inline double interpolated(int size, const Place& place) {
  const double position[3] = {place.x - 0.5, place.y - 0.5, place.z - 0.5};
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    int texel[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double low = std::floor(position[axis]);
      const double share = std::floor((position[axis] - low) * 256 + 0.5) / 256;
      const bool far = (corner >> axis & 1) != 0;
      weight *= far ? share : 1 - share;
      texel[axis] = std::clamp(static_cast<int>(low) + far, 0, size - 1);
    }
    sum += weight * shells(texel[0], texel[1], texel[2], size);
  }
  return sum;
}

}  // namespace cuimg::samples
