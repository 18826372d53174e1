// SPDX-License-Identifier: Apache-2.0
// Reads frames of narrow pixels 16 bytes at a time, down columns: the lanes of a warp have adjacent
// pieces of a row. The first and the last lane only supply values to their neighbours.
#pragma once

#include <algorithm>

#include "device/cuda/cuda_border.cuh"
#include "device/cuda/cuda_limits.h"
#include "stages/warp/border_sampler.h"
#include "stages/window/window_wide.cuh"

namespace cuimg::detail {

inline constexpr int word_batch = 4;  // rows that are fetched together
inline constexpr int piece_bytes = 16;
inline constexpr int warp_bytes = 30 * piece_bytes;  // of a row, that a warp produces

struct alignas(piece_bytes) Piece {
  unsigned v[4];
};

struct WordPass {
  const char* data;  ///< The source's first row.
  std::size_t pitch_bytes;
  int left, top;
  AnyMemory to;
  BorderAxis columns, rows;
  bool zero_above,
      zero_below;  ///< Whether zeros are beyond the rows; otherwise their edges repeat.
  Rect target;
};

/// Whether pieces of both frames begin at the same columns, and the pixels beyond the edges are
/// copies of the edges, or zeros.
inline bool suits_words(const BorderSampler& borders, int pixel_bytes, const Frame& source,
                        const Frame& target) {
  return !source.empty() && borders.columns.low < borders.columns.high &&
         borders.rows.low < borders.rows.high && borders.columns.rule == BorderRule::clamp &&
         borders.rows.rule == BorderRule::clamp &&
         (target.region().x - source.region().x) * pixel_bytes % piece_bytes == 0 &&
         StoredRows<char>(source).is_aligned(piece_bytes);
}

inline WordPass word_pass_of(const BorderSampler& borders, const Frame& source,
                             const Frame& target) {
  return {static_cast<const char*>(source.card().data()),
          source.card().pitch_bytes(),
          source.region().x,
          source.region().y,
          target.card().any_memory(),
          borders.columns,
          borders.rows,
          borders.rows(borders.rows.low - 1) == BorderAxis::nothing,
          borders.rows(borders.rows.high) == BorderAxis::nothing,
          target.region()};
}

/// The number of strips of a target, each produced by a warp.
inline int strips_of(int pixel_bytes, const Rect& target) {
  return (target.width * pixel_bytes + warp_bytes - 1) / warp_bytes;
}

/// The word of the next lane on either side.
template <class Word>
__device__ inline Word from_lane(Word word, int side) {
  return __shfl_sync(0xffffffffu, word, (static_cast<int>(threadIdx.x) + side) & 31);
}

/// The pieces of a thread on its way down. @tparam step bytes of a pixel. @tparam is_in_rows
/// whether the target is known not to be an array.
template <int step, bool is_in_rows = false>
class WordColumn {
  static constexpr int pixels = piece_bytes / step;

 public:
  /// A part of a strip. @param strip its number from the left. @param top, bottom of its rows, from
  /// the target's first row. @param radius of windows.
  __device__ WordColumn(const WordPass& p, int strip, int top, int bottom, int radius)
      : p_(p),
        lane_(static_cast<int>(threadIdx.x) % 32),
        byte_(strip * warp_bytes + (lane_ - 1) * piece_bytes),
        top_(top),
        bottom_(bottom),
        first_row_(p.target.y + top - radius) {
    const BorderAxis& axis = p.columns;
    const int first = p.target.x + byte_ / step;
    int from = first;  // the first column of the piece that is read
    if (first + pixels <= axis.low) from = whole_pieces(axis.low);
    if (first >= axis.high) from = whole_pieces(axis.high - 1);
    data_ = p.data + static_cast<std::ptrdiff_t>(from - p.left) * step;
    before_ = clamp(axis.low - first, 0, pixels) * step;
    after_ = clamp(axis.high - first, 0, pixels) * step;
    if (!is_whole()) {
      edge_[0] = axis(axis.low - 1) == BorderAxis::nothing ? -1 : (axis.low - from) * step;
      edge_[1] = axis(axis.high) == BorderAxis::nothing ? -1 : (axis.high - 1 - from) * step;
    }
  }

