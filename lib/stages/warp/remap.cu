// SPDX-License-Identifier: Apache-2.0
// The launches of remap. They use the texture unit if it filters exactly like the software unit,
// otherwise the software unit over the same texels.
#include <type_traits>

#include "device/cuda/cuda_copy.h"
#include "device/cuda/cuda_rows.cuh"
#include "device/cuda/cuda_words.cuh"
#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/cubic.h"
#include "stages/warp/remap.h"

namespace cuimg {
namespace {

struct Coordinate {
  float x, y;
};

// The map, with coordinates in the sampler's units.
struct MapRows {
  CudaRows<float, 2> rows;
  float width, height;
  bool divide;

  __device__ Coordinate at(int x, int y) const {
    const PackedTexel<float, 2> texel = rows.texel(x, y);
    return divide ? Coordinate{texel.v[0] / width, texel.v[1] / height}
                  : Coordinate{texel.v[0], texel.v[1]};
  }
};

template <int N>
struct ReadTexture {
  MapRows map;
  __device__ Pixel<N> operator()(const CudaTexture<N>& texture, int x, int y) const {
    const Coordinate at = map.at(x, y);
    return texture(at.x, at.y);
  }
};

template <class T, int N>
struct ReadSoftware {
  MapRows map;
  Sampler sampler;
  __device__ Pixel<N> operator()(const Texture2D<T, N>& texture, int x, int y) const {
    const Coordinate at = map.at(x, y);
    return sample(texture, sampler, at.x, at.y);
  }
};

// A texel of any type by a point read of a texture, or of floats from rows, which is faster.
template <int N>
__device__ Pixel<N> texel_of(const CudaTexture<N>& texture, int i, int j) {
  return texture.texel(i, j);
}
template <int N>
__device__ Pixel<N> texel_of(const CudaRows<float, N>& rows, int i, int j) {
  return load<N>(rows, i, j);
}

template <int N>
struct ReadCubic {
  MapRows map;
  Sampler sampler;
  int width, height;
  Pixel<N> border;
  template <class Texels>
  __device__ Pixel<N> operator()(const Texels& texels, int x, int y) const {
    const Coordinate at = map.at(x, y);
    const auto texel = [&](int i, int j) { return texel_of(texels, i, j); };
    return cubic_read<N>(
        cubic_axis(sampler, 0, width, at.x), cubic_axis(sampler, 1, height, at.y), sampler.address,
        sampler.normalized, width, height, texel,
        [&](int i, int j) { return i == outside || j == outside ? border : texel(i, j); });
  }
};

struct CopyIds {
  MapRows map;
  Sampler sampler;
  ByteRows source;
  int width, height;
  __device__ TexelWords operator()(int x, int y) const {
    const Coordinate at = map.at(x, y);
    const int i = point_tap(sampler, 0, {width, height}, at.x);
    const int j = point_tap(sampler, 1, {height, width}, at.y);
    return i == outside || j == outside ? TexelWords{}
                                        : source.words(source.left + i, source.top + j);
  }
};

// The kernel waits for memory most of the time, so a multiprocessor runs nearly as many threads as
// it can: 0.564 ms; with blocks of 256 threads and all the registers they want 0.682 (card_bench,
// an H200, 2026-12-01).
constexpr dim3 cubic_block(8, 16);
constexpr int cubic_blocks = 14;
template <int N, class Target>
__global__ void __launch_bounds__(cubic_block.x* cubic_block.y, cubic_blocks)
    remap_cubic_kernel(ReadCubic<N> cubic, CudaRows<float, N> rows, Target target, Rect region) {
  const int x = region.x + static_cast<int>(blockIdx.x * cubic_block.x + threadIdx.x);
  const int y = region.y + static_cast<int>(blockIdx.y * cubic_block.y + threadIdx.y);
  if (contains(region, x, y)) target.store(x, y, cubic(rows, x, y));
}

template <class T, int N>
void read_layer(const TextureLookup& read, const MapRows& map, CudaQueue& card, const Frame& source,
                const Frame& target) {
  CudaPixels& pixels = source.card();
  const PixelTarget<N> out = target.card().pixel_target<N>();
  const Rect& region = target.region();
  if (read.filter == ReadFilter::cubic) {
    Sampler texels;
    texels.filter = Filter::point;
    const ReadCubic<N> cubic{map, read.sampler, pixels.width(), pixels.height(),
                             decode(border_texel<T, N>(read.sampler))};
    if (std::is_same_v<T, float> && !pixels.is_array()) {
      CudaRows<float, N> rows = pixels.rows_view<float, N>();
      rows.left = rows.top = 0;
      if (region.empty()) return;
      target.card().with_pixel_target<N>([&](const auto& to) {
        remap_cubic_kernel<N><<<blocks_for(region.width, region.height, cubic_block), cubic_block,
                                0, card.stream()>>>(cubic, rows, to, region);
      });
      return check_launch("remap_cubic");
    }
    return map_pixels(card, "remap_cubic", cubic, pixels.texture_view<N>(texels), out, region);
  }
  if (read.filter == ReadFilter::point || card.filters_exactly(source.format().type))
    return map_pixels(card, "remap", ReadTexture<N>{map}, pixels.texture_view<N>(read.sampler), out,
                      region);
  const Frame linear = pitched_copy(card, source);
  map_pixels(card, "remap_software", ReadSoftware<T, N>{map, read.sampler},
             linear.card().texels_view<T, N>(), out, region);
}

}  // namespace

void read_texture_on_cuda(const Queue& queue, const TextureLookup& read, const Frame& source,
                          const Frame& map, const Frame& target) {
  CudaQueue& card = queue.card();
  const Rect& r = source.region();
  const MapRows rows{map.card().rows_view<float, 2>(), static_cast<float>(r.width),
                     static_cast<float>(r.height), read.divide_by_size};
  if (source.format().type == PixelType::u32) {
    const Frame linear = pitched_copy(card, source);
    return make_texels(card, "remap_ids",
                       CopyIds{rows, read.sampler, ByteRows(linear), r.width, r.height}, target);
  }
  with_texel_type(source.format().type, [&](auto t) {
    with_stored_channels(source.format().stored_channels(), [&](auto n) {
      read_layer<typename decltype(t)::type, n()>(read, rows, card, source, target);
    });
  });
}

}  // namespace cuimg
