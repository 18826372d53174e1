// SPDX-License-Identifier: Apache-2.0
// Warps that shrink, or read cubic: texels are read by point and weighed, over halved pictures
// where many lie under a pixel.
#include <bit>
#include <cstring>

#include "device/cuda/cuda_map_pixels.cuh"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/footprint.h"
#include "kernels/warp/warp_taps.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/warp/warp_cuda.h"

namespace cuimg {
namespace {

template <int N>
Pixel<N> first_channels(const std::array<float, 4>& values) {
  Pixel<N> pixel;
  std::memcpy(pixel.v, values.data(), sizeof pixel.v);
  return pixel;
}

// The source and its halved pictures, read by point.
constexpr int most_levels = std::bit_width(static_cast<unsigned>(largest_side));
template <int N>
struct LevelTextures {
  CudaTexture<N> texture[most_levels];
  Rect extent[most_levels];  ///< See halved_region().
  PartOfTexture part;        ///< What the source is.
  Address address;
  Pixel<N> border;

  __device__ Pixel<N> operator()(int level, int x, int y) const {
    const Rect& r = extent[level];
    const int i = addressed(address, x - r.x, r.width), j = addressed(address, y - r.y, r.height);
    return i == outside || j == outside ? border : texel(level, i, j);
  }
  // A part has no halved pictures.
  __device__ Pixel<N> texel(int level, int i, int j) const {
    return texture[level].texel(i - part.left, j - part.top);
  }
};

template <int N>
struct Halved {
  Rect extent;
  Address address;
  Pixel<N> border;

  __device__ Pixel<N> operator()(const CudaTexture<N>& finer, int x, int y) const {
    return halved_texel<N>(x, y, [&](int u, int v) {
      const int i = addressed(address, u - extent.x, extent.width);
      const int j = addressed(address, v - extent.y, extent.height);
      return i == outside || j == outside ? border : finer.texel(i, j);
    });
  }
};

template <int N>
struct WarpFiltered {
  WarpMap map;
  bool shrinks, cubic, by_unit;
  int last_level;
  CudaTexture<N> linear;

  __device__ Pixel<N> operator()(const LevelTextures<N>& levels, int x, int y) const {
    WarpPosition at;
    WarpDerivative slope;
    bool seen = false;
    map.visit([&](const auto& m) { seen = m.at(x, y, at, slope); });
    if (!seen) return levels.border;
    if (shrinks && !reads_unfiltered(slope))
      return footprint_read<N>(footprint_of(slope, last_level), at, levels);
    const Rect& size = levels.extent[0];
    if (cubic)
      return cubic_read<N>(cubic_taps_at(levels.address, at.x, size.width),
                           cubic_taps_at(levels.address, at.y, size.height),
                           [&](int i, int j) { return texel(levels, i, j); });
    if (by_unit)
      return linear(unit_coordinate(at.x, size.width), unit_coordinate(at.y, size.height));
    return linear_2d_taps<float, N>(
        unit_taps(levels.address, at.x, size.width), unit_taps(levels.address, at.y, size.height),
        [&](int i, int j) { return __builtin_bit_cast(RawTexel, texel(levels, i, j)); });
  }

 private:
  using RawTexel = Texel<float, N>;
  __device__ static Pixel<N> texel(const LevelTextures<N>& levels, int i, int j) {
    return i == outside || j == outside ? levels.border : levels.texel(0, i, j);
  }
};

template <int N>
void read_filtered(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                   const Frame& source, const Frame& target) {
  Sampler point;
  point.filter = Filter::point;
  std::vector<Frame> frames = {source};
  LevelTextures<N> levels{};
  levels.address = plan.address;
  levels.border = first_channels<N>(layer.border);
  levels.extent[0] = {0, 0, plan.texture.width, plan.texture.height};
  levels.part = part_of_texture(plan, source);
  for (int l = 0; l <= plan.last_level; ++l) {
    if (l > 0) {
      const Rect& finer = levels.extent[l - 1];
      FrameFormat format = source.format();
      format.storage = Storage::array;
      format.region = halved_region(finer, plan.address);
      const Frame level = Frame::on_card(format, card.allocate(format));
      map_pixels(card, "warp_halved", Halved<N>{finer, plan.address, levels.border},
                 levels.texture[l - 1], level.card().pixel_target<N>(), format.region);
      frames.push_back(level);
      levels.extent[l] = format.region;
    }
    levels.texture[l] = frames.back().card().texture_view<N>(point);
  }
  const bool by_unit = !plan.is_periodic() && levels.part.is_all && fits_a_float(source) &&
                       card.filters_exactly(PixelType::f32);
  const WarpFiltered<N> warp{plan.map,        plan.shrinks,
                             layer.cubic,     by_unit,
                             plan.last_level, source.card().texture_view<N>(plan.sampler(layer))};
  with_any_target<N>(card, target, [&](const auto& pixels) {
    map_pixels(card, "warp_filtered", warp, levels, pixels, target.region());
  });
}

}  // namespace

void warp_filtered_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                           const Frame& source, const Frame& target) {
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { read_filtered<n()>(card, plan, layer, source, target); });
}

}  // namespace cuimg
