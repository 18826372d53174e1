// SPDX-License-Identifier: Apache-2.0
// Warps that shrink the picture or use the cubic filter: texels are loaded from rows and weighted.
// If a pixel covers many texels, they are read from a halved picture.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "device/cuda/cuda_map_pixels.cuh"
#include "device/cuda/cuda_rows.cuh"
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

// The source and its halved pictures, in rows.
constexpr int most_levels = std::bit_width(static_cast<unsigned>(largest_side));
template <int N>
struct LevelRows {
  struct Level {
    CudaRows<float, N> rows;  ///< Possibly only a part of the picture,
    TexelBox box;             ///< whose whole extent is this: see halved_region().
    LevelScale scale;
  };
  Level level[most_levels];
  Address address;
  std::uint32_t even_levels;  ///< A bit for each.
  bool has_border;
  Pixel<N> border_color;

  __device__ TexelBox box(int l) const { return level[l].box; }
  __device__ bool is_even(int l) const { return (even_levels >> l & 1) != 0; }
  __device__ const LevelScale& scale(int l) const { return level[l].scale; }
  __device__ const Pixel<N>* border() const { return has_border ? &border_color : nullptr; }
  __device__ auto row(int l, int x, int y) const {
    const CudaRows<float, N>& rows = level[l].rows;
    return [from = rows.row(y)[x - rows.left].v](int i) {
      return load<N>(from + std::ptrdiff_t{N} * i);
    };
  }
  __device__ Pixel<N> operator()(int l, int x, int y) const {
    const TexelBox& b = level[l].box;
    const int i = addressed(address, x - b.left, b.right - b.left);
    const int j = addressed(address, y - b.top, b.bottom - b.top);
    return i == outside || j == outside ? border_color
                                        : load<N>(level[l].rows, b.left + i, b.top + j);
  }
};

template <int N>
struct Halved {
  int finer;
  int width, height;  ///< Of the finer picture, without margins.
  __device__ Pixel<N> operator()(const LevelRows<N>& levels, int x, int y) const {
    const TentTaps columns(x, width), rows(y, height);
    const TexelBox box = {columns.first, rows.first, columns.first + 4, rows.first + 4};
    if (levels.box(finer).holds(box))
      return halved_texel<N>(columns, rows,
                             [&](int u, int v) { return levels.row(finer, u, v)(0); });
    return halved_texel<N>(columns, rows, [&](int u, int v) { return levels(finer, u, v); });
  }
};

// Reads a pixel where the picture does not shrink: through the texture unit, or cubic.
template <bool cubic, int N>
struct UnfilteredRead {
  bool by_unit;
  CudaTexture<N> linear;

  __device__ Pixel<N> operator()(const LevelRows<N>& levels, const WarpPosition& at) const {
    const int width = levels.level[0].box.right, height = levels.level[0].box.bottom;
    const auto texel = [&](int i, int j) { return load<N>(levels.level[0].rows, i, j); };
    const auto any = [&](int i, int j) {
      return i == outside || j == outside ? levels.border_color : texel(i, j);
    };
    if constexpr (cubic) {
      const Address address[2] = {levels.address, levels.address};
      return cubic_read<N>(cubic_axis_at(at.x), cubic_axis_at(at.y), address, true, width, height,
                           texel, any);
    } else {
      if (by_unit) return linear(unit_coordinate(at.x, width), unit_coordinate(at.y, height));
      using RawTexel = Texel<float, N>;
      return linear_2d_taps<float, N>(
          unit_taps(levels.address, at.x, width), unit_taps(levels.address, at.y, height),
          [&](int i, int j) { return __builtin_bit_cast(RawTexel, any(i, j)); });
    }
  }
};

template <class Map, bool cubic, int N>
struct WarpFiltered {
  Map map;
  bool shrinks;
  int last_level;
  UnfilteredRead<cubic, N> unfiltered;

  WarpFiltered(const Map& any, const LevelRows<N>&, bool shrinks_somewhere, int last,
               const UnfilteredRead<cubic, N>& read)
      : map(any), shrinks(shrinks_somewhere), last_level(last), unfiltered(read) {}
  __device__ Pixel<N> operator()(const LevelRows<N>& levels, int x, int y) const {
    WarpPosition at;
    WarpDerivative slope;
    if (!map.at(x, y, at, slope)) return levels.border_color;
    if (shrinks && !reads_unfiltered(slope))
      return footprint_read<N>(footprint_of(slope, last_level), at, levels);
    return unfiltered(levels, at);
  }
};

