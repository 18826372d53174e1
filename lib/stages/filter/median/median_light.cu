// SPDX-License-Identifier: Apache-2.0
// Medians of 5x5 pixels of 8 bits in sRGB with straight alpha: of light times alpha. A block
// converts the light of its tile to keys, applies the networks to pairs of keys, and converts the
// medians to codes (light_keys.h). Codes in doubt are listed, and computed from exact light at the
// end.
#include "device/cuda/cuda_border.cuh"
#include "device/cuda/cuda_limits.h"
#include "device/per_card.h"
#include "stages/filter/median/light_keys.h"
#include "stages/filter/median/median_lanes.cuh"
#include "stages/filter/median/median_networks.h"
#include "stages/window/form_values.cuh"

namespace cuimg {
namespace {

using Key = KeyPair<std::uint16_t>;
using Source = FormRows<4, FormKind::srgb8>;
using Target = FormTarget<4, FormKind::srgb8>;

constexpr int radius = 2;
constexpr int window = 25;
constexpr int warps = 4, threads = 32 * warps;
constexpr int tile_width = 64, tile_height = 32;
constexpr int read_width = tile_width + 2 * radius, read_height = tile_height + 2 * radius;
constexpr int rows_of_warp = tile_height / 2;
constexpr int most_listed = 1024;
constexpr int colors = 3;

struct Memory {
  /// Of pixels: the keys of red and green, then those of blue and alpha. Medians replace them.
  alignas(16) std::uint32_t keys[2][read_height][read_width];
  float light[light_of_codes], key_light[light_of_codes];
  std::uint32_t entries[NearCodes::count];
  std::uint32_t doubts;  ///< The number of codes in doubt, of which the first are listed.
  std::uint16_t listed[most_listed];
};

/// A block's tile. Places in it are relative to (left, top).
struct LightTile {
  const Source& source;
  const Target& target;
  const BorderAxis &columns, &rows;
  const NearCodes* codes;
  Memory& memory;
  int left, top;

  /// Whether no texel that the tile reads is beyond a border.
  __device__ bool is_inside() const {
    return left - radius >= columns.low && left + tile_width + radius <= columns.high &&
           top - radius >= rows.low && top + tile_height + radius <= rows.high;
  }
  __device__ std::uint32_t texel(int x, int y) const {
    const int column = border_index(columns, left + x), row = border_index(rows, top + y);
    if (column == BorderAxis::nothing || row == BorderAxis::nothing) return 0;
    return source.fetch(column, row).word[0];
  }
  /// Stores words of a row, beginning with a pixel's channel.
  template <class Words>
  __device__ void store(int x, int y, int channel, const Words& words) const {
    target.memory.store_streaming((left + x - target.left) * 4 + channel, top + y - target.top,
                                  words);
  }
  /// The row of Memory::keys to which the medians of row y are written. For the lower half it is
  /// further down, because the threads of the upper half still read the first keys of that half.
  __device__ static int row_of_medians(int y) { return y < rows_of_warp ? y : y + 2 * radius; }
};

__device__ Key key_of(std::uint32_t word) {
  return Key::of(static_cast<std::uint16_t>(word), static_cast<std::uint16_t>(word >> 16));
}
__device__ std::uint32_t joined_keys(const Key& key) {
  return static_cast<std::uint32_t>(key.second()) << 16 | key.first();
}

__device__ void store_keys_of_codes(Memory& memory, int x, int y, std::uint32_t texel) {
  memory.keys[0][y][x] = __byte_perm(texel, 0, 0x4140);
  memory.keys[1][y][x] = __byte_perm(texel, 0, 0x4342);
}
__device__ void store_keys_of_light(Memory& memory, int x, int y, std::uint32_t texel) {
  const std::uint32_t alpha_bits = texel >> 24 | 0x4b000000u;
  const float alpha = float_from_bits(alpha_bits) - 0x1p23f;
  std::uint32_t bits[colors];
#pragma unroll
  for (int c = 0; c < colors; ++c)
    bits[c] = bits_of_key(memory.key_light[texel >> 8 * c & 255u], alpha) << (16 - key_shift);
  memory.keys[0][y][x] = __byte_perm(bits[0], bits[1], 0x7632);
  memory.keys[1][y][x] = __byte_perm(bits[2], alpha_bits, 0x5432);
}

/// The texels that the tile reads, a few for each thread.
struct TileTexels {
  static constexpr int down = read_height / warps, across = tile_width / 32;
  static constexpr int rest_width = read_width - tile_width, rest = rest_width * read_height;
  static constexpr int rests = (rest + threads - 1) / threads;
  std::uint32_t texels[down][across], others[rests];
  static_assert(read_height % warps == 0);

