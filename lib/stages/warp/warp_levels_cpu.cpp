// SPDX-License-Identifier: Apache-2.0
// Trilinear warps on the CPU: the levels, then reads by the software texture unit.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/mip_halving.h"
#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"
#include "stages/resample/texture_view.h"
#include "stages/warp/warp.h"

namespace cuimg {
namespace {

// @param make (y) of each row.
template <class Make>
void for_each_row(const Queue& queue, const Rect& rows, const Make& make) {
  queue.for_rows(rows, 16, [&](int top, int bottom) {
    for (int y = top; y < bottom; ++y) make(y);
  });
}

template <int N>
Texture2D<float, N> view_of(const Frame& frame) {
  const TextureView2D all = texture_view(frame);
  return {all.data, all.pitch_bytes, all.width, all.height};
}

template <int N>
void halve(const Queue& queue, const Texture2D<float, N>& finer, const Frame& level) {
  const Rect& r = level.region();
  for_each_row(queue, r, [&](int y) {
    for (int x = 0; x < r.width; ++x) {
      const Pixel<N> texel = mip_halved_texel<N>(
          x, y, finer.width, finer.height, [&](int i, int j) { return decode(finer.texel(i, j)); });
      std::memcpy(level.pixel(x, y), texel.v, sizeof texel.v);
    }
  });
}

template <int N>
void read_levels(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                 const Frame& source, const Frame& target) {
  std::vector<Frame> frames = {source};
  std::vector<Texture2D<float, N>> views = {view_of<N>(source)};
  for (int l = 1; l <= plan.last_level; ++l) {
    frames.push_back(Frame::new_host(source.format().over(
        {0, 0, mip_side(plan.texture.width, l), mip_side(plan.texture.height, l)})));
    halve<N>(queue, views.back(), frames.back());
    views.push_back(view_of<N>(frames.back()));
  }
  const MipTexture2D<float, N> texture = {views.data(), plan.last_level + 1};
  const Sampler sampler = plan.normalized_sampler(layer);
  const int bits = level_coordinate_bits(std::max(plan.texture.width, plan.texture.height));
  const NormalizedAxis columns(plan.texture.width, bits), rows(plan.texture.height, bits);
  const Pixel<N> hidden = decode(border_texel<float, N>(sampler));
  const Rect& t = target.region();
  for_each_row(queue, t, [&](int y) {
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
  });
}

}  // namespace

void warp_levels_on_cpu(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                        const Frame& source, const Frame& target) {
  with_channels(source.format().channels,
                [&](auto n) { read_levels<n()>(queue, plan, layer, source, target); });
}

}  // namespace cuimg