// All pixels of an affine map have the same footprint.
template <bool cubic, int N>
struct WarpFiltered<AffineMap, cubic, N> {
  AffineMap map;
  bool shrinks, is_even;
  Footprint ellipse;
  LevelScale scale;
  UnfilteredRead<cubic, N> unfiltered;

  WarpFiltered(const AffineMap& affine, const LevelRows<N>& levels, bool shrinks_at_all,
               int last_level, const UnfilteredRead<cubic, N>& read)
      : map(affine),
        shrinks(shrinks_at_all && !reads_unfiltered(affine.slope)),
        ellipse(footprint_of(affine.slope, last_level)),
        scale(levels.level[ellipse.level].scale),
        unfiltered(read) {
    is_even = scale.is_even();
    ellipse = on_level(ellipse, scale);
  }
  __device__ Pixel<N> operator()(const LevelRows<N>& levels, int x, int y) const {
    WarpPosition at;
    map.at(x, y, at);
    if (!shrinks) return unfiltered(levels, at);
    return footprint_read_at<N>(ellipse, is_even ? halved_position(at, ellipse.level) : scale(at),
                                levels);
  }
};

TexelBox box_of(const Rect& r) { return {r.x, r.y, r.right(), r.bottom()}; }

template <bool cubic, int N>
void read_levels(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                 const Frame& source, const LevelRows<N>& levels, const Frame& target) {
  const bool by_unit = !plan.is_periodic() && part_of_texture(plan, source).is_all &&
                       fits_a_float(source) && card.filters_exactly(PixelType::f32);
  UnfilteredRead<cubic, N> unfiltered{by_unit, {}};
  if (by_unit && !cubic) unfiltered.linear = source.card().texture_view<N>(plan.sampler(layer));
  plan.map.visit([&](const auto& map) {
    using Map = std::remove_cvref_t<decltype(map)>;
    const WarpFiltered<Map, cubic, N> warp(map, levels, plan.shrinks, plan.last_level, unfiltered);
    // An affine map costs so little that testing for a stored form at run time would slow it.
    if constexpr (std::is_same_v<Map, AffineMap>)
      if (target.stored_form() == nullptr)
        return map_pixels(card, "warp_filtered", warp, levels, target.card().pixel_target<N>(),
                          target.region());
    map_pixels(card, "warp_filtered", warp, levels, form_target<N>(card, target), target.region());
  });
}

template <int N>
void read_filtered(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                   const Frame& source, const Frame& target) {
  const PartOfTexture part = part_of_texture(plan, source);
  std::vector<Frame> frames = {source};
  LevelRows<N> levels{};
  levels.address = plan.address;
  levels.has_border = plan.address == Address::border;
  levels.border_color = first_channels<N>(layer.border);
  const int width = plan.texture.width, height = plan.texture.height;
  Rect extent = {0, 0, width, height};
  for (int l = 0; l <= plan.last_level; ++l) {
    if (l > 0) {
      extent = halved_region(extent, plan.address);
      FrameFormat format = source.format();
      format.region = extent;
      const Frame level = Frame::on_card(format, card.allocate(format));
      const Halved<N> halved{l - 1, halved_side(width, l - 1), halved_side(height, l - 1)};
      map_pixels(card, "warp_halved", halved, levels, level.card().pixel_target<N>(), extent);
      frames.push_back(level);
    }
    levels.level[l].rows = frames.back().card().rows_view<float, N>();
    // The frame's rectangle is in the chain's coordinates; here the picture's first texel is (0,
    // 0).
    if (l == 0) levels.level[l].rows.left = part.left, levels.level[l].rows.top = part.top;
    levels.level[l].box = box_of(extent);
    levels.level[l].scale = {level_axis(width, l), level_axis(height, l)};
    if (levels.level[l].scale.is_even()) levels.even_levels |= 1u << l;
  }
  if (layer.cubic)
    read_levels<true>(card, plan, layer, source, levels, target);
  else
    read_levels<false>(card, plan, layer, source, levels, target);
}

}  // namespace

void warp_filtered_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                           const Frame& source, const Frame& target) {
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { read_filtered<n()>(card, plan, layer, source, target); });
}

}  // namespace cuimg
