// SPDX-License-Identifier: Apache-2.0
// Linear reads from 8-bit sRGB pictures to 8-bit sRGB pictures, without a pass that decodes or
// encodes the whole picture. A pixel's light is the weighted sum of its four texels' light in plain
// float arithmetic, which differs by a few units in the last place from the texture unit's result.
// This determines the code of nearly every pixel. Pixels so close to the threshold between two
// codes that the other code is possible are listed, and a warp computes 32 of them at a time by the
// definition.
#include <algorithm>
#include <bit>
#include <climits>

#include "kernels/math/platform.h"
#include "kernels/texture/texture_bilinear.h"
#include "kernels/texture/texture_unit.h"
#include "kernels/warp/warp_taps.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/warp/warp_cuda.h"
#include "stages/warp/warp_doubt.h"

namespace cuimg {
namespace {

constexpr FormKind kind = FormKind::srgb8;
using Light = Texel<float, 4>;

// The warps of a block, across and down. A warp makes 8 columns and 4 rows at a time, so that its
// texels are close together at any angle.
constexpr int warps_across = 8, warps_down = 2, warps = warps_across * warps_down;
constexpr int threads = 32 * warps;
constexpr int columns_of_warp = 8, rows_of_step = 32 / columns_of_warp, rows_of_warp = 32;
constexpr int pixels_of_warp = columns_of_warp * rows_of_warp;
// Pixels per thread: enough loads are in flight, and two blocks fit on a multiprocessor.
constexpr int at_once = 2, blocks_of_multiprocessor = 2;
constexpr int tile_width = columns_of_warp * warps_across, tile_height = rows_of_warp * warps_down;

struct Memory {
  // The light of each code, with a copy for each lane, so that lanes use different banks.
  float light[256][32];
  std::uint32_t codes[Srgb8Tables::buckets];  ///< codes_of_bits() plus the possible error.
  // Pixels to compute by the definition: fewer than 32 remain from before, then each lane adds
  // some.
  std::uint32_t listed[warps][32 + 32 * at_once];
};

// By the rules for any floats, such as the border's colour: slow, but rare.
__device__ __noinline__ void weigh_any(const Pixel<4> (&texels)[4], int across, int down,
                                       Pixel<4>& result) {
  Light light[4];
  for (int i = 0; i < 4; ++i) light[i] = __builtin_bit_cast(Light, texels[i]);
  int weights[4];
  detail::slice_weights(across, down, 256, weights);
  result = combine_texels<1, 4>(light, weights);
}

template <class Map>
struct WarpOfCodes {
  Map map;
  FormRows<4, kind> source;  ///< x and y count from the texture's first texel.
  /// The address of that texel, which need not exist: the source may be a part of the texture.
  const char* texels;
  FormTarget<4, kind> target;
  unsigned source_pitch, target_pitch;
  int width, height;  ///< Of the texture.
  Address address;
  Pixel<4> border;
  std::uint32_t no_alpha;  ///< 255 if texels have none, otherwise 0.

  __device__ std::uint32_t by_definition(int x, int y) const {
    WarpPosition at;
    map.at(x, y, at);
    const AxisTaps columns = unit_taps(address, at.x, width),
                   rows = unit_taps(address, at.y, height);
    const PlainBilinear weigh(columns.fraction, rows.fraction);
    const bool counts[4] = {weigh.w00 > 0, weigh.w10 > 0, weigh.w01 > 0, weigh.w11 > 0};
    Pixel<4> texels[4];
    bool all_inside = true;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int column = i % 2 == 0 ? columns.near : columns.far;
      const int row = i < 2 ? rows.near : rows.far;
      const bool inside = column != outside && row != outside;
      texels[i] = border;
      if (inside) texels[i] = load(source, column, row);
      all_inside &= inside;
    }
    Pixel<4> pixel[1];
    if (all_inside) {
      // Light is 0 or at least as large as CutTexels::holds() requires. A texel without weight must
      // not affect how the others are truncated.
#pragma unroll
      for (int c = 0; c < 4; ++c)
        pixel[0].v[c] = weigh(counts[0] ? texels[0].v[c] : 0, counts[1] ? texels[1].v[c] : 0,
                              counts[2] ? texels[2].v[c] : 0, counts[3] ? texels[3].v[c] : 0);
    } else {
      weigh_any(texels, columns.fraction, rows.fraction, pixel[0]);
    }
    std::uint32_t texel[1];
    encode_all(target, pixel, texel);
    return texel[0];
  }
};

// The position that a pixel reads.
enum class Reads { texels, nothing, border_and_texels };
struct TexelPlace {
  int columns[2], rows[2];
  int across, down;  ///< In units of 1/256.
  Reads reads;
};

template <class Map>
__device__ inline TexelPlace place_of(const WarpOfCodes<Map>& warp, int x, int y, bool is_there) {
  WarpPosition at = {};
  const bool seen = warp.map.at(x, y, at) && is_there;
  const UnitPosition across = unit_position(at.x), down = unit_position(at.y);
  TexelPlace place = {{across.texel, across.texel + 1},
                      {down.texel, down.texel + 1},
                      across.fraction,
                      down.fraction,
                      Reads::texels};
  const bool inside = static_cast<unsigned>(across.texel) < static_cast<unsigned>(warp.width - 1) &&
                      static_cast<unsigned>(down.texel) < static_cast<unsigned>(warp.height - 1);
  if (inside && seen) return place;
  AxisTaps columns = {warp.source.left, warp.source.left, 0};
  AxisTaps rows = {warp.source.top, warp.source.top, 0};
  if (!seen) {
    place.reads = Reads::nothing;
  } else if (warp.address == Address::border) {
    const bool meets = across.texel >= -1 && across.texel < warp.width && down.texel >= -1 &&
                       down.texel < warp.height;
    place.reads = meets ? Reads::border_and_texels : Reads::nothing;
  } else {
    columns = unit_taps(warp.address, at.x, warp.width);
    rows = unit_taps(warp.address, at.y, warp.height);
  }
  place.columns[0] = columns.near, place.columns[1] = columns.far;
  place.rows[0] = rows.near, place.rows[1] = rows.far;
  return place;
}

template <class Map>
__device__ inline void fetch_words(const WarpOfCodes<Map>& warp, const TexelPlace& place,
                                   std::uint32_t (&texels)[4]) {
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    const char* const row =
        warp.texels + std::uint64_t{static_cast<unsigned>(place.rows[j])} * warp.source_pitch;
#pragma unroll
    for (int i = 0; i < 2; ++i)
      texels[2 * j + i] = __ldg(reinterpret_cast<const std::uint32_t*>(row) + place.columns[i]);
  }
}

