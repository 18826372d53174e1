// SPDX-License-Identifier: Apache-2.0
// Looks up codes on a card: sixteen bytes per thread at a time, with the table in shared memory if
// there is room, in blocks that stay for the whole picture.
#include <algorithm>
#include <memory>

#include "device/cuda/cuda_limits.h"
#include "device/cuda/cuda_words.cuh"
#include "device/queue.h"
#include "stages/pass/code_table.h"
#include "stages/pass/row_turns.cuh"

namespace cuimg {
namespace {

constexpr int most_threads = 1024;
constexpr int words_at_once = 4;  // of sixteen bytes, being loaded by a thread

// A channel's position in the table, and whether alpha's code selects it.
struct ChannelCodes {
  std::uint32_t first[4];
  std::uint32_t row_mask[4];
  std::uint32_t alpha_shift;  ///< The position of alpha's bits in a pixel.
};

// Words of rows, processed in turns: along the rows, or for an array, whose sectors are two rows
// high, in tiles of half a block's threads or a whole block's, with a warp's 16 words of a row and
// those below them.
struct WordRows {
  static constexpr std::uint32_t tile = most_threads / 2, tile_words = 16,
                                 tile_rows = tile / tile_words;

  const char* source;
  std::size_t source_pitch;
  WordTarget target;
  std::uint32_t words, rows;  ///< Words of a row.
  bool in_tiles;

  struct At {
    std::uint32_t word, row;
  };
  __host__ __device__ std::uint32_t pieces() const {
    return in_tiles ? (words + tile_words - 1) / tile_words * tile : words;
  }
  __device__ At at(const TurnInRows& turn) const {
    if (!in_tiles) return {turn.piece, turn.row};
    const std::uint32_t in_tile = turn.piece % tile;
    return {turn.piece / tile * tile_words + in_tile % tile_words,
            turn.row * tile_rows + in_tile / tile_words};
  }
  __device__ bool has(const At& at) const { return at.row < rows && at.word < words; }
  /// Whether there are words in a turn's row or below it.
  __device__ bool has_row(std::uint32_t row) const {
    return in_tiles ? row * tile_rows < rows : row < rows;
  }
};

/// @tparam texel_bytes 1, 2 or 4: stored channels of a pixel.
template <int texel_bytes>
__device__ std::uint32_t looked_up(const std::uint8_t* codes, const ChannelCodes& channels,
                                   std::uint32_t four) {
  std::uint32_t made = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    constexpr int per_word = 4 / texel_bytes;
    const int c = i % texel_bytes;
    const std::uint32_t pixel = per_word == 1 ? four : four >> (8 * (i - c));
    const std::uint32_t row = (pixel >> channels.alpha_shift & 255u) << 8 & channels.row_mask[c];
    const std::uint32_t code = four >> (8 * i) & 255u;
    made |= static_cast<std::uint32_t>(codes[channels.first[c] + row + code]) << (8 * i);
  }
  return made;
}

template <int texel_bytes>
__device__ uint4 looked_up(const std::uint8_t* codes, const ChannelCodes& channels,
                           const uint4& words) {
  return {looked_up<texel_bytes>(codes, channels, words.x),
          looked_up<texel_bytes>(codes, channels, words.y),
          looked_up<texel_bytes>(codes, channels, words.z),
          looked_up<texel_bytes>(codes, channels, words.w)};
}

template <int texel_bytes>
__global__ void __launch_bounds__(most_threads)
    code_table_kernel(const std::uint8_t* table, std::uint32_t shared_bytes, ChannelCodes channels,
                      WordRows rows) {
  extern __shared__ double shared_memory[];
  const std::uint8_t* codes = table;
  if (shared_bytes > 0) {
    auto* const copy = reinterpret_cast<uint4*>(shared_memory);
    for (std::uint32_t i = threadIdx.x; i < shared_bytes / sizeof(uint4); i += blockDim.x)
      copy[i] = __ldg(reinterpret_cast<const uint4*>(table) + i);
    __syncthreads();
    codes = reinterpret_cast<const std::uint8_t*>(shared_memory);
  }
  const std::uint32_t threads = gridDim.x * blockDim.x;
  TurnInRows turn(blockIdx.x * blockDim.x + threadIdx.x, threads, rows.pieces());
  while (rows.has_row(turn.row)) {
    uint4 word[words_at_once] = {};
    WordRows::At at[words_at_once];
#pragma unroll
    for (int i = 0; i < words_at_once; ++i) {
      at[i] = rows.at(turn);
      if (rows.has(at[i]))
        word[i] = __ldcs(reinterpret_cast<const uint4*>(
            rows.source + at[i].row * rows.source_pitch + at[i].word * sizeof(uint4)));
      turn.advance();
    }
#pragma unroll
    for (int i = 0; i < words_at_once; ++i)
      if (rows.has(at[i]))
        rows.target.store(static_cast<int>(at[i].word * sizeof(uint4)), static_cast<int>(at[i].row),
                          looked_up<texel_bytes>(codes, channels, word[i]));
  }
}

template <int texel_bytes>
void launch(CudaQueue& card, const std::uint8_t* table, std::size_t table_bytes,
            const ChannelCodes& channels, const WordRows& rows) {
  const bool is_shared = table_bytes <= shared_bytes_of_block(card);
  const std::size_t shared = is_shared ? table_bytes : 0;
  if (shared > shared_bytes_without_asking)
    check(
        cudaFuncSetAttribute(code_table_kernel<texel_bytes>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
        "cudaFuncSetAttribute");
  // Limits per multiprocessor: its threads, or those of a block.
  const std::size_t room = is_shared ? card.shared_bytes() / (shared + 1024) : 4;
  const std::size_t of_each = std::clamp(room, std::size_t{1}, std::size_t{4});
  const std::size_t threads = of_each <= 2 ? most_threads : most_threads / 2;
  const std::size_t all = std::size_t{rows.words} * rows.rows;
  // A block processes at least as many words as it copies of the table.
  const std::size_t of_block = std::max(threads * words_at_once, shared / sizeof(uint4));
  const std::size_t blocks = std::min(static_cast<std::size_t>(card.multiprocessors()) * of_each,
                                      (all + of_block - 1) / of_block);
  code_table_kernel<texel_bytes>
      <<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), shared, card.stream()>>>(
          table, static_cast<std::uint32_t>(shared), channels, rows);
  check_launch("code_table");
}

// Bytes from a row's start to the target's first pixel.
std::size_t distance(const Frame& source, const Frame& target) {
  return static_cast<std::size_t>(target.region().x - source.region().x) *
         source.format().pixel_bytes();
}

}  // namespace