  __device__ explicit TileTexels(const LightTile& tile) {
    if (tile.is_inside()) {
      const char* const first = tile.source.texel(tile.left - radius, tile.top - radius);
      const auto pitch = static_cast<unsigned>(tile.source.pitch_bytes);
      load([&](int x, int y) {
        return tile.source.fetch(first + std::uint64_t{static_cast<unsigned>(y)} * pitch + 4 * x)
            .word[0];
      });
    } else {
      load([&](int x, int y) { return tile.texel(x - radius, y - radius); });
    }
  }
  __device__ bool are_opaque() const {
    std::uint32_t all = ~0u;
#pragma unroll
    for (int i = 0; i < down; ++i)
#pragma unroll
      for (int k = 0; k < across; ++k) all &= texels[i][k];
#pragma unroll
    for (int i = 0; i < rests; ++i) all &= others[i];
    return all >> 24 == 255;
  }
  /// use(x, y, texel), from the first column and row that the tile reads.
  template <class Use>
  __device__ void each(const Use& use) const {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int i = 0; i < down; ++i)
#pragma unroll
      for (int k = 0; k < across; ++k) use(lane + 32 * k, warp + warps * i, texels[i][k]);
#pragma unroll
    for (int i = 0; i < rests; ++i) {
      const int at = static_cast<int>(threadIdx.x) + threads * i;
      if (at < rest) use(tile_width + at % rest_width, at / rest_width, others[i]);
    }
  }

 private:
  template <class TexelAt>
  __device__ void load(const TexelAt& texel_at) {
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
#pragma unroll
    for (int i = 0; i < down; ++i)
#pragma unroll
      for (int k = 0; k < across; ++k) texels[i][k] = texel_at(lane + 32 * k, warp + warps * i);
#pragma unroll
    for (int i = 0; i < rests; ++i) {
      const int at = static_cast<int>(threadIdx.x) + threads * i;
      others[i] = ~0u;
      if (at < rest) others[i] = texel_at(tile_width + at % rest_width, at / rest_width);
    }
  }
};

/// A warp computes half of the tile's rows, for one pair of channels. A thread computes two
/// columns.
__device__ void make_medians(Memory& memory) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  auto* const column = &memory.keys[warp % 2][0][2 * lane];
  const auto row = [&](int y) {
    const auto* const at = reinterpret_cast<const uint2*>(column + (y + radius) * read_width);
    Keys<Key, 2 + 2 * radius> keys;
#pragma unroll
    for (int k = 0; k < 1 + radius; ++k)
      keys.v[2 * k] = key_of(at[k].x), keys.v[2 * k + 1] = key_of(at[k].y);
    return keys;
  };
  const int first = warp / 2 * rows_of_warp;
  MedianColumnPair<Key> medians;
  medians.begin(first, row);
#pragma unroll 2
  for (int i = 0; i < rows_of_warp / medians.rows; ++i) {
    const int y = first + i * medians.rows;
    std::uint32_t made[medians.rows][2];
    medians.step(y, row,
                 [&](int at, int of, const Key& key) { made[at - y][of] = joined_keys(key); });
    __syncwarp();  // all lanes have read these rows
#pragma unroll
    for (int k = 0; k < medians.rows; ++k)
      *reinterpret_cast<uint2*>(column + LightTile::row_of_medians(y + k) * read_width) =
          uint2{made[k][0], made[k][1]};
  }
}

/// A texel's lowest possible codes, and which of its colours may have a higher code.
struct NearTexel {
  std::uint32_t low, alpha;
  std::uint32_t difference[colors];

