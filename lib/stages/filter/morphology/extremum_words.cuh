// SPDX-License-Identifier: Apache-2.0
// The least or greatest of small squares of narrow values: whole words pass from memory to memory
// only through registers. A lane of a warp moves down with 16 bytes of each row; neighbouring lanes
// exchange the bytes that they need. The first and the last lane produce no output.
#pragma once

#include <algorithm>

#include "stages/window/extremum_quads.cuh"
#include "stages/window/word_columns.cuh"

namespace cuimg::detail {

inline constexpr int word_threads = 128;

/// The widest squares whose horizontal reach is at most a neighbour's 16 bytes.
template <class T, int N>
inline constexpr int most_word_radius = std::min(3, 16 / (N * static_cast<int>(sizeof(T))));

/// Calls use(std::integral_constant<int, radius>()) if the radius is from 1 to `most`.
template <int most, class Use>
void with_radius(int radius, const Use& use) {
  if (radius == most)
    use(std::integral_constant<int, most>());
  else if constexpr (most > 1)
    with_radius<most - 1>(radius, use);
}

/// The values that a lane compares: its 16 bytes, and bytes of neighbours.
template <class T>
struct PieceStates {
  static constexpr int quads = 4 / sizeof(T);
  typename QuadExtremum<T>::State v[quads][2];
};

template <class T>
__device__ inline PieceStates<T> joined(const PieceStates<T>& a, const PieceStates<T>& b) {
  PieceStates<T> least;
#pragma unroll
  for (int q = 0; q < PieceStates<T>::quads; ++q)
#pragma unroll
    for (int part = 0; part < 2; ++part)
      least.v[q][part] = QuadExtremum<T>::join(a.v[q][part], b.v[q][part]);
  return least;
}

/// Blocks per multiprocessor, as registers allow.
template <class T, int radius>
inline constexpr int word_residents = sizeof(typename QuadExtremum<T>::State) > 4 ? 3
                                      : sizeof(T) == 1 ? (radius == 1 ? 5 : 4)
                                                       : (radius == 1 ? 6 : 5);

/// The extremum of each value and of `radius` pixels on both sides. All threads of a warp call it.
template <class T, int N, int radius>
__device__ inline PieceStates<T> fold_across(const QuadExtremum<T>& fold, const Piece& piece) {
  constexpr int step = N * static_cast<int>(sizeof(T));
  constexpr int around = (radius * step + 3) / 4, words = 4 + 2 * around;
  unsigned row[words + 1];  // one word of extra room, for quads that begin inside a word
#pragma unroll
  for (int i = 0; i < 4; ++i) row[around + i] = piece.v[i];
#pragma unroll
  for (int i = 0; i < around; ++i) {
    row[i] = from_lane(piece.v[4 - around + i], -1);
    row[around + 4 + i] = from_lane(piece.v[i], 1);
  }
  row[words] = 0;
  PieceStates<T> least;
#pragma unroll
  for (int q = 0; q < PieceStates<T>::quads; ++q)
#pragma unroll
    for (int k = -radius; k <= radius; ++k) {
      const Quad<T> quad =
          quad_at<T>(row, 4 * around + static_cast<int>(sizeof(Quad<T>)) * q + k * step);
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const auto value = fold.load(quad, part);
        least.v[q][part] = k == -radius ? value : QuadExtremum<T>::join(least.v[q][part], value);
      }
    }
  return least;
}

template <class T>
__device__ inline Piece stored_piece(const QuadExtremum<T>& fold, const PieceStates<T>& least) {
  Piece made;
#pragma unroll
  for (int q = 0; q < PieceStates<T>::quads; ++q) {
    const Quad<T> quad = fold.store(least.v[q]);
#pragma unroll
    for (int w = 0; w < Quad<T>::words; ++w) made.v[q * Quad<T>::words + w] = quad.v[w];
  }
  return made;
}

/// For two consecutive rows: the extremum over three rows for each. After `radius` such folds it
/// covers 2 radius + 1 rows.
template <class T>
class FoldDown {
 public:
  /// @param a, b the next two rows; they become the extrema around the row before a, and around a.
  __device__ void step(PieceStates<T>& a, PieceStates<T>& b) {
    const PieceStates<T> pair = joined(a, b);
    a = joined(pair_, a);
    const PieceStates<T> around = joined(last_, pair);
    last_ = b;
    pair_ = pair;
    b = around;
  }

 private:
  /// The previous row, and its fold with the one before it.
  PieceStates<T> last_ = {}, pair_ = {};
};

/// @param strips of the target. @param high rows that a warp makes.
template <class T, int N, int radius>
__global__ void __launch_bounds__(word_threads, word_residents<T, radius>)
    extremum_words(WordPass p, int strips, int high, bool greatest) {
  const QuadExtremum<T> fold(greatest);
  const int strip = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (strip >= strips) return;
  const int top = static_cast<int>(blockIdx.y) * high, bottom = min(top + high, p.target.height);
  const WordColumn<N* static_cast<int>(sizeof(T))> column(p, strip, top, bottom, radius);
  FoldDown<T> down[radius];
  Piece next[word_batch];
  column.fetch(0, next);
#pragma unroll 1
  for (int row = 0; row < high + 2 * radius; row += word_batch) {
    Piece pieces[word_batch];
#pragma unroll
    for (int i = 0; i < word_batch; ++i) {
#pragma unroll
      for (int w = 0; w < 4; ++w) pieces[i].v[w] = next[i].v[w];
      column.patch(pieces[i]);
    }
    column.fetch(row + word_batch, next);
#pragma unroll
    for (int i = 0; i < word_batch; i += 2) {
      PieceStates<T> a = fold_across<T, N, radius>(fold, pieces[i]);
      PieceStates<T> b = fold_across<T, N, radius>(fold, pieces[i + 1]);
#pragma unroll
      for (FoldDown<T>& stage : down) stage.step(a, b);
      const int upper = row + i - 2 * radius;
      if (column.is_in_array()) {
        column.template store_in_array<T>(upper, stored_piece(fold, a), stored_piece(fold, b));
      } else {
        column.template store<T>(upper, stored_piece(fold, a));
        column.template store<T>(upper + 1, stored_piece(fold, b));
      }
    }
  }
}

/// Queues it.
template <class T, int N, int radius>
void run_words(CudaQueue& card, const WordPass& p, bool greatest) {
  const int strips = strips_of(N * static_cast<int>(sizeof(T)), p.target);
  // High parts of strips share few rows with others, but all processors should have work.
  const std::int64_t least = std::int64_t{card.multiprocessors()} * 64;
  int high = 64;
  while (high > 16 && std::int64_t{strips} * (p.target.height / high) < least) high /= 2;
  high = std::max(high, (p.target.height / most_blocks_down / word_batch + 1) * word_batch);
  high -= 2 * radius % word_batch;  // rows are read in whole batches
  const dim3 grid =
      blocks_for(strips * 32, p.target.height, dim3(word_threads, static_cast<unsigned>(high)));
  extremum_words<T, N, radius><<<grid, word_threads, 0, card.stream()>>>(p, strips, high, greatest);
  check_launch("extremum_words");
}

}  // namespace cuimg::detail
