// SPDX-License-Identifier: Apache-2.0
// Pictures of one channel enlarged exactly twofold by weights. This is like resize_enlarged.cu, but
// a thread processes four neighbouring columns instead of one column of four channels.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "device/cuda/cuda_limits.h"
#include "stages/pass/grey_pairs.cuh"
#include "stages/resample/fetched_rows.cuh"
#include "stages/resample/resize_enlarged.cuh"

namespace cuimg {
namespace {

constexpr int enlarging_threads = 128;
constexpr int enlarging_columns = 4 * enlarging_threads;  // of the source
// Blocks on a multiprocessor, limited by registers.
template <int T>
constexpr int enlarging_blocks = T > 4 ? 4 : 5;
static_assert(GreyTarget::together == 2 * 4);  // target columns of a thread

/// Columns before the first thread's first tap. They make threads load whole words if both pictures
/// begin at 0.
template <int T>
constexpr int enlarged_before = (4 - T / 2 % 4) % 4;
/// Cells of a block.
template <int T>
constexpr int enlarged_cells = (enlarging_columns - T - enlarged_before<T>) / 4 * 4;

// Groups of four columns of each row, and those that a thread after the last cell would read.
using GreyEnlargedRows = Pixel<4>[enlarged_group][enlarging_threads + 4];

// Eight neighbouring target columns of a row that have all of their taps. @param fours the columns
// from the first one's cell on, in groups of four.
template <int T>
__device__ void add_enlarged(const EnlargedAxis& axis, const Pixel<4>* fours, Pixel<4> (&sums)[2]) {
  constexpr int before = enlarged_before<T>, count = (before + 4 + T + 3) / 4;
#pragma unroll
  for (int q = 0; q < count; ++q) {
    const Pixel<4> four = fours[q];
#pragma unroll
    for (int e = 0; e < 4; ++e)
#pragma unroll
      for (int j = 0; j < GreyTarget::together; ++j) {
        const int k = 4 * q + e - before - (j + 1) / 2;  // the tap: odd columns begin one later
        float& sum = sums[j / 4].v[j % 4];
        if (k >= 0 && k < T) sum = fma(axis.weights[j % 2][k], four.v[e], sum);
      }
  }
}

// @param left the first cell. @param first the first thread's source column.
template <int T>
__device__ void mix_enlarged(const GreyTarget& target, const EnlargedTable& columns,
                             const GreyEnlargedRows& mixed, int left, int first, int y, int count) {
  constexpr int together = GreyTarget::together;
  const int thread = static_cast<int>(threadIdx.x), x = 2 * left;
  const int width = min(2 * enlarged_cells<T>, columns.end - x);
  // The columns of threads for which all taps of all columns exist.
  const int from = (max(columns.axis.low - x, 0) + together - 1) / together * together;
  const int to = max(min(columns.axis.high - x, width), 0) / together * together;
  const bool of_floats = target.pixel_bytes == sizeof(float);
  if (target.memory.is_array()) {
    constexpr int warps = enlarging_threads / 32;
#pragma unroll 1
    for (int turn = thread / 32; turn < enlarged_group * warps; turn += warps) {
      const auto [r, eight] = part_of_two_rows<warps>(turn);
      const int at = together * eight;
      const bool is_whole = at >= from && at < to && y + r >= target.top && r < count;
      Pixel<4> sums[2] = {};
      if (is_whole) add_enlarged<T>(columns.axis, mixed[r] + eight, sums);
      store_in_array(target, x + at, y + r, sums, 0, is_whole ? together : 0);
    }
  } else {
    const int at = together * thread;
    const bool is_whole = at >= from && at < to;
#pragma unroll 1
    for (int r = max(target.top - y, 0); r < count; ++r) {
      // Whole warps store floats together.
      if (!is_whole && !of_floats) continue;
      Pixel<4> sums[2] = {};
      add_enlarged<T>(columns.axis, mixed[r] + thread, sums);
      if (of_floats)
        target.store_floats(x + at, y + r, sums, 0, is_whole ? together : 0);
      else
        target.store_some(x + at, y + r, sums, 0, together);
    }
  }
  store_edges(target, x, width, from, to, y, count, [&](int r, int column) {
    const auto* const row = reinterpret_cast<const float*>(mixed[r]);
    return columns.sum<1>(column, [&](int i) { return Pixel<1>{{row[i - first]}}; }).sum.v[0];
  });
}

struct EnlargingMemory {
  GreyEnlargedRows mixed[2];
  alignas(16) int edges[enlarging_threads][4];  ///< GreyColumn's.
  /// Only the part that is used, followed by T copied rows of the source.
  alignas(16) GreyTables tables;
};

// The sum over rows for a target row near an edge, with the taps that the table lists.
template <int T>
__device__ TapSum<4> sum_of_rows(const GreyRows& source, const CopiedColumn& column,
                                 const EnlargedTable& rows, int y) {
  const int at = y - rows.first, start = __ldg(rows.start + at), taps = __ldg(rows.taps + at);
  const int top = source.top, last = top + source.height - 1;
  InCopies on_way[T];
  Pixel<4> texels[T];
  fetch_rows(
      source, column, [&](int i) { return min(max(start + i, top), last); }, on_way);
  decode_rows(source, column, on_way, texels);
  TapSum<4> sum;
#pragma unroll
  for (int k = 0; k < T; ++k)
    if (k < taps)
      sum.add(__ldg(rows.weights + static_cast<std::ptrdiff_t>(at) * rows.stride + k), texels[k]);
  return sum;
}

template <int T>
__global__ void __launch_bounds__(enlarging_threads, enlarging_blocks<T>)
    enlarge_grey(GreyRows source, GreyTarget target, const __grid_constant__ EnlargedTable columns,
                 const __grid_constant__ EnlargedTable rows, int first_column, CellRows down,
                 int waits, int tables_bytes) {
  extern __shared__ float4 shared[];
  auto& memory = *reinterpret_cast<EnlargingMemory*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  ready_tables(source, target, memory.tables, thread, enlarging_threads);
  __syncthreads();
  const int left = first_column + static_cast<int>(blockIdx.x) * enlarged_cells<T>;
  const int first = left + columns.axis.offset - enlarged_before<T>;  // of the source
  const CopiedColumn column{
      source.column(first + 4 * thread, memory.edges[thread]),
      reinterpret_cast<char*>(&memory.tables) + tables_bytes + 4 * thread * source.pixel_bytes,
      enlarging_columns * source.pixel_bytes};
  const bool is_used = 2 * (first + 4 * thread - columns.axis.offset - T) < columns.end;
  const auto block = static_cast<int>(blockIdx.y);
  const int begin = down.begin_of(block), end = down.end_of(block);
  const bool whole = block >= enlarged_edges;
  constexpr int closing = enlarged_group / 2;  // source rows that complete a group
  const int top = source.top, last = top + source.height - 1;
  OpenSums<T> open;
  // The source row that completes the first two target rows.
  const int before = begin + rows.axis.offset + T - 1;
  Pixel<4> waiting;  // as in resize_enlarged.cu
  InCopies next[closing];
  const auto fetch_from = [&](int y) {
    fetch_rows(
        source, column, [&](int i) { return min(max(y + i, top), last); }, next);
  };
  if (whole && is_used) {
    if (waits != 0) {
      InCopies on_way[1];
      Pixel<4> texels[1];
      fetch_rows(
          source, column, [&](int) { return before - T; }, on_way);
      decode_rows(source, column, on_way, texels);
      open.add(rows.axis, texels[0]);
      open.close();
    }
    InCopies on_way[T - 1];
    Pixel<4> texels[T - 1];
    fetch_rows(
        source, column, [&](int i) { return before - (T - 1) + i; }, on_way);
    decode_rows(source, column, on_way, texels);
#pragma unroll
    for (int k = 0; k < T - 1; ++k) {
      open.add(rows.axis, texels[k]);
      if (k == T - 2) waiting = open.even[0].sum;
      open.close();
    }
    fetch_from(before);
  }
  int buffer = 0;
  for (int cell = begin; cell < end; cell += closing, buffer ^= 1) {
    const int y = 2 * cell - 1 - waits;
    if (!is_used) {
      // The picture ends before these columns.
    } else if (whole) {
      Pixel<4> texels[closing];
      decode_rows(source, column, next, texels);
      Pixel<4>(*mixed)[enlarging_threads + 4] = memory.mixed[buffer] + waits;
      if (waits != 0) memory.mixed[buffer][0][thread] = waiting;
#pragma unroll
      for (int i = 0; i < closing; ++i) {
        open.add(rows.axis, texels[i]);
        mixed[2 * i][thread] = open.odd[0].sum;
        if (i + 1 < closing || waits == 0)
          mixed[2 * i + 1][thread] = open.even[0].sum;
        else
          waiting = open.even[0].sum;
        open.close();
      }
      fetch_from(before + cell - begin + closing);
    } else {
#pragma unroll 1
      for (int r = 0; r < enlarged_group; ++r)
        if (rows.has(y + r))
          memory.mixed[buffer][r][thread] = sum_of_rows<T>(source, column, rows, y + r).sum;
    }
    // After this barrier no thread reads the other buffer any more.
    __syncthreads();
    const int bottom = min(2 * end - 1 - waits, rows.end);
    mix_enlarged<T>(target, columns, memory.mixed[buffer], left, first, y,
                    min(enlarged_group, bottom - y));
  }
}

template <int T>
bool enlarge_grey_on_cuda(CudaQueue& card, const EnlargedTable& columns, const EnlargedTable& rows,
                          const Frame& source, const Frame& target) {
  const int waits = rows_wait(target);
  const int first_column = columns.first >> 1, first_row = (rows.first + 1 + waits) >> 1;
  const int across = ((columns.end - 1) >> 1) + 1 - first_column;
  const CellRows down = rows_of_cells(rows, first_row, waits);
  const dim3 grid(static_cast<unsigned>((across + enlarged_cells<T> - 1) / enlarged_cells<T>),
                  static_cast<unsigned>(down.blocks()));
  const GreyRows texels = grey_rows(card, source);
  const GreyTarget pixels = grey_target(card, target);
  const int tables_bytes = bytes_of_tables(texels, pixels);
  const std::size_t bytes =
      offsetof(EnlargingMemory, tables) +
      static_cast<std::size_t>(tables_bytes + T * enlarging_columns * texels.pixel_bytes);
  if (bytes > shared_bytes_of_block(card)) return false;
  if (bytes > shared_bytes_without_asking)
    check(cudaFuncSetAttribute(enlarge_grey<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
  enlarge_grey<T><<<grid, enlarging_threads, bytes, card.stream()>>>(
      texels, pixels, columns, rows, first_column, down, waits, tables_bytes);
  check_launch("enlarge_grey");
  return true;
}

}  // namespace

bool enlarge_grey_on_cuda(CudaQueue& card, const EnlargedTable& columns, const EnlargedTable& rows,
                          const Frame& source, const Frame& target) {
  if (!share_tables(source, target)) return false;
  switch (columns.axis.taps) {
    case 2:
      return enlarge_grey_on_cuda<2>(card, columns, rows, source, target);
    case 4:
      return enlarge_grey_on_cuda<4>(card, columns, rows, source, target);
    case 6:
      return enlarge_grey_on_cuda<6>(card, columns, rows, source, target);
    default:
      return false;
  }
}

}  // namespace cuimg
