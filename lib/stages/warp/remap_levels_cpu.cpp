// SPDX-License-Identifier: Apache-2.0
// remap with mip levels on the CPU, read by the software texture unit.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/mapped_pages.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/mip_sides.h"
#include "kernels/texture/texture_coordinates.h"
#include "kernels/warp/map_level.h"
#include "stages/warp/mip_levels.h"
#include "stages/warp/remap.h"

namespace cuimg {
namespace {

template <int N>
void read_levels(const Queue& queue, const TextureLookup& read, const Frame& source,
                 const Frame& map, const Frame& target) {
  const int width = source.region().width, height = source.region().height;
  const std::vector<Frame> frames =
      make_levels_on_cpu(queue, source.moved_to(0, 0), last_mip_level(width, height));
  const LevelViews<N> views(frames);
  const MipTexture2D<float, N> texture = views.texture();
  const MapReads reads(width, height, level_coordinate_bits(std::max(width, height)),
                       read.sampler.address[0], read.are_normalized);
  const Rect& m = map.region();
  const Rect& t = target.region();
  const auto place = [&](int x, int y) {
    const float* pair = map.pixel_as<float>(m.x + x, m.y + y);
    return MapReads::Place{pair[0], pair[1]};
  };
  queue.for_rows(t, 16, [&](int top, int bottom) {
    MappedPagesCheck pages;
    for (int y = top; y < bottom; ++y)
      for (int x = t.x; x < t.right(); ++x) {
        pages.next();
        const MapRead at = reads.at(place, x - m.x, y - m.y, m.width, m.height);
        const Pixel<N> pixel = sample_level(texture, read.sampler, at.x, at.y, at.level);
        std::memcpy(target.pixel(x, y), pixel.v, sizeof pixel.v);
      }
  });
}

}  // namespace

void read_levels_on_cpu(const Queue& queue, const TextureLookup& read, const Frame& source,
                        const Frame& map, const Frame& target) {
  with_channels(source.format().channels,
                [&](auto n) { read_levels<n()>(queue, read, source, map, target); });
}

}  // namespace cuimg
