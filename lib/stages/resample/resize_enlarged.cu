// SPDX-License-Identifier: Apache-2.0
// Pictures enlarged exactly twofold by weights. Each axis has two sets of weights, one for even
// target pixels and one for odd ones. A block moves down a strip of columns. A thread keeps the
// incomplete sums of the target rows to which its column's next texels contribute, so that each
// texel is read once. Complete rows are written to shared memory, where their columns are weighed.
#include <algorithm>

#include "kernels/stencil/resample.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/resample/resize_enlarged.cuh"

namespace cuimg {
namespace {

constexpr int block_threads = tile_columns;
constexpr int group = enlarged_group;
using Pixel4 = Pixel<4>;

/// A block's cells. A cell is a source pixel, which becomes two target pixels on each axis: cell c
/// becomes target columns 2c and 2c + 1, and target rows 2c - 1 and 2c, which have the same source
/// rows as taps.
struct Cells {
  int left, top, bottom;
  int waits;  ///< rows_wait().

  /// The first of the target rows that are stored together with a cell.
  __device__ int row_of(int cell) const { return 2 * cell - 1 - waits; }
};

using MixedRows = Pixel4[group][block_threads];

template <class Texel>
__device__ void store_texel(char* to, const Texel& texel) {
  using Word = detail::WordOf<Texel>;
  __stcs(reinterpret_cast<Word*>(to), __builtin_bit_cast(Word, texel));
}

template <class Target>
__device__ void store_rows(const Target& target, const EnlargedTable& rows,
                           Pixel4 (&results)[group], int x, int y, int bottom) {
  const RowMemory& memory = target.memory;
  const auto pitch = static_cast<int>(memory.pitch_bytes);
  typename EncodedFor<Target>::type texels[group];
  encode_all(target, results, texels);
  // Relative to the target's memory; negative for some rows that are not stored.
  std::int64_t place = std::int64_t{y - target.top} * pitch +
                       std::int64_t{x - target.left} * static_cast<int>(sizeof texels[0]);
#pragma unroll
  for (int r = 0; r < group; ++r, place += pitch)
    if (rows.has(y + r) && y + r < bottom) store_texel(memory.data + place, texels[r]);
}

template <int T, class Source, class Target>
__device__ void mix_columns(const Target& target, const EnlargedTable& columns,
                            const EnlargedTable& rows, const Cells& cells,
                            const float (&weights)[T], const MixedRows& mixed, int y) {
  constexpr int made = 2 * (block_threads - T);       // columns
  const int left = cells.left + columns.axis.offset;  // the first thread's source column
  const int bottom = cells.row_of(cells.bottom);
  for (int i = static_cast<int>(threadIdx.x); i < 2 * block_threads; i += block_threads) {
    const int x = 2 * cells.left + i;
    const bool is_made = i < made && columns.has(x);
    if (!is_made) continue;
    TapSum<4> sums[group];
    if (columns.is_whole(x)) {
      const int from = (i >> 1) + (i & 1);
#pragma unroll
      for (int k = 0; k < T; ++k)
#pragma unroll
        for (int r = 0; r < group; ++r) sums[r].add(weights[k], mixed[r][from + k]);
    } else {
#pragma unroll
      for (int r = 0; r < group; ++r)
        sums[r] = columns.sum(x, [&](int column) { return mixed[r][column - left]; });
    }
    Pixel4 results[group];
#pragma unroll
    for (int r = 0; r < group; ++r)
      results[r] = is_of_kind<Source> ? sums[r].sum : sums[r].result();
    store_rows(target, rows, results, x, y, bottom);
  }
}

/// For arrays. Half of a warp computes 16 columns of one row, the other half the same columns of
/// the next row. A lane's columns are all even or all odd.
template <int T, class Source>
__device__ void mix_in_array(const PixelTarget<4, ArrayMemory>& target,
                             const EnlargedTable& columns, const EnlargedTable& rows,
                             const Cells& cells, const float (&weights)[T], const MixedRows& mixed,
                             int y) {
  constexpr int made = 2 * (block_threads - T);       // columns
  const int left = cells.left + columns.axis.offset;  // the first thread's source column
  const int bottom = cells.row_of(cells.bottom);
  const int lane = static_cast<int>(threadIdx.x) % 32, row = lane / 16;
  const int first = static_cast<int>(threadIdx.x) / 32 * 64 + lane % 16;
#pragma unroll 2
  for (int i = first; i < first + 64; i += 16) {
    const int x = 2 * cells.left + i, from = (i >> 1) + (i & 1);
    if (i >= made || !columns.has(x)) continue;
    const bool is_whole = columns.is_whole(x);
#pragma unroll
    for (int r = 0; r < group; r += 2) {
      const Pixel4* const texels = mixed[r + row];
      TapSum<4> sum;
      if (is_whole) {
#pragma unroll
        for (int k = 0; k < T; ++k) sum.add(weights[k], texels[from + k]);
      } else {
        sum = columns.sum(x, [&](int column) { return texels[column - left]; });
      }
      if (rows.has(y + r + row) && y + r + row < bottom)
        target.store_streaming(x, y + r + row, is_of_kind<Source> ? sum.sum : sum.result());
    }
  }
}

/// For stored forms in rows. A thread computes columns 2c and 2c + 1, which share most of their
/// texels, and stores both in one access if they are aligned.
template <int T, class Target>
__device__ void mix_pairs(const Target& target, const EnlargedTable& columns,
                          const EnlargedTable& rows, const Cells& cells, const MixedRows& mixed,
                          int y) {
  const int cell = static_cast<int>(threadIdx.x), x = 2 * (cells.left + cell);
  const bool has[2] = {columns.has(x), columns.has(x + 1)};
  if (cell >= block_threads - T || !(has[0] || has[1])) return;
  using Texel = typename EncodedFor<Target>::type;
  const RowMemory& memory = target.memory;
  const bool as_one =
      has[0] && has[1] && target.left % 2 == 0 &&
      (reinterpret_cast<std::uintptr_t>(memory.data) | memory.pitch_bytes) % (2 * sizeof(Texel)) ==
          0;
  const int left = cells.left + columns.axis.offset;  // the first thread's source column
  const int bottom = cells.row_of(cells.bottom);
  // All four rows at a time would need more registers than a thread has if a multiprocessor runs
  // five blocks.
  constexpr int rows_at_once = 2;
#pragma unroll 1
  for (int first = 0; first < group; first += rows_at_once) {
    Pixel4 results[2 * rows_at_once] = {};
    if (columns.is_whole(x) && columns.is_whole(x + 1)) {
      TapSum<4> sums[2 * rows_at_once];
#pragma unroll
      for (int k = 0; k <= T; ++k)
#pragma unroll
        for (int r = 0; r < rows_at_once; ++r) {
          const Pixel4 texel = mixed[first + r][cell + k];
          if (k < T) sums[2 * r].add(columns.axis.weights[0][k], texel);
          if (k > 0) sums[2 * r + 1].add(columns.axis.weights[1][k - 1], texel);
        }
#pragma unroll
      for (int i = 0; i < 2 * rows_at_once; ++i) results[i] = sums[i].sum;
    } else {
#pragma unroll
      for (int i = 0; i < 2 * rows_at_once; ++i)
        if (has[i % 2])
          results[i] =
              columns
                  .sum(x + i % 2, [&](int column) { return mixed[first + i / 2][column - left]; })
                  .sum;
    }
    Texel texels[2 * rows_at_once];
    encode_all(target, results, texels);
#pragma unroll
    for (int r = 0; r < rows_at_once; ++r) {
      const int row = y + first + r;
      if (!rows.has(row) || row >= bottom) continue;
      constexpr int bytes = sizeof(Texel);
      const int byte = (x - target.left) * bytes, line = row - target.top;
      if (as_one) {
        memory.store_streaming(byte, line,
                               PackedTexel<Texel, 2>{{texels[2 * r], texels[2 * r + 1]}});
      } else {
#pragma unroll
        for (int i = 0; i < 2; ++i)
          if (has[i]) memory.store_streaming(byte + i * bytes, line, texels[2 * r + i]);
      }
    }
  }
}

template <int T, class Source, class Target>
__global__ void __launch_bounds__(block_threads, is_of_kind<Source> && !is_in_array<Target> ? 5 : 4)
    enlarge(Source source, Target target, const __grid_constant__ EnlargedTable columns,
            const __grid_constant__ EnlargedTable rows, int first_column, CellRows down,
            int waits) {
  __shared__ MixedRows mixed[2];
  __shared__ float light[shared_for_loads<Source>];
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  const int thread = static_cast<int>(threadIdx.x);
  ready_loads(source, light, thread, block_threads);
  ready_stores(target, codes, thread, block_threads);
  if constexpr (shared_for_loads < Source >> 1) __syncthreads();
  Cells cells;
  cells.waits = is_in_array<Target> ? waits : 0;
  cells.left = first_column + static_cast<int>(blockIdx.x) * (block_threads - T);
  const auto block = static_cast<int>(blockIdx.y);
  cells.top = down.begin_of(block);
  cells.bottom = down.end_of(block);
  const int x = min(max(cells.left + columns.axis.offset + thread, source.left),
                    source.left + source.width - 1);
  const bool is_odd = (thread & 1) != 0;  // whether mix_columns() computes odd target columns
  float weights[T];
#pragma unroll
  for (int k = 0; k < T; ++k) weights[k] = columns.axis.weights[is_odd ? 1 : 0][k];

  const bool whole = block >= enlarged_edges;
  const int top = source.top, last = top + source.height - 1;
  OpenSums<T> open;
  // The source row that completes the first two target rows.
  const int before = cells.top + rows.axis.offset + T - 1;
  FetchedTexel<Source> next[group / 2];
  const auto fetch_from = [&](int y) {
#pragma unroll
    for (int i = 0; i < group / 2; ++i) next[i] = fetch(source, x, min(max(y + i, top), last));
  };
  Pixel4 waiting;  // this column's pixel of the row that is stored next
  if (whole) {
#pragma unroll
    for (int k = 0; k < T; ++k) {
      if (k == 0 && cells.waits == 0) continue;
      open.add(rows.axis, decoded(source, fetch(source, x, before - T + k)));
      if (k == T - 1) waiting = open.even[0].sum;
      open.close();
    }
    fetch_from(before);
  }
  int buffer = 0;
  for (int cell = cells.top; cell < cells.bottom; cell += group / 2, buffer ^= 1) {
    const int y = cells.row_of(cell);
    if (whole) {
      Pixel4 texels[group / 2];
      decode_all(source, next, texels);
      if (cells.waits != 0) mixed[buffer][0][thread] = waiting;
#pragma unroll
      for (int i = 0; i < group / 2; ++i) {
        open.add(rows.axis, texels[i]);
        mixed[buffer][2 * i + cells.waits][thread] = open.odd[0].sum;
        if (2 * i + 1 + cells.waits < group)
          mixed[buffer][2 * i + 1 + cells.waits][thread] = open.even[0].sum;
        else
          waiting = open.even[0].sum;
        open.close();
      }
      fetch_from(before + cell - cells.top + group / 2);
    } else {
      for (int r = 0; r < group; ++r)
        if (rows.has(y + r))
          mixed[buffer][r][thread] =
              rows.sum(y + r, [&](int row) { return load(source, x, row); }).sum;
    }
    // After this barrier no thread reads the other buffer any more.
    __syncthreads();
    if constexpr (is_in_array<Target>)
      mix_in_array<T, Source>(target, columns, rows, cells, weights, mixed[buffer], y);
    else if constexpr (is_of_kind<Source>)
      mix_pairs<T>(target, columns, rows, cells, mixed[buffer], y);
    else
      mix_columns<T, Source>(target, columns, rows, cells, weights, mixed[buffer], y);
  }
}

template <int T>
void launch_enlarged(CudaQueue& card, const EnlargedTable& columns, const EnlargedTable& rows,
                     const Frame& source, const Frame& target) {
  const int waits = rows_wait(target);
  const int first_column = columns.first >> 1, first_row = (rows.first + 1 + waits) >> 1;
  const int across = ((columns.end - 1) >> 1) + 1 - first_column;
  const CellRows down = rows_of_cells(rows, first_row, waits);
  const dim3 grid(static_cast<unsigned>((across + block_threads - T - 1) / (block_threads - T)),
                  static_cast<unsigned>(down.blocks()));
  const auto launch = [&](const auto& texels, const auto& pixels) {
    enlarge<T><<<grid, block_threads, 0, card.stream()>>>(texels, pixels, columns, rows,
                                                          first_column, down, waits);
  };
  if (source.stored_form() == nullptr)
    target.card().with_pixel_target<4>(
        [&](const auto& pixels) { launch(source.card().rows_view<float, 4>(), pixels); });
  else if (is_decoded_into_array(source, target))
    with_array_target<4>(target, [&](const auto& pixels) {
      with_kind<4>(kind_of(source), [&](auto kind) {
        // Halves may be NaN, whose bits must not change.
        constexpr FormKind decoded = kind() == FormKind::half ? FormKind::any : kind();
        launch(form_rows<4, decoded>(card, source), pixels);
      });
    });
  else
    with_forms<4>(
        card, source, target,
        [&]<FormKind kind>(const FormRows<4, kind>& texels, const FormTarget<4, kind>& pixels) {
          if constexpr (kind != FormKind::any) launch(texels, pixels);
        });
  check_launch("enlarge");
}

}  // namespace

bool enlarge_on_cuda(CudaQueue& card, const ResizePlan::Layer& layer, const WeighedTables& tables,
                     const Frame& source, const Frame& target) {
  const auto &columns = tables.enlarged_columns, &rows = tables.enlarged_rows;
  const int channels = source.format().stored_channels();
  const bool is_converted =
      (source.stored_form() || target.stored_form()) && !is_decoded_into_array(source, target);
  if (!columns || !rows || columns->taps != rows->taps || channels == 2 ||
      (channels == 4 && is_converted &&
       (kind_of(source) == FormKind::any || kind_of(source) != kind_of(target))))
    return false;
  const EnlargedTable of_columns = table_of(*layer.columns, *columns, tables.column_start,
                                            tables.column_taps, tables.column_weights);
  const EnlargedTable of_rows =
      table_of(*layer.rows, *rows, tables.row_start, tables.row_taps, tables.row_weights);
  if (channels == 1) return enlarge_grey_on_cuda(card, of_columns, of_rows, source, target);
  switch (columns->taps) {
    case 2:
      launch_enlarged<2>(card, of_columns, of_rows, source, target);
      return true;
    case 4:
      launch_enlarged<4>(card, of_columns, of_rows, source, target);
      return true;
    case 6:
      launch_enlarged<6>(card, of_columns, of_rows, source, target);
      return true;
    default:
      return false;
  }
}

}  // namespace cuimg