  /// Loads rows of the source from `row` on; row 0 is the first row of a window.
  template <int count>
  __device__ void fetch(int row, Piece (&pieces)[count]) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const int y = first_row_ + row + i;
      const int inside = min(max(y, p_.rows.low), p_.rows.high - 1) - p_.top;
      uint4 words = {};
      if ((y >= p_.rows.low || !p_.zero_above) && (y < p_.rows.high || !p_.zero_below))
        words = __ldg(reinterpret_cast<const uint4*>(data_ + static_cast<std::size_t>(inside) *
                                                                 p_.pitch_bytes));
      pieces[i] = {{words.x, words.y, words.z, words.w}};
    }
  }
  /// Replaces pixels beyond the edges by those that the border's rule asks for.
  __device__ void patch(Piece& piece) const {
    if (is_whole()) return;
    unsigned edges[2][2];
#pragma unroll
    for (int side = 0; side < 2; ++side) repeat(piece, edge_[side], edges[side]);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned low = first_bytes(before_ - 4 * i), high = first_bytes(after_ - 4 * i);
      piece.v[i] = (edges[0][i % 2] & low) | (piece.v[i] & high & ~low) | (edges[1][i % 2] & ~high);
    }
  }
  /// Stores a piece of the target in this row, counted from the first, if there is such a piece and
  /// the thread produces it.
  template <class T>
  __device__ void store(int row, const Piece& piece) const {
    store_for<T>(lane_, row, piece);
  }
  __device__ bool is_in_array() const { return p_.to.is_array(); }
  /// Stores pieces of that row, an even one of an array, and of the next. All lanes call it.
  template <class T>
  __device__ void store_in_array(int row, const Piece& upper, const Piece& lower) const {
    store_as_squares(upper, lower, [&](int dx, int dy, const Piece& piece) {
      store_for<T>(lane_ + dx, row + dy, piece);
    });
  }

 private:
  /// Stores the result of a lane.
  template <class T>
  __device__ void store_for(int lane, int row, const Piece& piece) const {
    const int y = top_ + row, byte = byte_ + (lane - lane_) * piece_bytes;
    const int rest = row_bytes() - byte;
    if (row < 0 || y >= bottom_ || rest <= 0 || lane == 0 || lane == 31) return;
    if (rest >= piece_bytes)
      return memory().store_streaming(byte, y,
                                      uint4{piece.v[0], piece.v[1], piece.v[2], piece.v[3]});
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
#pragma unroll
    for (int at = 0; at < piece_bytes; at += static_cast<int>(sizeof(T)))
      if (at < rest)
        memory().store(byte + at, y, static_cast<Bits>(piece.v[at / 4] >> (8 * (at % 4))));
  }
  __device__ const auto& memory() const {
    if constexpr (is_in_rows)
      return p_.to.rows;
    else
      return p_.to;
  }
  __device__ int row_bytes() const { return p_.target.width * step; }
  __device__ bool is_whole() const { return before_ == 0 && after_ == piece_bytes; }
  __device__ int whole_pieces(int column) const {
    return p_.left + (column - p_.left) / pixels * pixels;
  }
  /// A word whose first bytes are set. @param count of them.
  __device__ static unsigned first_bytes(int count) {
    return count <= 0 ? 0u : count >= 4 ? 0xffffffffu : (1u << (8 * count)) - 1;
  }
  /// Copies of one pixel of a piece, or 0.
  __device__ static void repeat(const Piece& piece, int byte, unsigned (&words)[2]) {
    words[0] = words[1] = 0;
    // Selected by masks: an index would move the words from registers to memory.
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      words[0] |= piece.v[i] & -static_cast<unsigned>(byte >> 2 == i);
      words[1] |= piece.v[i] & -static_cast<unsigned>((byte >> 2) + 1 == i && byte >= 0);
    }
    if constexpr (step < 8) words[1] = words[0];
    if constexpr (step < 4) {
      const unsigned pixel = words[0] >> (8 * (byte % 4)) & ((1u << (8 * step)) - 1);
      words[0] = words[1] = pixel * (step == 1 ? 0x01010101u : 0x00010001u);
    }
  }

  const WordPass& p_;
  const int lane_, byte_, top_, bottom_, first_row_;
  const char* data_;
  int before_, after_;      ///< Where the frame's pixels begin and end in the piece, in bytes.
  int edge_[2] = {-1, -1};  ///< The positions of the edges' pixels; -1 for zeros.
};

}  // namespace cuimg::detail
