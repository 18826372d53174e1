// SPDX-License-Identifier: Apache-2.0
// Trilinear warps on the CPU, read by the software texture unit.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/math/dispatch.h"
#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"
#include "stages/warp/mip_levels.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

template <int N>
void read_levels(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                 const Frame& source, const Frame& target) {
  const std::vector<Frame> frames = make_levels_on_cpu(queue, source, plan.last_level);
  const LevelViews<N> views(frames);
  const MipTexture2D<float, N> texture = views.texture();
  const Sampler sampler = plan.normalized_sampler(layer);
  const int bits = level_coordinate_bits(std::max(plan.texture.width, plan.texture.height));
  const NormalizedAxis columns(plan.texture.width, bits), rows(plan.texture.height, bits);
  const Pixel<N> hidden = decode(border_texel<float, N>(sampler));
  const Rect& t = target.region();
  queue.for_rows(t, 16, [&](int top, int bottom) {
    for (int y = top; y < bottom; ++y) {
      auto* out = target.pixel_as<float>(t.x, y);
      plan.map.visit([&](const auto& map) {
        for (int x = t.x; x < t.right(); ++x, out += N) {
          WarpPosition at;
          WarpDerivative slope;
          const bool seen = map.at(x, y, at, slope);
          const Pixel<N> pixel =
              seen ? sample_level(texture, sampler, columns.coordinate(plan.address, at.x),
                                  rows.coordinate(plan.address, at.y), level_of_detail(slope))
                   : hidden;
          std::memcpy(out, pixel.v, sizeof pixel.v);
        }
      });
    }
  });
}

}  // namespace

void warp_levels_on_cpu(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                        const Frame& source, const Frame& target) {
  with_channels(source.format().channels,
                [&](auto n) { read_levels<n()>(queue, plan, layer, source, target); });
}

}  // namespace cuimg