template <class Map>
__device__ inline void store(const WarpOfCodes<Map>& warp, int x, int y, std::uint32_t texel) {
  char* const row = warp.target.memory.data +
                    std::uint64_t{static_cast<unsigned>(y - warp.target.top)} * warp.target_pitch;
  __stcs(reinterpret_cast<std::uint32_t*>(row) + (x - warp.target.left), texel);
}

// The light of a texel's channel, from the lane's own copy. Its index is the texel, shifted and
// masked.
__device__ inline float light_at(const float (&light)[256][32], std::uint32_t texel, int channel,
                                 int lane) {
  constexpr int row = std::bit_width(sizeof light[0]) - 1;
  const std::uint32_t bits =
      8 * channel < row ? texel << (row - 8 * channel) % 32 : texel >> (8 * channel - row) % 32;
  const std::uint32_t byte = (bits & 255u << row) | static_cast<std::uint32_t>(lane * 4);
  return *reinterpret_cast<const float*>(reinterpret_cast<const char*>(light) + byte);
}

// The texel that results from the four texels. @param doubtful set to whether the definition may
// give another one.
__device__ inline std::uint32_t weighed(const std::uint32_t (&texels)[4], const TexelPlace& place,
                                        std::uint32_t no_alpha, const Memory& memory, int lane,
                                        bool& doubtful) {
  const PlainBilinear weigh(place.across, place.down);
  const int weights[4] = {weigh.w00, weigh.w10, weigh.w01, weigh.w11};
  int covered = 0;  // exact alpha, in units of 1 / (255 * 256)
  float parts[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int part = weights[i] * static_cast<int>(texels[i] >> 24 | no_alpha);
    covered += part;
    parts[i] = static_cast<float>(part);
  }
  // How alpha halfway between two codes is rounded depends on the definition's inexact sum.
  doubtful = (covered & 255) == 128;
  // If alpha is 0 this is 0 times infinity, which counts as 0.
  const float per_part = detail::near_reciprocal(static_cast<float>(covered));
  std::uint32_t colors[3];
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float light = light_at(memory.light, texels[i], c, lane);
      sum = i == 0 ? parts[i] * light : fma(parts[i], light, sum);
    }
    const float light = fminf(detail::within_one(sum * per_part), most_light);
    colors[c] = detail::srgb8_sum_within(memory.codes, light);
    doubtful |= is_in_doubt(colors[c]);
  }
  return detail::four_bytes<true>(colors, static_cast<std::uint32_t>(covered + 128) >> 8);
}