  __device__ NearTexel(const std::uint32_t* entries, std::uint32_t red_green,
                       std::uint32_t blue_alpha)
      : alpha(blue_alpha >> 16) {
    const std::uint32_t divisor = (alpha == 0 ? 255u : alpha) | 0x4b000000u;
    const AlphaScale scale(detail::near_reciprocal(float_from_bits(divisor) - 0x1p23f));
    const CodesOfKey red(entries, red_green & 0xffffu, scale),
        green(entries, red_green >> 16, scale), blue(entries, blue_alpha & 0xffffu, scale);
    low = __byte_perm(__byte_perm(red.low, green.low, 0x0073), __byte_perm(blue.low, alpha, 0x0043),
                      0x5410);
    difference[0] = red.difference(), difference[1] = green.difference(),
    difference[2] = blue.difference();
  }
  __device__ bool is_in_doubt() const {
    return (difference[0] | difference[1] | difference[2]) >> 24 != 0 || !is_sure_alpha(alpha);
  }
  /// A bit for each colour.
  __device__ std::uint32_t doubts() const {
    if (!is_sure_alpha(alpha)) return (1u << colors) - 1;
    std::uint32_t bits = 0;
#pragma unroll
    for (int c = 0; c < colors; ++c) bits |= (difference[c] >> 24 != 0 ? 1u : 0u) << c;
    return bits;
  }
};

__device__ void list(Memory& memory, int x, int y, std::uint32_t doubts) {
  for (; doubts != 0; doubts &= doubts - 1) {
    const int color = __ffs(static_cast<int>(doubts)) - 1;
    const std::uint32_t at = atomicAdd(&memory.doubts, 1u);
    if (at < most_listed)
      memory.listed[at] = static_cast<std::uint16_t>((color * tile_height + y) * tile_width + x);
  }
}

/// A colour's exact code. @param code a code that is not higher. It is too low if the light of at
/// least 13 of the window's pixels, divided by alpha, has a higher code.
/// @param texel_at returns the texel at a distance from the pixel.
template <class TexelAt>
__device__ std::uint32_t exact_code(const LightTile& tile, int color, std::uint32_t alpha_code,
                                    std::uint32_t code, const TexelAt& texel_at) {
  const float alpha = detail::code_to_float<255>(static_cast<int>(alpha_code));
  const float reciprocal = detail::reciprocal_of(alpha);
  while (code < 255) {
    const float threshold = __ldg(tile.codes->thresholds + code + 1);
    // The smallest light with a higher code: a product is at most three steps off.
    std::uint32_t bits = bits_of(threshold * alpha) - 3;
    while (detail::color_over_alpha(float_from_bits(bits), alpha, reciprocal) < threshold) ++bits;
    int higher = 0;
#pragma unroll 1
    for (int j = -radius; j <= radius; ++j) {
#pragma unroll
      for (int i = -radius; i <= radius; ++i) {
        const std::uint32_t texel = texel_at(i, j);
        const float light = tile.memory.light[texel >> 8 * color & 255u] *
                            detail::code_to_float<255>(static_cast<int>(texel >> 24));
        higher += light >= float_from_bits(bits);
      }
    }
    if (higher <= window / 2) break;
    ++code;
    if (is_sure_alpha(alpha_code)) break;  // no higher code is possible
  }
  return code;
}

__device__ void store_texels(const LightTile& tile, bool is_opaque) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  Memory& memory = tile.memory;
  const int x = 2 * lane;
  const int columns = tile.target.left + tile.target.width - (tile.left + x);  // from x on
  const int rows = min(tile_height, tile.target.top + tile.target.height - tile.top);
  const auto store_pair = [&](int y, const std::uint32_t(&texels)[2]) {
    if (columns >= 2)
      tile.store(x, y, 0, uint2{texels[0], texels[1]});
    else if (columns == 1)
      tile.store(x, y, 0, texels[0]);
  };
#pragma unroll 1
  for (int y = warp; y < rows; y += warps) {
    const int row = LightTile::row_of_medians(y);
    auto& texels_of_row = *reinterpret_cast<uint2*>(&memory.keys[0][row][x]);
    const uint2 first = texels_of_row;
    const uint2 second = *reinterpret_cast<const uint2*>(&memory.keys[1][row][x]);
    if (is_opaque) {
      const std::uint32_t texels[] = {__byte_perm(first.x, second.x, 0x6420),
                                      __byte_perm(first.y, second.y, 0x6420)};
      store_pair(y, texels);
      continue;
    }
    const NearTexel left(memory.entries, first.x, second.x);
    const NearTexel right(memory.entries, first.y, second.y);
    const std::uint32_t texels[] = {left.low, right.low};
    store_pair(y, texels);
    texels_of_row = uint2{texels[0], texels[1]};  // store_codes_in_doubt() reads them
    if (left.is_in_doubt() || right.is_in_doubt()) {
      list(memory, x, y, left.doubts());
      list(memory, x + 1, y, right.doubts());
    }
  }
}