struct CodeTable::OnCard {
  DeviceTable<std::uint8_t> codes;
};

bool CodeTable::can_apply_on_cuda(const Frame& source, const Frame& target) {
  return distance(source, target) % sizeof(uint4) == 0;
}

// Rows of pitched frames have room for whole words at their ends.
void CodeTable::apply_on_cuda(const Queue& queue, const Frame& source, const Frame& target) const {
  CudaQueue& card = queue.card();
  const auto table = on_cards_.of(card, [&] {
    std::vector<std::uint8_t> codes = codes_;
    codes.resize((codes.size() + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4));
    return std::make_shared<OnCard>(
        OnCard{DeviceTable<std::uint8_t>(card, std::span<const std::uint8_t>(codes))});
  });
  ChannelCodes channels = {};
  for (int c = 0; c < 4; ++c) {
    channels.first[c] = static_cast<std::uint32_t>(first(c));
    channels.row_mask[c] = alpha_ < 0 || c == alpha_ ? 0u : ~0u;
  }
  channels.alpha_shift = alpha_ < 0 ? 0u : 8u * static_cast<std::uint32_t>(alpha_);
  const Rect& r = target.region();
  const std::size_t row_bytes = static_cast<std::size_t>(r.width) * target.format().pixel_bytes();
  const auto* const from = static_cast<const char*>(source.card().data());
  const WordRows rows{
      from + static_cast<std::size_t>(r.y - source.region().y) * source.card().pitch_bytes() +
          distance(source, target),
      source.card().pitch_bytes(),
      WordTarget(target),
      static_cast<std::uint32_t>((row_bytes + sizeof(uint4) - 1) / sizeof(uint4)),
      static_cast<std::uint32_t>(r.height),
      target.card().is_array()};
  const std::size_t bytes = table->codes.size();
  switch (target.format().stored_channels()) {
    case 1:
      return launch<1>(card, table->codes.data(), bytes, channels, rows);
    case 2:
      return launch<2>(card, table->codes.data(), bytes, channels, rows);
    default:
      return launch<4>(card, table->codes.data(), bytes, channels, rows);
  }
}

}  // namespace cuimg