template <class Map>
__global__ void __launch_bounds__(threads, blocks_of_multiprocessor)
    warp_codes_kernel(WarpOfCodes<Map> warp, unsigned tiles_across, unsigned tiles) {
  __shared__ Memory memory;
  const int lane = static_cast<int>(threadIdx.x) & 31,
            in_block = static_cast<int>(threadIdx.x) >> 5;
  for (int i = static_cast<int>(threadIdx.x); i < 256 * 32; i += threads)
    memory.light[i / 32][i % 32] = __ldg(warp.source.form.tables.srgb8->decode + i / 32);
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(Srgb8Tables::buckets);
       i += threads)
    memory.codes[i] = __ldg(warp.target.codes8 + i) + steps_of_doubt;
  __syncthreads();
  // The texel of pixels that show nothing of the picture.
  Pixel<4> outside[1] = {warp.border};
  std::uint32_t fill[1];
  encode_all(warp.target, outside, fill);
  std::uint32_t* const listed = memory.listed[in_block];
  // The first pixel of this warp's part of the tile.
  const auto left_of = [&](unsigned tile) {
    return warp.target.left + static_cast<int>(tile % tiles_across) * tile_width +
           in_block % warps_across * columns_of_warp;
  };
  const auto top_of = [&](unsigned tile) {
    return warp.target.top + static_cast<int>(tile / tiles_across) * tile_height +
           in_block / warps_across * rows_of_warp;
  };
  int count = 0;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int x = left_of(tile) + lane % columns_of_warp, top = top_of(tile);
    const int below =
        x < warp.target.left + warp.target.width ? warp.target.top + warp.target.height : INT_MIN;
#pragma unroll 1
    for (int step = 0; step < rows_of_warp; step += rows_of_step * at_once) {
      TexelPlace places[at_once];
      std::uint32_t words[at_once][4];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const int y = top + step + i * rows_of_step + lane / columns_of_warp;
        places[i] = place_of(warp, x, y, y < below);
        fetch_words(warp, places[i], words[i]);
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const int row = step + i * rows_of_step + lane / columns_of_warp;
        const bool is_there = top + row < below;
        bool doubtful;
        std::uint32_t texel = weighed(words[i], places[i], warp.no_alpha, memory, lane, doubtful);
        if (places[i].reads == Reads::nothing) texel = fill[0], doubtful = false;
        doubtful = is_there && (doubtful || places[i].reads == Reads::border_and_texels);
        if (is_there && !doubtful) store(warp, x, top + row, texel);
        const unsigned lanes = __ballot_sync(~0u, doubtful);
        if (doubtful)
          listed[count + __popc(lanes & ((1u << lane) - 1))] =
              tile * pixels_of_warp +
              static_cast<unsigned>(row * columns_of_warp + lane % columns_of_warp);
        count += __popc(lanes);
      }
      const bool is_last =
          tile + gridDim.x >= tiles && step + rows_of_step * at_once >= rows_of_warp;
      while (count >= (is_last ? 1 : 32)) {
        const int some = min(count, 32);
        count -= some;
        __syncwarp();
        if (lane < some) {
          const std::uint32_t pixel = listed[count + lane];
          const unsigned of = pixel / pixels_of_warp;
          const int px = left_of(of) + static_cast<int>(pixel % columns_of_warp);
          const int py = top_of(of) + static_cast<int>(pixel / columns_of_warp % rows_of_warp);
          store(warp, px, py, warp.by_definition(px, py));
        }
        __syncwarp();
      }
    }
  }
}

template <class Map>
void launch(CudaQueue& card, const WarpOfCodes<Map>& warp) {
  const auto over = [](int size, int tile) {
    return static_cast<unsigned>((size + tile - 1) / tile);
  };
  const unsigned across = over(warp.target.width, tile_width);
  const unsigned tiles = across * over(warp.target.height, tile_height);
  const unsigned grid =
      std::min(tiles, static_cast<unsigned>(card.multiprocessors() * blocks_of_multiprocessor));
  warp_codes_kernel<<<grid, threads, 0, card.stream()>>>(warp, across, tiles);
  check_launch("warp_codes");
}

}  // namespace

void warp_codes_on_cuda(CudaQueue& card, const WarpPlan& plan, const WarpPlan::Layer& layer,
                        const Frame& source, const Frame& target) {
  if (target.region().empty()) return;
  const PartOfTexture part = part_of_texture(plan, source);
  auto rows = form_rows<4, kind>(card, source);
  rows.left = part.left, rows.top = part.top;
  const char* const texels = rows.data - static_cast<std::ptrdiff_t>(rows.pitch_bytes) * rows.top -
                             std::ptrdiff_t{rows.left} * rows.form_bytes;
  rows.light8 = rows.form.tables.srgb8->decode;
  const Pixel<4> border = decode(border_texel<float, 4>(plan.sampler(layer)));
  plan.map.visit([&](const auto& map) {
    using Map = std::remove_cvref_t<decltype(map)>;
    const auto pixels = form_target<4, kind>(card, target);
    launch(card, WarpOfCodes<Map>{
                     map, rows, texels, pixels, static_cast<unsigned>(rows.pitch_bytes),
                     static_cast<unsigned>(pixels.memory.pitch_bytes), plan.texture.width,
                     plan.texture.height, plan.address, border, rows.form.has_alpha ? 0u : 255u});
  });
}

}  // namespace cuimg
