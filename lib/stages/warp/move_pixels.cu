// SPDX-License-Identifier: Apache-2.0
// Kernels that move texels: one by one where the border matters, otherwise rows in words of 16
// bytes. Rows that become columns go through tiles in shared memory.
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

// Pixels of a region that all lie in the source.
struct PlainMove {
  ByteRows source;
  IndexMap map;
  WordTarget target;
  Rect region;
};

/// A word with its texels in reverse order.
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

/// For a block of move_threads, of any shape. @tparam turns whether rows are reversed.
template <int texel_bytes, bool turns>
__global__ void __launch_bounds__(move_threads) move_rows_kernel(PlainMove move, int words) {
  constexpr int in_word = static_cast<int>(sizeof(uint4)) / texel_bytes;
  const int word = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (word >= words) return;
  const int x = move.region.x + word * in_word;
  const int from = move.map.column(x) - (turns ? in_word - 1 : 0);
  const int end = move.region.y + move.region.height;
  for (int y = move.region.y + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < end;
       y += static_cast<int>(gridDim.y * blockDim.y)) {
    const auto* const read =
        reinterpret_cast<const uint4*>(move.source.texel(from, move.map.row(y)));
    const uint4 texels = __ldcs(read);
    move.target.store(word * static_cast<int>(sizeof(uint4)), y - move.target.top,
                      turns ? turned<texel_bytes>(texels) : texels);
  }
}

/// The side of a tile. It is larger for narrow texels, so that a thread has enough loads in flight.
template <class Texel>
constexpr int tile_texels = sizeof(Texel) <= 4 ? 64 : 32;

// Stores a tile's columns as an array's rows, in words of 16 bytes. The words of a warp form a
// column.
template <class Texel>
__device__ void store_in_array(const WordTarget& target,
                               const Texel (&tile)[tile_texels<Texel>][tile_texels<Texel> + 1],
                               int x, int y, int width, int height) {
  constexpr int side = tile_texels<Texel>;
  constexpr int in_word = static_cast<int>(sizeof(uint4) / sizeof(Texel)), words = side / in_word;
  struct alignas(16) Together {
    Texel v[in_word];
  };
  const int column = static_cast<int>(threadIdx.x) % words * in_word;
  if (column >= width) return;
#pragma unroll
  for (int row = 0; row < side; row += move_threads / words) {
    const int line = row + static_cast<int>(threadIdx.x) / words;
    if (line >= min(height, side)) return;
    Together together;
#pragma unroll
    for (int i = 0; i < in_word; ++i) together.v[i] = tile[column + i][line];
    target.store((x + column) * static_cast<int>(sizeof(Texel)), y + line,
                 __builtin_bit_cast(uint4, together));
  }
}

/// Turns rows into columns: a block reads a square along the source's rows and stores it along the
/// target's rows.
template <class Texel>
__global__ void __launch_bounds__(move_threads) transpose_kernel(PlainMove move) {
  constexpr int side = tile_texels<Texel>, rows = move_threads / side;
  __shared__ Texel tile[side][side + 1];  // padded: a column's texels are in different banks
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
  const WordTarget& target = move.target;
  if (target.memory.is_array())
    return store_in_array(target, tile, left - target.left, top - target.top, right - left,
                          bottom - top);
  char* to = target.memory.rows.at<char>(
      (left - target.left + column) * static_cast<int>(sizeof(Texel)), top - target.top + row);
  const std::size_t stored_down = target.memory.rows.pitch_bytes * rows;
  const int stored = left + column < right ? bottom - top - row : 0;
#pragma unroll
  for (int j = 0; j < side; j += rows, to += stored_down)
    if (j < stored) *reinterpret_cast<Texel*>(to) = tile[column][row + j];
}

// Whether a run of coordinates gives only indices of the axis's pixels.
bool reaches_only(const BorderAxis& pixels, const IndexMap::Axis& axis, int first, int count) {
  const int a = axis(first), b = axis(first + count - 1);
  return std::min(a, b) >= pixels.low && std::max(a, b) < pixels.high;
}

bool is_plain_copy(const IndexMap& map, const Frame& target) {
  const Rect& r = target.region();
  // An array's whole words need no tile.
  if (r.empty() || (target.card().is_array() && target.format().pixel_bytes() == sizeof(uint4)))
    return false;
  const int u = map.transposed ? r.y : r.x, v = map.transposed ? r.x : r.y;
  const int us = map.transposed ? r.height : r.width, vs = map.transposed ? r.width : r.height;
  return reaches_only(map.columns, map.column, u, us) && reaches_only(map.rows, map.row, v, vs);
}

/// Calls use(std::integral_constant) with a texel's size.
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

/// @returns false if the words of source and target are not aligned alike, or each texel is a word.
bool move_rows(CudaQueue& card, const PlainMove& move, bool is_array) {
  if (move.source.texel_bytes == static_cast<int>(sizeof(uint4))) return false;
  const int in_word = static_cast<int>(sizeof(uint4)) / move.source.texel_bytes;
  const bool turns = move.map.column.sign < 0;
  // There is room for a whole word at a row's end, but not before its begin.
  if (turns && move.region.width % in_word != 0) return false;
  const int first = move.map.column(move.region.x) - (turns ? in_word - 1 : 0);
  if ((first - move.source.left) % in_word != 0) return false;
  const int words = (move.region.width + in_word - 1) / in_word;
  // An array's sectors contain two rows.
  const dim3 block = is_array ? dim3(8, move_threads / 8) : dim3(move_threads);
  dim3 blocks = blocks_for(words, move.region.height, block);
  blocks.y = std::min(blocks.y, unsigned{most_blocks_down});
  with_texel_bytes(move.source.texel_bytes, [&]<int bytes>(std::integral_constant<int, bytes>) {
    if (turns)
      move_rows_kernel<bytes, true><<<blocks, block, 0, card.stream()>>>(move, words);
    else
      move_rows_kernel<bytes, false><<<blocks, block, 0, card.stream()>>>(move, words);
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
  if (is_plain_copy(map, target)) {
    const PlainMove plain{ByteRows(source), map, WordTarget(target), target.region()};
    if (map.transposed) return transpose(card, plain);
    if (move_rows(card, plain, target.card().is_array())) return;
  }
  MovedTexel moved{ByteRows(source), map, {}};
  std::memcpy(moved.fill.word, fill.data(), sizeof moved.fill.word);
  make_texels(card, "move", moved, target);
}

}  // namespace cuimg
