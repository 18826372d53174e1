// SPDX-License-Identifier: Apache-2.0
// Small separable kernels over pixels of one channel in one pass. As in narrow_strips.cuh, but a
// thread that adds has four neighbouring pixels instead of one pixel of four channels. One kernel
// handles every Finish, and every type but floats.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/stencil/convolved_pixel.h"
#include "stages/pass/grey_pairs.cuh"
#include "stages/window/narrow_strips.cuh"

namespace cuimg::grey_strips {

constexpr int columns = 512;  // of the source, four for each thread that adds
constexpr int adders = columns / 4;
constexpr int threads = 2 * adders;
constexpr int row_threads = columns / GreyTarget::together;
constexpr int chunk = 4;        // rows from one barrier to the next
constexpr int most_rows = 288;  // of a strip, an even number
constexpr int unrolled = 2;     // chunks, an even number: after them sums move to other registers
constexpr int decoded = 2;      // rows that are decoded together

/// Blocks per multiprocessor, as registers allow.
template <int T>
constexpr int at_once = T > 11 ? 2 : 3;

/// Additional columns to the left of those that the first sums need: so threads that add have whole
/// words if the target begins at a word of the source.
template <int T>
constexpr int before = (4 - T / 2 % 4) % 4;
/// Columns that a block produces.
template <int T>
constexpr int width = (columns - (T - 1) - before<T>) / GreyTarget::together* GreyTarget::together;
/// Groups of four sums that a mixing thread reads.
template <int T>
constexpr int fours = (before<T> + GreyTarget::together + T - 1 + 3) / 4;

/// The position of the i-th group of four in a row: eight threads that read every second group
/// access all banks.
__device__ inline int place(int i) { return i ^ (i >> 3 & 1); }

template <int T>
struct Memory {
  Pixel<4> sums[2][chunk][adders + 8];
  alignas(16) unsigned row_at[most_rows + T + unrolled * chunk];  ///< place_rows()'.
  alignas(16) int edges[adders][4];                               ///< GreyColumn's,
  unsigned orders[adders];                                        ///< and their orders.
  /// Only the part that is used, followed by a ring of the source's chunks.
  alignas(16) GreyTables tables;
};

/// Chunks of the source in shared memory: one is being added, and the next is being loaded. Finish
/// needs pixels that were added at the middle of their sum: up to two chunks before the one that is
/// mixed, which itself is one before the one that is added.
inline int ring_chunks(const Finish& finish) { return finish.needs_original() ? 5 : 2; }

template <int T>
__device__ inline void add_columns(const GreyRows& source, const BorderAxis& columns_of,
                                   const StripKernel<T>& kernel, const Strip& strip,
                                   Memory<T>& memory, char* copied, int ring) {
  const int thread = static_cast<int>(threadIdx.x);
  const int x = strip.left + kernel.low_x - before<T> + 4 * thread;
  const GreyColumn column =
      source.column(x, x >= columns_of.low && x + 4 <= columns_of.high, memory.edges[thread],
                    [&](int at) { return columns_of(at); });
  const bool is_used = 4 * thread < before<T> + strip.width + T - 1;
  const int pitch = columns * source.pixel_bytes;
  copied += 4 * source.pixel_bytes * thread;
  memory.orders[thread] = column.order;
  const auto copy_chunk = [&](int c, int place) {
    if (c >= strip.chunks || !is_used) return __pipeline_commit();
    source.copy<chunk>(column, copied + place * chunk * pitch, pitch, [&](int i) {
      const unsigned row = memory.row_at[c * chunk + i];
      return row == no_row ? GreyRows::no_row : std::uint64_t{row} * 16;
    });
  };
  copy_chunk(0, 0);
  constexpr int step = unrolled * chunk;
  TapSum<4> sums[T - 1 + step];  // the sum whose last tap is input row i is sums[i]
  int at = 0;                    // in the ring, of the chunk that is being added
#pragma unroll 1
  for (int first = 0; first < strip.chunks; first += unrolled) {
#pragma unroll
    for (int u = 0; u < unrolled; ++u) {
      const int next = at + 1 == ring ? 0 : at + 1;
      copy_chunk(first + u + 1, next);
      __pipeline_wait_prior(1);
      const char* const rows = copied + at * chunk * pitch;
      at = next;
      Pixel<4> texels[decoded];
#pragma unroll
      for (int r = 0; r < chunk; ++r) {
        const int i = u * chunk + r;
        if (r % decoded == 0) source.decode_copied(rows + r * pitch, pitch, texels);
        sums[i + T - 1] = {};
#pragma unroll
        for (int k = 0; k < T; ++k)
          sums[i + T - 1 - k].add(kernel.vertical[k], texels[r % decoded]);
        // A NaN remains NaN in the next pass, which makes it canonical.
        memory.sums[u % 2][r][place(thread)] = column.ordered(sums[i].sum);
      }
      meet<threads>();
    }
#pragma unroll
    for (int i = 0; i < T - 1; ++i) sums[i] = sums[step + i];
  }
}

/// Eight pixels of the source at the positions of sums, from the strip's (column, y) on; pixels
/// outside the source have any value. @param copied the ring that add_columns() fills.
template <int T>
__device__ inline void load_originals(const GreyRows& source, const Memory<T>& memory,
                                      const char* copied, int ring, int column, int y,
                                      Pixel<4> (&originals)[2]) {
  constexpr int to_middle = T / 2;
  static_assert((before<T> + to_middle) % 4 == 0);
  const int four = (before<T> + to_middle + column) / 4, row = y + to_middle;
  const int bytes = 4 * source.pixel_bytes;
  const char* const from =
      copied + (row / chunk % ring * chunk + row % chunk) * (adders * bytes) + four * bytes;
  source.decode_copied(from, bytes, originals);
#pragma unroll
  for (int i = 0; i < 2; ++i)
    originals[i] = GreyColumn{0, memory.orders[four + i], nullptr}.ordered(originals[i]);
}

/// The results of Finish for eight sums from (x, y) on, whose NaN need not be canonical.
/// @param originals pixels of the source; outside it they have any value.
__device__ inline void finish_eight(const GreyRows& source, const Finish& finish, int x, int y,
                                    const Pixel<4> (&originals)[2], Pixel<4> (&sums)[2]) {
  const bool is_row = finish.needs_original() && y >= source.top && y < source.top + source.height;
#pragma unroll
  for (int i = 0; i < GreyTarget::together; ++i) {
    const bool is_there = is_row && x + i >= source.left && x + i < source.left + source.width;
    float& v = sums[i / 4].v[i % 4];
    v = finish(canonical_nan(v), is_there ? originals[i / 4].v[i % 4] : 0.0f, 0);
  }
}

/// A thread produces eight pixels at a time, of every second row.
template <int T, bool in_array>
__device__ inline void mix_rows(const GreyRows& source, const GreyTarget& target,
                                const StripKernel<T>& kernel, const Finish& finish,
                                const Strip& strip, const Memory<T>& memory, const char* copied,
                                int ring) {
  constexpr int together = GreyTarget::together, lines = adders / row_threads;
  static_assert(lines == 2 && chunk % lines == 0);
  const int thread = static_cast<int>(threadIdx.x) - adders;
  const auto [line, eight] = in_array ? part_of_two_rows<row_threads / 32>(thread / 32)
                                      : PartOfRow{thread / row_threads, thread % row_threads};
  const int first = eight * together, x = strip.left + first;
  const int count = strip.width - first;
  int from[fours<T>];
#pragma unroll
  for (int q = 0; q < fours<T>; ++q) from[q] = place(first / 4 + q);
  for (int c = 0; c < strip.chunks; ++c) {
    meet<threads>();
#pragma unroll 1
    for (int part = line; part < chunk; part += lines) {
      const int y = c * chunk + part - (T - 1);
      const bool is_made = count > 0 && y >= 0 && y < strip.height;
      Pixel<4> sums[2] = {};
      if (is_made) {
        const Pixel<4>* const row = memory.sums[c % 2][part];
#pragma unroll
        for (int q = 0; q < fours<T>; ++q) {
          const Pixel<4> four = row[from[q]];
#pragma unroll
          for (int e = 0; e < 4; ++e)
#pragma unroll
            for (int j = 0; j < together; ++j) {
              const int k = 4 * q + e - before<T> - j;  // the tap
              float& sum = sums[j / 4].v[j % 4];
              if (k >= 0 && k < T) sum = fma(kernel.horizontal[k], four.v[e], sum);
            }
        }
      }
      if (is_made && !finish.is_nothing()) {
        Pixel<4> originals[2] = {};
        if (finish.needs_original())
          load_originals(source, memory, copied, ring, first, y, originals);
        finish_eight(source, finish, x, strip.top + y, originals, sums);
      }
      if constexpr (in_array)
        store_in_array(target, x, strip.top + y, sums, 0, is_made ? count : 0);
      else if (is_made)
        target.store_some(x, strip.top + y, sums, 0, count);
    }
  }
}

/// @tparam floats whether both pictures are known to have floats.
template <int T, bool floats>
__global__ void __launch_bounds__(threads, at_once<T>)
    convolve(GreyRows source, GreyTarget target, BorderAxis columns_of, BorderAxis rows_of,
             const __grid_constant__ StripKernel<T> kernel, Finish finish, StripCuts cuts,
             int tables_bytes, int ring) {
  extern __shared__ float4 shared[];
  auto& memory = *reinterpret_cast<Memory<T>*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  if constexpr (floats) {
    know_type_of_grey<PixelType::f32>(source);
    know_type_of_grey<PixelType::f32>(target);
  }
  ready_tables(source, target, memory.tables, thread, threads);
  const Strip strip = strip_of_block<T>(target, width<T>, cuts, unrolled * chunk, chunk);
  place_rows(source, rows_of, kernel, strip, strip.chunks * chunk, memory.row_at);
  __syncthreads();
  char* const copied = reinterpret_cast<char*>(&memory.tables) + tables_bytes;
  if (thread < adders)
    add_columns(source, columns_of, kernel, strip, memory, copied, ring);
  else if (target.memory.is_array())
    mix_rows<T, true>(source, target, kernel, finish, strip, memory, copied, ring);
  else
    mix_rows<T, false>(source, target, kernel, finish, strip, memory, copied, ring);
}

}  // namespace cuimg::grey_strips
