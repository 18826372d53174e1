// SPDX-License-Identifier: Apache-2.0
// Small separable kernels over texels of 8 bits, 16 bits or half in one pass. As in
// stages/filter/convolution_strips.cu, half of a block's warps add down columns, and the other half
// mixes finished sums along rows, some rows behind. Here texels are so small that they wait in
// registers. A mixing thread makes eight neighbouring pixels, so it reads few sums repeatedly, and
// stores them itself, only into rows.
#pragma once

#include <cstdint>

#include "device/cuda/cuda_instructions.cuh"
#include "kernels/stencil/resample.h"
#include "kernels/texture/border.h"
#include "stages/pass/stored_rows.cuh"
#include "stages/pass/stored_target.cuh"
#include "stages/window/strip_cuts.h"

namespace cuimg {

/// A separable kernel's weights, passed by value: instructions read them directly.
template <int T>
struct StripKernel {
  float horizontal[T], vertical[T];
  int low_x, low_y;
};

/// A part of the target and its rows of the source: row i completes output row i - (T - 1).
struct Strip {
  int left, top, width, height;
  int chunks;
};

constexpr int most_strip_rows = 352;

/// The most rows of a strip.
struct StripHeights {
  int varied =
      most_strip_rows;  ///< Of high parts followed by low ones; 0: there are no such parts.
  int even = 192;       ///< If all parts have the same height.
};

/// Instead of a row's position: there is no such row.
constexpr unsigned no_row = 0xffffffffu;

/// A block's strip. @param width of strips; cuts down all of them. @param together rows of the
/// source that are processed together; @param chunk of them from one barrier to the next.
template <int T, class Target>
__device__ inline Strip strip_of_block(const Target& target, int width, const StripCuts& cuts,
                                       int together, int chunk) {
  Strip strip;
  strip.left = target.left + static_cast<int>(blockIdx.x) * width;
  const int part = static_cast<int>(blockIdx.y);
  strip.top = target.top + cuts.begin(part);
  strip.width = min(width, target.left + target.width - strip.left);
  strip.height = min(cuts.begin(part + 1), target.height) - cuts.begin(part);
  strip.chunks = (strip.height + (T - 1) + together - 1) / together * (together / chunk);
  return strip;
}

/// Fills in where a strip's rows of the source begin, by the border's rule, in units of 16 bytes
/// (pitches are multiples of 512); or no_row. All threads of a block call it, and synchronise after
/// it. @param count of rows, including some that no sum needs.
template <int T, class Source>
__device__ inline void place_rows(const Source& source, const BorderAxis& rows,
                                  const StripKernel<T>& kernel, const Strip& strip, int count,
                                  unsigned* row_at) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
    // No sum that is stored needs the last ones.
    const int row = i < strip.height + (T - 1) ? rows(strip.top + kernel.low_y + i) : rows.nothing;
    row_at[i] = row == BorderAxis::nothing ? no_row
                                           : static_cast<unsigned>(row - source.top) *
                                                 static_cast<unsigned>(source.pitch_bytes / 16);
  }
}

/// Parts that finish at about the same time, and not too many of whose rows only begin sums. With
/// high and low parts, blurs of 8 and 16 bits take 5 % less time than with parts of the same height
/// (card_chains, an H200, 2026-11-30).
/// @param chunk rows from one barrier to the next.
inline StripCuts cuts_of_strips(int strips, int height, int halo, int at_once, int chunk,
                                const StripHeights& most) {
  if (const auto cuts = high_parts_of(strips, height, at_once, chunk, 8 * chunk, most.varied))
    return *cuts;
  StripCuts best;
  std::int64_t shortest = INT64_MAX;
  for (int count = (height + most.even - 1) / most.even; count <= height; ++count) {
    const int rows = (height + count - 1) / count;
    const std::int64_t rounds = (std::int64_t{strips} * count + at_once - 1) / at_once;
    const std::int64_t time = rounds * (rows + halo + 2 * chunk);
    if (time < shortest) {
      shortest = time;
      best = {rows, rows, 0};
    }
    if (rows <= 2 * chunk) break;
  }
  return best;
}

