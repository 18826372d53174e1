// SPDX-License-Identifier: Apache-2.0
#include "pipeline/execute/tile_choice.h"

#include <algorithm>

namespace cuimg {

std::vector<TileSize> tile_sizes(const Rect& window) {
  constexpr int largest = 1024, smallest = 16;
  std::vector<TileSize> sizes = {{window.width, band_rows}};
  // Of sizes that the window clips to the same size, the smallest is enough.
  for (int height = largest; height >= smallest; height /= 2) {
    if (height / 2 >= std::max(window.height, smallest)) continue;
    for (int width = largest * largest / height; width >= height; width /= 4)
      if (width / 4 < std::max(window.width, height)) sizes.push_back({width, height});
  }
  return sizes;
}

std::vector<TileSize> card_tile_sizes(const Rect& window) {
  constexpr int largest = 32768, smallest = 16;
  std::vector<TileSize> sizes;
  for (int side = largest; side >= smallest; side /= 2) {
    sizes.push_back({window.width, side});
    sizes.push_back({side, side});
  }
  return sizes;
}

}  // namespace cuimg
