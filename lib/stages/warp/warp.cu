// SPDX-License-Identifier: Apache-2.0
// The launches of warps. They use the texture unit if it filters exactly like the software unit,
// otherwise the software unit over the same texels.
#include <cstring>
#include <type_traits>

#include "device/cuda/cuda_copy.h"
#include "device/cuda/cuda_words.cuh"
#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/warp_taps.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/warp/warp_cuda.h"
#include "stages/warp/warp_pairs.cuh"

namespace cuimg {
namespace {

struct Extent {
  int width, height;
};

// @tparam tile the number of columns that a warp makes. @tparam warps_across, warps_down the warps
// of a block. @tparam pixels the number of pixels that a thread makes, all in one column.
template <int tile, int warps_across, int warps_down, int pixels>
struct UnitTile {
  static constexpr int width = tile, height = 32 / width;  // of a warp
  static constexpr int across = warps_across, down = warps_down, rows = pixels;
  static constexpr int step = down * height;  // between a thread's rows
  static constexpr int block_width = across * width, block_height = rows * step;
  static constexpr int threads = 32 * across * down;
};

// Tiles are compact, so that a warp's texels are close together at any angle, and still wide enough
// for stores of 128 bytes. Projections of four channels wait for memory: they use as many threads
// as possible, with one pixel each, in narrow blocks. Lenses and fewer channels are limited by
// arithmetic, some of which is the same for all of a thread's pixels.
template <class Map, int N>
using TileOf = std::conditional_t<N == 4 && !std::is_same_v<Map, LensMap>, UnitTile<16, 1, 16, 1>,
                                  UnitTile<32 / N, 4, 2, 4>>;

template <class Tile, class Map, int N, class Target>
__global__ void __launch_bounds__(Tile::threads)
    warp_unit_kernel(Map map, CudaTexture<N> texture, Extent source, Pixel<N> hidden, Target target,
                     Rect region) {
  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int x = static_cast<int>(blockIdx.x) * Tile::block_width +
                warp % Tile::across * Tile::width + lane % Tile::width;
  const int y = static_cast<int>(blockIdx.y) * Tile::block_height +
                warp / Tile::across * Tile::height + lane / Tile::width;
  if (x >= region.width) return;
  Pixel<N> pixels[Tile::rows];
#pragma unroll
  for (int i = 0; i < Tile::rows; ++i) {
    // Unneeded reads past the last row or behind the horizon cost less than a branch before each
    // read, after which reads would wait for each other.
    WarpPosition at = {};
    const bool seen = map.at(region.x + x, region.y + y + i * Tile::step, at);
    pixels[i] = texture(unit_coordinate(at.x, source.width), unit_coordinate(at.y, source.height));
    if (!seen) pixels[i] = hidden;
  }
#pragma unroll
  for (int i = 0; i < Tile::rows; ++i)
    if (y + i * Tile::step < region.height)
      target.store_streaming(region.x + x, region.y + y + i * Tile::step, pixels[i]);
}

template <class T, int N>
struct WarpInSoftware {
  WarpMap map;
  Address address;
  Texel<T, N> border;
  Extent whole;
  PartOfTexture part;

  __device__ Pixel<N> operator()(const Texture2D<T, N>& texture, int x, int y) const {
    WarpPosition at;
    bool seen = false;
    map.visit([&](const auto& m) { seen = m.at(x, y, at); });
    if (!seen) return decode(border);
    return linear_2d_taps<T, N>(
        unit_taps(address, at.x, whole.width), unit_taps(address, at.y, whole.height),
        [&](int i, int j) {
          return i == outside || j == outside ? border : texture.texel(i - part.left, j - part.top);
        });
  }
};

struct CopyNearest {
  WarpMap map;
  Address address;
  ByteRows source;
  Rect texture;
  TexelWords fill;