namespace narrow_strips {

constexpr int columns = 128;  // of the source, one for each adding thread
constexpr int threads = 2 * columns;
constexpr int outputs_each = 8;  // neighbouring pixels of a row that a thread makes
constexpr int chunk = threads / 2 / (columns / outputs_each);  // rows between two barriers
constexpr int ahead = 2;    // rows that are fetched together, as registers allow
constexpr int at_once = 3;  // blocks per multiprocessor

/// Columns that a block produces: whole words of 16 bytes.
template <int T>
constexpr int width = (columns - (T - 1)) / 4 * 4;

/// The position of a pixel in a row of sums: eight threads that read every eighth access all banks.
__host__ __device__ constexpr int slot(int i) { return i + i / outputs_each; }

template <FormKind kind, int T>
struct Memory {
  Pixel<4> sums[2][chunk][slot(columns + outputs_each)];
  alignas(16) unsigned row_at[most_strip_rows + T + chunk + ahead];  ///< place_rows()'.
  float light[shared_for_loads<FormRows<4, kind>>];
  std::uint32_t codes8[shared_for_stores<FormTarget<4, kind>>];
  /// TexelForm's, which threads read at random.
  std::conditional_t<kind == FormKind::srgb16, Srgb16Short, std::uint32_t> short16;
};

template <FormKind kind, int T>
__device__ void add_columns(const FormRows<4, kind>& source, const BorderAxis& columns_of,
                            const StripKernel<T>& kernel, const Strip& strip,
                            Memory<kind, T>& memory) {
  using Raw = typename FormRows<4, kind>::Raw;
  const int thread = static_cast<int>(threadIdx.x);
  const int column = columns_of(strip.left + kernel.low_x + thread);
  const bool has_column = column != BorderAxis::nothing;
  const char* const first =
      as_one_number(source.data + static_cast<std::ptrdiff_t>(sizeof(Raw)) *
                                      (has_column ? column - source.left : 0));
  const auto fetch_rows = [&](int row, Raw(&texels)[ahead]) {
    const auto at = *reinterpret_cast<const RawTexel<ahead>*>(memory.row_at + row);
#pragma unroll
    for (int i = 0; i < ahead; ++i) {
      texels[i] = {};
      if (has_column && at.word[i] != no_row)
        texels[i] = source.fetch(first + std::uint64_t{at.word[i]} * 16);
    }
  };
  Raw texels[2][ahead];
  fetch_rows(0, texels[0]);
  // A row of the source completes the sum with index 0; each row moves all sums by one.
  TapSum<4> sums[T];
  Pixel<4>* to = memory.sums[0][0] + slot(thread);
  constexpr int other = static_cast<int>(sizeof memory.sums[0] / sizeof(Pixel<4>));
  constexpr int pitch = slot(columns + outputs_each);
  for (int c = 0; c < strip.chunks; ++c) {
#pragma unroll
    for (int part = 0; part < chunk / ahead; ++part) {
      fetch_rows(c * chunk + (part + 1) * ahead, texels[(part + 1) % 2]);
      constexpr int together = 2;  // this many texels are checked for NaN together
#pragma unroll
      for (int i = 0; i < ahead; i += together) {
        const Raw raw[together] = {texels[part % 2][i], texels[part % 2][i + 1]};
        Pixel<4> pixels[together];
        source.decode(raw, pixels);
#pragma unroll
        for (int j = 0; j < together; ++j) {
          sums[T - 1] = {};
#pragma unroll
          for (int k = 0; k < T; ++k) sums[k].add(kernel.vertical[T - 1 - k], pixels[j]);
          to[(part * ahead + i + j) * pitch] = sums[0].sum;
#pragma unroll
          for (int k = 0; k + 1 < T; ++k) sums[k] = sums[k + 1];
        }
      }
    }
    to += c % 2 == 0 ? other : -other;
    meet<threads>();
  }
}

/// Stores four adjacent texels of a row. @param count how many of them are stored.
__device__ inline void store_four(char* to, const std::uint32_t (&texels)[4], int count,
                                  bool is_aligned) {
  if (is_aligned && count >= 4)
    return __stcs(reinterpret_cast<uint4*>(to), uint4{texels[0], texels[1], texels[2], texels[3]});
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i < count) __stcs(reinterpret_cast<std::uint32_t*>(to) + i, texels[i]);
}
__device__ inline void store_four(char* to, const uint2 (&texels)[4], int count, bool is_aligned) {
  if (is_aligned && count >= 4) {
    auto* const words = reinterpret_cast<uint4*>(to);
    __stcs(words, uint4{texels[0].x, texels[0].y, texels[1].x, texels[1].y});
    return __stcs(words + 1, uint4{texels[2].x, texels[2].y, texels[3].x, texels[3].y});
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (i < count) __stcs(reinterpret_cast<uint2*>(to) + i, texels[i]);
}

/// How results are stored.
struct Stores {
  bool is_aligned;  ///< Rows of the target begin at multiples of 16 bytes.
  /// As in divide_within_one(). Only if colours are divided, which also limits them: a row's last
  /// thread encodes sums that nobody wrote, although it does not store them.
  bool is_plain;
};

template <FormKind kind, int T>
__device__ void mix_rows(const FormTarget<4, kind>& target, const StripKernel<T>& kernel,
                         const Strip& strip, const Stores& stores, const Memory<kind, T>& memory) {
  constexpr int row_threads = columns / outputs_each;
  const int thread = static_cast<int>(threadIdx.x) - columns;
  const int line = thread / row_threads, first = thread % row_threads * outputs_each;
  const int count = strip.width - first;
  int y = line - (T - 1);
  char* to = target.memory.template at<char>(
      (strip.left + first - target.left) *
          static_cast<int>(sizeof(typename FormTarget<4, kind>::Word)),
      strip.top + y - target.top);
  const Pixel<4>* row = memory.sums[0][line] + slot(first);
  constexpr int other = static_cast<int>(sizeof memory.sums[0] / sizeof(Pixel<4>));
  for (int c = 0; c < strip.chunks; ++c) {
    meet<threads>();
    if (count > 0 && y >= 0 && y < strip.height) {
      TapSum<4> across[outputs_each];
#pragma unroll
      for (int i = 0; i < T - 1 + outputs_each; ++i) {
        const Pixel<4> texel = row[slot(i)];
#pragma unroll
        for (int j = 0; j < outputs_each; ++j)
          if (i - j >= 0 && i - j < T) across[j].add(kernel.horizontal[i - j], texel);
      }
      // Any NaN is sufficient: only one is ever stored.
#pragma unroll
      for (int part = 0; part < outputs_each; part += 4) {
        Pixel<4> made[4];
        typename FormTarget<4, kind>::Word texels[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) made[j] = across[part + j].sum;
        if (stores.is_plain)
          target.template encode_all<true>(made, texels);
        else
          target.encode_all(made, texels);
        store_four(to + part * static_cast<int>(sizeof texels[0]), texels, count - part,
                   stores.is_aligned);
      }
    }
    y += chunk;
    to += chunk * target.memory.pitch_bytes;
    row += c % 2 == 0 ? other : -other;
  }
}

template <FormKind kind, int T>
__global__ void __launch_bounds__(threads, at_once)
    convolve(FormRows<4, kind> source, FormTarget<4, kind> target, BorderAxis columns_of,
             BorderAxis rows_of, const __grid_constant__ StripKernel<T> kernel, StripCuts cuts,
             Stores stores) {
  extern __shared__ float4 shared[];
  auto& memory = *reinterpret_cast<Memory<kind, T>*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  ready_loads(source, memory.light, thread, threads);
  ready_stores(target, memory.codes8, thread, threads);
  if constexpr (kind == FormKind::srgb16) {
    auto* const copy = reinterpret_cast<std::uint32_t*>(&memory.short16);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(source.form.short16);
    for (int i = thread; i < static_cast<int>(sizeof memory.short16 / sizeof *copy); i += threads)
      copy[i] = __ldg(words + i);
    source.form.short16 = &memory.short16;
  }
  const Strip strip = strip_of_block<T>(target, width<T>, cuts, chunk, chunk);
  place_rows(source, rows_of, kernel, strip, strip.chunks * chunk + ahead, memory.row_at);
  __syncthreads();
  if (thread < columns)
    add_columns(source, columns_of, kernel, strip, memory);
  else
    mix_rows(target, kernel, strip, stores, memory);
}

}  // namespace narrow_strips

}  // namespace cuimg