__device__ void store_codes_in_doubt(const LightTile& tile) {
  Memory& memory = tile.memory;
  const bool is_inside = tile.is_inside(), are_listed = memory.doubts <= most_listed;
  const auto pitch = static_cast<std::int64_t>(tile.source.pitch_bytes);
  const int count =
      are_listed ? static_cast<int>(memory.doubts) : colors * tile_width * tile_height;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) {
    const int place = are_listed ? memory.listed[i] : i;
    const int x = place % tile_width, y = place / tile_width % tile_height;
    const int color = place / (tile_width * tile_height);
    if (!tile.target.contains(tile.left + x, tile.top + y)) continue;
    const std::uint32_t texel = memory.keys[0][LightTile::row_of_medians(y)][x];
    const std::uint32_t alpha = texel >> 24;
    if (alpha == 0) continue;
    const std::uint32_t low = texel >> 8 * color & 255u;
    std::uint32_t code;
    if (is_inside) {
      const char* const middle = tile.source.texel(tile.left + x, tile.top + y);
      code = exact_code(tile, color, alpha, low, [&](int i, int j) {
        return tile.source.fetch(middle + j * pitch + 4 * i).word[0];
      });
    } else {
      code = exact_code(tile, color, alpha, low,
                        [&](int i, int j) { return tile.texel(x + i, y + j); });
    }
    if (code != low) tile.store(x, y, color, static_cast<std::uint8_t>(code));
  }
}

__global__ void __launch_bounds__(threads, 6)
    median_light(Source source, Target target, BorderAxis columns, BorderAxis rows,
                 const NearCodes* codes) {
  __shared__ Memory memory;
  const LightTile tile{source,
                       target,
                       columns,
                       rows,
                       codes,
                       memory,
                       target.left + static_cast<int>(blockIdx.x) * tile_width,
                       target.top + static_cast<int>(blockIdx.y) * tile_height};
  const TileTexels texels(tile);
  for (int i = static_cast<int>(threadIdx.x); i < light_of_codes; i += threads) {
    const float light = __ldg(source.form.tables.srgb8->decode + i);
    memory.light[i] = light;
    memory.key_light[i] = light * (1.0f / 255);
  }
  for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(NearCodes::count); i += threads)
    memory.entries[i] = __ldg(codes->entries + i);
  if (threadIdx.x == 0) memory.doubts = 0;
  const bool is_opaque = __syncthreads_or(!texels.are_opaque()) == 0;
  if (is_opaque)
    texels.each(
        [&](int x, int y, std::uint32_t texel) { store_keys_of_codes(memory, x, y, texel); });
  else
    texels.each(
        [&](int x, int y, std::uint32_t texel) { store_keys_of_light(memory, x, y, texel); });
  __syncthreads();
  make_medians(memory);
  __syncthreads();
  store_texels(tile, is_opaque);
  if (is_opaque) return;
  __syncthreads();
  store_codes_in_doubt(tile);
}

}  // namespace

struct LightCodesOnCard {
  DeviceTable<NearCodes> codes;
};

void median_of_light(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                     const Frame& target) {
  const auto on_card = plan.on_card.of(card, [&] {
    return std::make_shared<LightCodesOnCard>(
        LightCodesOnCard{{card, std::span<const NearCodes>(&near_codes(), 1)}});
  });
  const Rect& t = target.region();
  const dim3 grid = blocks_for(t.width, t.height, dim3(tile_width, tile_height));
  median_light<<<grid, threads, 0, card.stream()>>>(
      form_rows<4, FormKind::srgb8>(card, source), form_target<4, FormKind::srgb8>(card, target),
      plan.borders.columns, plan.borders.rows, on_card->codes.data());
  check_launch("median_light");
}

}  // namespace cuimg
