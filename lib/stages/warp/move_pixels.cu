// SPDX-License-Identifier: Apache-2.0
// Moved texels on a card: one by one where a border has a say, else rows as words of sixteen bytes,
// and rows that become columns by tiles in shared memory.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "device/cuda/cuda_words.cuh"
#include "kernels/texture/texture_cuda.h"
#include "stages/warp/move_pixels.h"

namespace cuimg {
namespace {

struct MovedTexel {
  ByteRows source;
  IndexMap map;
  TexelWords fill;

  __device__ TexelWords operator()(int x, int y) const {
    const int u = map.column(map.transposed ? y : x), v = map.row(map.transposed ? x : y);
    const int column = map.columns(u), row = map.rows(v);
    if (column != BorderAxis::nothing && row != BorderAxis::nothing)
      return source.words(column, row);
    const bool beyond = IndexMap::is_beyond(map.columns, u) || IndexMap::is_beyond(map.rows, v);
    return beyond ? fill : TexelWords{};
  }
};

constexpr int move_threads = 256;

// Pixels of a region that all lie in the source, in rows on both sides.
struct PlainMove {
  ByteRows source;
  IndexMap map;
  ByteRows target;
  Rect region;
};

/// A word's texels, the last one first.
template <int texel_bytes>
__device__ std::uint32_t turned(std::uint32_t w) {
  if constexpr (texel_bytes < 4) w = w >> 16 | w << 16;
  if constexpr (texel_bytes < 2) w = (w >> 8 & 0x00ff00ffu) | (w << 8 & 0xff00ff00u);
  return w;
}
template <int texel_bytes>
__device__ uint4 turned(const uint4& w) {
  if constexpr (texel_bytes == 16) return w;
  if constexpr (texel_bytes == 8) return {w.z, w.w, w.x, w.y};
  return {turned<texel_bytes>(w.w), turned<texel_bytes>(w.z), turned<texel_bytes>(w.y),
          turned<texel_bytes>(w.x)};
}

/// @tparam turns rows are read from their ends.
template <int texel_bytes, bool turns>
__global__ void __launch_bounds__(move_threads) move_rows_kernel(PlainMove move, int words) {
  constexpr int in_word = static_cast<int>(sizeof(uint4)) / texel_bytes;
  const int word = static_cast<int>(blockIdx.x * move_threads + threadIdx.x);
  if (word >= words) return;
  const int x = move.region.x + word * in_word;
  const int from = move.map.column(x) - (turns ? in_word - 1 : 0);
  const int end = move.region.y + move.region.height;
  for (int y = move.region.y + static_cast<int>(blockIdx.y); y < end;
       y += static_cast<int>(gridDim.y)) {
    const auto* const read =
        reinterpret_cast<const uint4*>(move.source.texel(from, move.map.row(y)));
    const uint4 texels = __ldcs(read);
    __stcs(reinterpret_cast<uint4*>(move.target.texel(x, y)),
           turns ? turned<texel_bytes>(texels) : texels);
  }
}

/// A side of a tile: enough narrow texels are on their way to a thread.
template <class Texel>
constexpr int tile_texels = sizeof(Texel) <= 4 ? 64 : 32;

/// Rows become columns: a block reads a square along the source's rows and stores it along the
/// target's.
template <class Texel>
__global__ void __launch_bounds__(move_threads) transpose_kernel(PlainMove move) {
  constexpr int side = tile_texels<Texel>, rows = move_threads / side;
  __shared__ Texel tile[side][side + 1];  // no two of a column in one bank
  const int column = static_cast<int>(threadIdx.x) % side;
  const int row = static_cast<int>(threadIdx.x) / side;
  const int left = move.region.x + static_cast<int>(blockIdx.x) * side;
  const int top = move.region.y + static_cast<int>(blockIdx.y) * side;
  const int right = move.region.x + move.region.width;
  const int bottom = move.region.y + move.region.height;
  const char* from = move.source.texel(move.map.column(top + column), move.map.row(left + row));
  const std::ptrdiff_t down =
      static_cast<std::ptrdiff_t>(move.source.pitch_bytes) * (rows * move.map.row.sign);
  const int read = top + column < bottom ? right - left - row : 0;
#pragma unroll
  for (int j = 0; j < side; j += rows, from += down)
    if (j < read) tile[row + j][column] = *reinterpret_cast<const Texel*>(from);
  __syncthreads();
  char* to = move.target.texel(left + column, top + row);
  const std::size_t stored_down = move.target.pitch_bytes * rows;
  const int stored = left + column < right ? bottom - top - row : 0;
#pragma unroll
  for (int j = 0; j < side; j += rows, to += stored_down)
    if (j < stored) *reinterpret_cast<Texel*>(to) = tile[column][row + j];
}

// Whether indices of a run of coordinates lie among the axis's pixels.
bool reaches_only(const BorderAxis& pixels, const IndexMap::Axis& axis, int first, int count) {
  const int a = axis(first), b = axis(first + count - 1);
  return std::min(a, b) >= pixels.low && std::max(a, b) < pixels.high;
}

bool is_plain(const IndexMap& map, const Rect& r, const Frame& target) {
  if (target.card().is_array() || r.empty()) return false;
  const int u = map.transposed ? r.y : r.x, v = map.transposed ? r.x : r.y;
  const int us = map.transposed ? r.height : r.width, vs = map.transposed ? r.width : r.height;
  return reaches_only(map.columns, map.column, u, us) && reaches_only(map.rows, map.row, v, vs);
}

/// use(std::integral_constant) of a texel's size.
template <class Use>
void with_texel_bytes(int bytes, const Use& use) {
  switch (bytes) {
    case 1:
      return use(std::integral_constant<int, 1>());
    case 2:
      return use(std::integral_constant<int, 2>());
    case 4:
      return use(std::integral_constant<int, 4>());
    case 8:
      return use(std::integral_constant<int, 8>());
    default:
      return use(std::integral_constant<int, 16>());
  }
}

/// @returns false where the two sides' words do not lie alike, or each texel is a word.
bool move_rows(CudaQueue& card, const PlainMove& move) {
  if (move.source.texel_bytes == static_cast<int>(sizeof(uint4))) return false;
  const int in_word = static_cast<int>(sizeof(uint4)) / move.source.texel_bytes;
  const bool turns = move.map.column.sign < 0;
  // Rows end with room for a whole word, but begin with none.
  if (turns && move.region.width % in_word != 0) return false;
  const int first = move.map.column(move.region.x) - (turns ? in_word - 1 : 0);
  if ((first - move.source.left) % in_word != 0) return false;
  const int words = (move.region.width + in_word - 1) / in_word;
  const dim3 blocks((static_cast<unsigned>(words) + move_threads - 1) / move_threads,
                    static_cast<unsigned>(std::min(move.region.height, most_blocks_down)));
  with_texel_bytes(move.source.texel_bytes, [&]<int bytes>(std::integral_constant<int, bytes>) {
    if (turns)
      move_rows_kernel<bytes, true><<<blocks, move_threads, 0, card.stream()>>>(move, words);
    else
      move_rows_kernel<bytes, false><<<blocks, move_threads, 0, card.stream()>>>(move, words);
  });
  check_launch("move_rows");
  return true;
}

void transpose(CudaQueue& card, const PlainMove& move) {
  with_texel_bytes(move.source.texel_bytes, [&]<int bytes>(std::integral_constant<int, bytes>) {
    using Texel = typename detail::Word<bytes>::type;
    constexpr dim3 tile(tile_texels<Texel>, tile_texels<Texel>);
    for_parts(move.region, tile, 1, [&](const Rect& part, dim3 blocks) {
      PlainMove of_part = move;
      of_part.region = part;
      transpose_kernel<Texel><<<blocks, move_threads, 0, card.stream()>>>(of_part);
      check_launch("transpose");
    });
  });
}

}  // namespace

void move_on_cuda(const Queue& queue, const IndexMap& map, const StoredTexel& fill,
                  const Frame& source, const Frame& target) {
  CudaQueue& card = queue.card();
  if (is_plain(map, target.region(), target)) {
    const PlainMove plain{ByteRows(source), map, ByteRows(target), target.region()};
    if (map.transposed) return transpose(card, plain);
    if (move_rows(card, plain)) return;
  }
  MovedTexel moved{ByteRows(source), map, {}};
  std::memcpy(moved.fill.word, fill.data(), sizeof moved.fill.word);
  make_texels(card, "move", moved, target);
}

}  // namespace cuimg
