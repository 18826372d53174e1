// SPDX-License-Identifier: Apache-2.0
// Halves pictures on the CPU.
#include "stages/warp/mip_levels.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/message_text.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/mip_sides.h"
#include "kernels/warp/mip_halving.h"

namespace cuimg {
namespace {

template <int N>
void halve(const Queue& queue, const Texture2D<float, N>& finer, const Frame& level) {
  const Rect& r = level.region();
  queue.for_rows(r, 16, [&](int top, int bottom) {
    for (int y = top; y < bottom; ++y)
      for (int x = 0; x < r.width; ++x) {
        const Pixel<N> texel =
            mip_halved_texel<N>(x, y, finer.width, finer.height,
                                [&](int i, int j) { return decode(finer.texel(i, j)); });
        std::memcpy(level.pixel(x, y), texel.v, sizeof texel.v);
      }
  });
}

}  // namespace

void require_mip_sides(const std::string& what, int width, int height) {
  if (std::max(width, height) <= longest_mip_side) return;
  throw Error("--filter trilinear",
              what + " has " + size_text(width, height) +
                  " pixels; the sides of a mipmapped texture have at most " +
                  std::to_string(longest_mip_side),
              "use --filter linear");
}

std::vector<Frame> make_levels_on_cpu(const Queue& queue, const Frame& picture, int last_level) {
  std::vector<Frame> levels = {picture};
  const int width = picture.region().width, height = picture.region().height;
  with_channels(picture.format().channels, [&](auto n) {
    for (int l = 1; l <= last_level; ++l) {
      const Rect region = {0, 0, mip_side(width, l), mip_side(height, l)};
      levels.push_back(Frame::new_host(picture.format().over(region)));
      halve<n()>(queue, float_texture<n()>(levels[levels.size() - 2]), levels.back());
    }
  });
  return levels;
}

}  // namespace cuimg
