// SPDX-License-Identifier: Apache-2.0
// The forces between bodies, computed by the host in double. For nvcc.
#pragma once

#include <cmath>
#include <limits>

#include "common/card.h"
#include "multi_gpu/pull.h"

namespace cuimg::samples {

/// The maximum difference between a force in float and the exact sum, relative to the sum of the
/// terms' magnitudes. A term has at most 32 roundings of 2^-24 (rsqrtf counts as 4). It passes
/// through one addition for each body of its tile and one for each tile (Higham 2002, section 4.2).
inline double bound_of_sums(std::size_t bodies) {
  const double roundings = 32 + tile + static_cast<double>(bodies) / tile + 1;
  return roundings * 0x1p-24 / (1 - roundings * 0x1p-24);
}

/// The difference between a force and the host's sum in double, as a share of that bound. Infinite
/// for NaN.
inline double share_of_bound(float3 force, int body, const MappedArray<float4>& bodies) {
  double sum[3] = {}, magnitude[3] = {};
  const float4 self = bodies[static_cast<std::size_t>(body)];
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double along[3] = {double{bodies[i].x} - self.x, double{bodies[i].y} - self.y,
                             double{bodies[i].z} - self.z};
    const double far2 =
        along[0] * along[0] + along[1] * along[1] + along[2] * along[2] + double{softening2};
    const double strength = bodies[i].w / (far2 * std::sqrt(far2));
    for (int c = 0; c < 3; ++c) {
      sum[c] += strength * along[c];
      magnitude[c] += strength * std::fabs(along[c]);
    }
  }
  const double bound = bound_of_sums(bodies.size());
  const float values[3] = {force.x, force.y, force.z};
  double worst = 0;
  for (int c = 0; c < 3; ++c) {
    const double share = std::fabs(values[c] - sum[c]) / (bound * magnitude[c]);
    if (!(share <= worst)) worst = share;
    if (!std::isfinite(worst)) return std::numeric_limits<double>::infinity();
  }
  return worst;
}

}  // namespace cuimg::samples
