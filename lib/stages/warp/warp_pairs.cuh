// SPDX-License-Identifier: Apache-2.0
// Linear reads of four floats per pixel at the positions of an affine map. The texture unit alone
// takes longer to filter them than memory takes to transfer them (tests/bench/RESULTS.md). So it
// reads one of a thread's pixels, and the others are computed from their four texels: one other
// pixel, or two if the target is an array, because the unit then also stores all of them.
#pragma once

#include "device/cuda/cuda_instructions.cuh"
#include "kernels/texture/target.h"
#include "kernels/texture/texture_bilinear.h"
#include "kernels/warp/warp_taps.h"
#include "stages/pass/stored_pixels.cuh"

namespace cuimg {

// A block makes tiles next to each other, in each of which its warps are below each other. The unit
// reads the first tile.
template <class Target>
struct PairTile {
  static constexpr int warp_width = 8, warp_height = 4, warps = 4;
  static constexpr int by_arithmetic = is_in_array<Target> ? 2 : 1;
  static constexpr int width = (1 + by_arithmetic) * warp_width, height = warps * warp_height;
  static constexpr int threads = 32 * warps;
};

// The weighted sum of the four texels around a position. `plain` is false where the texture unit
// gives another result: beyond an edge, and for special values.
__device__ inline Pixel<4> weighed(const CudaRows<float, 4>& rows, const UnitPosition& x,
                                   const UnitPosition& y, bool& plain) {
  const PlainBilinear weigh(x.fraction, y.fraction);
  plain = weigh.all_count() && x.texel >= 0 && x.texel < rows.width - 1 && y.texel >= 0 &&
          y.texel < rows.height - 1;
  const int left = min(max(x.texel, 0), max(rows.width - 2, 0));
  const int top = min(max(y.texel, 0), max(rows.height - 2, 0));
  const char* const upper = rows.data + static_cast<std::size_t>(top) * rows.pitch_bytes +
                            static_cast<std::size_t>(left) * sizeof(Pixel<4>);
  const char* const lower = upper + (rows.height > 1 ? rows.pitch_bytes : 0);
  const std::size_t right = rows.width > 1 ? sizeof(Pixel<4>) : 0;
  const Pixel<4> t00 = load_and_prefetch(upper), t10 = load_and_prefetch(upper + right);
  const Pixel<4> t01 = load_and_prefetch(lower), t11 = load_and_prefetch(lower + right);
  Pixel<4> result;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    plain &= CutTexels::holds(t00.v[c], t10.v[c], t01.v[c], t11.v[c]);
    result.v[c] = weigh(t00.v[c], t10.v[c], t01.v[c], t11.v[c]);
  }
  return result;
}

// The number of tiles that a block makes below each other. It is larger if each block copies a
// table of codes.
template <class Target>
constexpr int tiles_of_block = shared_for_stores<Target> > 1 ? 8 : 1;

// As many threads as fit with 40 registers each, or 48 if colours are encoded.
template <class Target>
__global__ void __launch_bounds__(PairTile<Target>::threads, tiles_of_block<Target> > 1 ? 10 : 12)
    warp_pairs_kernel(AffineMap map, CudaRows<float, 4> source, CudaTexture<4> texture,
                      Target target) {
  using Tile = PairTile<Target>;
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  ready_stores(target, codes, static_cast<int>(threadIdx.x), Tile::threads);
  if constexpr (shared_for_stores < Target >> 1) __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int x = static_cast<int>(blockIdx.x) * Tile::width + lane % Tile::warp_width;
  if (x >= target.width) return;
  for (int tile = 0; tile < tiles_of_block<Target>; ++tile) {
    const int y = (static_cast<int>(blockIdx.y) * tiles_of_block<Target> + tile) * Tile::height +
                  warp * Tile::warp_height + lane / Tile::warp_width;
    if (y >= target.height) return;
    WarpPosition at;
    map.at(x, y, at);
    const float at_x = unit_coordinate(at.x, source.width);
    const float at_y = unit_coordinate(at.y, source.height);
    Pixel<4> pair[2];  // the first, and the last
#pragma unroll
    for (int i = 1; i <= Tile::by_arithmetic; ++i) {
      WarpPosition next;
      map.at(x + i * Tile::warp_width, y, next);
      const UnitPosition next_x = unit_position(next.x), next_y = unit_position(next.y);
      bool plain;
      pair[1] = weighed(source, next_x, next_y, plain);
      if (!plain)
        pair[1] =
            texture(unit_coordinate(next_x, source.width), unit_coordinate(next_y, source.height));
      const int column = x + i * Tile::warp_width;
      if (i < Tile::by_arithmetic && column < target.width)
        target.store_streaming(target.left + column, target.top + y, pair[1]);
    }
    // The unit reads last: by then the cache contains most of its texels, which neighbours loaded.
    pair[0] = texture(at_x, at_y);
    typename EncodedFor<Target>::type texels[2];
    encode_all(target, pair, texels);
    const int last = x + Tile::by_arithmetic * Tile::warp_width;
    store_encoded(target, target.left + x, target.top + y, texels[0]);
    if (last < target.width) store_encoded(target, target.left + last, target.top + y, texels[1]);
  }
}

}  // namespace cuimg
