// SPDX-License-Identifier: Apache-2.0
// Chooses the levels between which an environment map is read.
#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/texture/mip_sides.h"
#include "kernels/warp/env_level.h"
#include "stages/geometry/envmap.h"
#include "stages/warp/mip_levels.h"

namespace cuimg {
namespace {

struct Steps {
  double least, most;  ///< The longer of two steps, in texels.
};

// Searched on a grid that comes near corners and middles of faces, where layouts have their
// extremes.
Steps longest_steps(const EnvmapPlan& plan, const Rect& output) {
  static constexpr int steps = 64;
  Steps result = {HUGE_VAL, 0};
  const auto along = [](int size, int step) {
    return static_cast<int>(std::int64_t{size - 1} * step / steps);
  };
  for (int j = 0; j <= steps; ++j)
    for (int i = 0; i <= steps; ++i) {
      const EnvPixel pixel =
          env_pixel_at(plan.to.layout, along(output.width, i), along(output.height, j));
      if (pixel.face < 0) continue;
      const WarpDerivative texels = env_level_steps(plan.to, plan.from, pixel);
      const double longer = std::max(texels.xx, texels.xy);
      result = {std::min(result.least, longer), std::max(result.most, longer)};
    }
  return result;
}

}  // namespace

void plan_levels(EnvmapPlan& plan, const Rect& output) {
  const Steps steps = longest_steps(plan, output);
  if (steps.most <= double{largest_unfiltered}) return;
  const int width = plan.from.width, height = plan.from.height;
  require_mip_sides(plan.faces() > 1 ? "a face" : "the picture", width, height);
  // A margin for steps between the grid's pixels, which may be somewhat longer or shorter.
  const auto most = static_cast<unsigned>(1.5 * steps.most);
  plan.last_level = std::min(static_cast<int>(std::bit_width(most)), last_mip_level(width, height));
  plan.first_level = plan.last_level > 0 && steps.least >= 2 * 1.25 ? 1 : 0;
}

}  // namespace cuimg
