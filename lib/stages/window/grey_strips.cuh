// SPDX-License-Identifier: Apache-2.0
// Small separable kernels over pixels of one channel in one go: as narrow_strips.cuh, a thread that
// adds having four neighbouring pixels in place of one of four channels. One kernel serves every
// type, and what finishes sums.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/stencil/convolved_pixel.h"
#include "stages/pass/grey_texels.cuh"
#include "stages/window/narrow_strips.cuh"

namespace cuimg::grey_strips {

constexpr int columns = 512;  // of the source, four for each thread that adds
constexpr int adders = columns / 4;
constexpr int threads = 2 * adders;
constexpr int row_threads = columns / GreyTarget::together;
constexpr int chunk = 4;        // rows from a barrier to the next
constexpr int most_rows = 288;  // of a strip, an even number
constexpr int unrolled = 2;     // chunks, an even number: after them sums change registers
constexpr int decoded = 2;      // rows that are decoded together

constexpr unsigned no_row = 0xffffffffu;

/// Blocks of a multiprocessor, as registers allow.
template <int T>
constexpr int at_once = T > 11 ? 2 : 3;

/// Columns before those that the first thread's sums reach, so that where the target begins at a
/// word of the source, threads that add have whole words.
template <int T>
constexpr int before = (4 - T / 2 % 4) % 4;
/// Columns that a block makes.
template <int T>
constexpr int width = (columns - (T - 1) - before<T>) / GreyTarget::together* GreyTarget::together;
/// Fours of sums that a thread which mixes reads.
template <int T>
constexpr int fours = (before<T> + GreyTarget::together + T - 1 + 3) / 4;

/// Where the i-th four of a row lies: eight threads that read every second one reach all banks.
__device__ inline int place(int i) { return i ^ (i >> 3 & 1); }

template <int T>
struct Memory {
  Pixel<4> sums[2][chunk][adders + 8];
  alignas(16) unsigned row_at[most_rows + T + unrolled * chunk];  ///< As narrow_strips::Memory's.
  alignas(16) int edges[adders][4];                               ///< GreyColumn's.
  /// As much of it as is used, then two chunks of the source.
  alignas(16) GreyTables tables;
};

template <int T>
__device__ inline void add_columns(const GreyRows& source, const BorderAxis& columns_of,
                                   const StripKernel<T>& kernel, const Strip& strip,
                                   Memory<T>& memory, char* copied) {
  const int thread = static_cast<int>(threadIdx.x);
  const int x = strip.left + kernel.low_x - before<T> + 4 * thread;
  const GreyColumn column =
      source.column(x, x >= columns_of.low && x + 4 <= columns_of.high, memory.edges[thread],
                    [&](int at) { return columns_of(at); });
  const bool is_used = 4 * thread < before<T> + strip.width + T - 1;
  const int pitch = columns * source.pixel_bytes;
  copied += 4 * source.pixel_bytes * thread;
  // One chunk is added, the next is on its way, since memory is far.
  const auto copy_chunk = [&](int c, int place) {
    if (c >= strip.chunks || !is_used) return __pipeline_commit();
    source.copy<chunk>(column, copied + place * chunk * pitch, pitch, [&](int i) {
      const unsigned row = memory.row_at[c * chunk + i];
      return row == no_row ? GreyRows::no_row : std::uint64_t{row} * 16;
    });
  };
  copy_chunk(0, 0);
  constexpr int step = unrolled * chunk;
  TapSum<4> sums[T - 1 + step];  // that of input row i's last tap is sums[i]
#pragma unroll 1
  for (int first = 0; first < strip.chunks; first += unrolled) {
#pragma unroll
    for (int u = 0; u < unrolled; ++u) {
      copy_chunk(first + u + 1, (u + 1) % 2);
      __pipeline_wait_prior(1);
      Pixel<4> texels[decoded];
#pragma unroll
      for (int r = 0; r < chunk; ++r) {
        const int i = u * chunk + r;
        if (r % decoded == 0)
          source.decode_copied(copied + (u % 2 * chunk + r) * pitch, pitch, texels);
        sums[i + T - 1] = {};
#pragma unroll
        for (int k = 0; k < T; ++k)
          sums[i + T - 1 - k].add(kernel.vertical[k], texels[r % decoded]);
        // A NaN stays one through the next pass, which makes it canonical.
        memory.sums[u % 2][r][place(thread)] = column.ordered(sums[i].sum);
      }
      meet<threads>();
    }
#pragma unroll
    for (int i = 0; i < T - 1; ++i) sums[i] = sums[step + i];
  }
}

/// What Finish makes of eight sums from (x, y) on, whose NaN is any.
__device__ inline void finish_eight(const GreyRows& source, const Finish& finish, int x, int y,
                                    Pixel<4> (&sums)[2]) {
  Pixel<4> originals[2] = {};
  if (finish.needs_original() && y >= source.top && y < source.top + source.height)
    source.load_eight(x, y, originals);
#pragma unroll
  for (int i = 0; i < GreyTarget::together; ++i) {
    const bool is_there = x + i >= source.left && x + i < source.left + source.width;
    float& v = sums[i / 4].v[i % 4];
    v = finish(canonical_nan(v), is_there ? originals[i / 4].v[i % 4] : 0.0f, 0);
  }
}

template <int T>
__device__ inline void mix_rows(const GreyRows& source, const GreyTarget& target,
                                const StripKernel<T>& kernel, const Finish& finish,
                                const Strip& strip, const Memory<T>& memory) {
  constexpr int together = GreyTarget::together, lines = adders / row_threads;
  const int thread = static_cast<int>(threadIdx.x) - adders;
  const int line = thread / row_threads, first = thread % row_threads * together;
  const int count = strip.width - first;
  int from[fours<T>];
#pragma unroll
  for (int q = 0; q < fours<T>; ++q) from[q] = place(first / 4 + q);
  for (int c = 0; c < strip.chunks; ++c) {
    meet<threads>();
#pragma unroll 1
    for (int part = line; part < chunk; part += lines) {
      const int y = c * chunk + part - (T - 1);
      if (count <= 0 || y < 0 || y >= strip.height) continue;
      const Pixel<4>* const row = memory.sums[c % 2][part];
      Pixel<4> sums[2] = {};
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
      if (!finish.is_nothing())
        finish_eight(source, finish, strip.left + first, strip.top + y, sums);
      target.store_some(strip.left + first, strip.top + y, sums, 0, count);
    }
  }
}

template <int T>
__global__ void __launch_bounds__(threads, at_once<T>)
    convolve(GreyRows source, GreyTarget target, BorderAxis columns_of, BorderAxis rows_of,
             const __grid_constant__ StripKernel<T> kernel, Finish finish, int rows_each,
             int tables_bytes) {
  extern __shared__ float4 shared[];
  auto& memory = *reinterpret_cast<Memory<T>*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  ready_tables(source, target, memory.tables, thread, threads);
  constexpr int halo = T - 1, step = unrolled * chunk;
  Strip strip;
  strip.left = target.left + static_cast<int>(blockIdx.x) * width<T>;
  strip.top = target.top + static_cast<int>(blockIdx.y) * rows_each;
  strip.width = min(width<T>, target.left + target.width - strip.left);
  strip.height = min(rows_each, target.top + target.height - strip.top);
  strip.chunks = (strip.height + halo + step - 1) / step * unrolled;
  for (int i = thread; i < strip.chunks * chunk; i += threads) {
    // No sum that is stored reaches the last ones.
    const int row =
        i < strip.height + halo ? rows_of(strip.top + kernel.low_y + i) : rows_of.nothing;
    memory.row_at[i] = row == BorderAxis::nothing
                           ? no_row
                           : static_cast<unsigned>(row - source.top) *
                                 static_cast<unsigned>(source.pitch_bytes / 16);
  }
  __syncthreads();
  if (thread < adders)
    add_columns(source, columns_of, kernel, strip, memory,
                reinterpret_cast<char*>(&memory.tables) + tables_bytes);
  else
    mix_rows(source, target, kernel, finish, strip, memory);
}

}  // namespace cuimg::grey_strips