  __device__ TexelWords operator()(int x, int y) const {
    WarpPosition at;
    bool seen = false;
    map.visit([&](const auto& m) { seen = m.at(x, y, at); });
    if (!seen) return fill;
    const int i = nearest_texel(address, at.x, texture.width);
    const int j = nearest_texel(address, at.y, texture.height);
    return i == outside || j == outside ? fill : source.words(texture.x + i, texture.y + j);
  }
};

template <class T, int N, class Map>
void launch_unit(CudaQueue& card, const Map& map, const CudaTexture<N>& texture,
                 const Frame& source, const Pixel<N>& hidden, const Frame& target) {
  const Rect& t = target.region();
  if constexpr (std::is_same_v<T, float> && N == 4 && std::is_same_v<Map, AffineMap>) {
    const auto run = [&]<class Target>(const Target& pixels) {
      using Tile = PairTile<Target>;
      const dim3 tile(Tile::width, Tile::height * tiles_of_block<Target>);
      warp_pairs_kernel<<<blocks_for(t.width, t.height, tile), Tile::threads, 0, card.stream()>>>(
          map.from(t.x, t.y), source.card().rows_view<float, 4>(), texture, pixels);
    };
    if (target.stored_form() == nullptr)
      target.card().with_pixel_target<N>(run);
    else
      with_kind<N>(kind_of(target), [&](auto kind) { run(form_target<N, kind()>(card, target)); });
  } else {
    with_target<N>(card, target, [&](const auto& pixels) {
      using Tile = TileOf<Map, N>;
      const Extent extent = {source.region().width, source.region().height};
      const dim3 grid = blocks_for(t.width, t.height, dim3(Tile::block_width, Tile::block_height));
      warp_unit_kernel<Tile>
          <<<grid, Tile::threads, 0, card.stream()>>>(map, texture, extent, hidden, pixels, t);
    });
  }
  check_launch("warp_unit");
}

template <class T, int N>
void read_unit(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
               const Frame& source, const Frame& target) {
  if (target.region().empty()) return;
  const Sampler sampler = plan.sampler(layer);
  const Texel<T, N> border = border_texel<T, N>(sampler);
  const PartOfTexture part = part_of_texture(plan, source);
  if (plan.repeats_by_unit() && part.is_all && card.filters_exactly(source.format().type))
    return warp_periodic_on_cuda<N>(card, plan, layer, source, decode(border), target);
  if (plan.is_periodic() || !part.is_all || !fits_a_float(source) ||
      !card.filters_exactly(source.format().type)) {
    const Frame linear = pitched_copy(card, source);
    const Extent whole = {plan.texture.width, plan.texture.height};
    return map_pixels(
        card, "warp_software", WarpInSoftware<T, N>{plan.map, plan.address, border, whole, part},
        linear.card().texels_view<T, N>(), form_target<N>(card, target), target.region());
  }
  const CudaTexture<N> texture = source.card().texture_view<N>(sampler);
  plan.map.visit(
      [&](const auto& map) { launch_unit<T>(card, map, texture, source, decode(border), target); });
}

void copy_nearest(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                  const Frame& source, const Frame& target) {
  CopyNearest copy{plan.map, plan.address, ByteRows(source), plan.texture, {}};
  std::memcpy(copy.fill.word, layer.fill.data(), sizeof copy.fill.word);
  make_texels(card, "warp_nearest", copy, target);
}

}  // namespace

void warp_on_cuda(const Queue& queue, const WarpPlan& plan, const WarpPlan::Layer& layer,
                  const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  if (layer.method == WarpMethod::nearest) return copy_nearest(card, plan, layer, source, target);
  if (layer.method == WarpMethod::filtered)
    return warp_filtered_on_cuda(card, plan, layer, source, target);
  if (layer.method == WarpMethod::levels)
    return warp_levels_on_cuda(card, plan, layer, source, target);
  if (source.stored_form() != nullptr) return warp_codes_on_cuda(card, plan, layer, source, target);
  with_texel_type(source.format().type, [&](auto t) {
    with_stored_channels(source.format().stored_channels(), [&](auto n) {
      read_unit<typename decltype(t)::type, n()>(card, plan, layer, source, target);
    });
  });
}

}  // namespace cuimg
