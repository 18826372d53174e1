// SPDX-License-Identifier: Apache-2.0
// The sizes of the levels of a mipmapped picture.
#pragma once

#include "kernels/math/platform.h"

namespace cuimg {

/// Every card from compute capability 7.5 on supports mipmapped arrays of this size.
inline constexpr int longest_mip_side = 32768;

/// The length of a level's side.
CUIMG_HD constexpr int mip_side(int side, int level) {
  const int halved = side >> level;
  return halved > 1 ? halved : 1;
}

/// The last level of a full chain: the first one with a single texel.
constexpr int last_mip_level(int width, int height) {
  int level = 0;
  while (mip_side(width, level) > 1 || mip_side(height, level) > 1) ++level;
  return level;
}

}  // namespace cuimg
