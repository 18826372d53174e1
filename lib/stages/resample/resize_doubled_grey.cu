// SPDX-License-Identifier: Apache-2.0
// Pictures of one channel enlarged twofold by the texture unit's rule. This is like
// resize_doubled.cu, but a thread processes four neighbouring texels instead of one texel of four
// channels. It computes the two target columns of each, so that it loads and stores whole words.
#include <cstddef>
#include <cstdint>

#include "device/cuda/cuda_limits.h"
#include "kernels/texture/texture_doubling.h"
#include "stages/pass/grey_pairs.cuh"
#include "stages/resample/resize_doubled.cuh"

namespace cuimg {
namespace {

constexpr int doubling_warps = 4;  // of a block, next to each other
constexpr int doubling_threads = 32 * doubling_warps;
/// The first and the last lane of a warp only provide texels for their neighbours.
constexpr int texels_of_warp = 30 * 4;
constexpr int doubling_rows = 32;  // rows of cells that a thread processes
constexpr int rows_on_way = 4;     // rows of texels that are loaded at the same time
static_assert(GreyTarget::together == 2 * 4);

// Four texels of a row, with the one before them and the one after them.
struct TexelsOfRow {
  float v[6];
};

/// All lanes of a warp must call it. @param before, after the lanes that hold the texels to the
/// left and to the right.
__device__ TexelsOfRow with_neighbors(const Pixel<4>& own, int before, int after) {
  constexpr unsigned all = 0xffffffffu;
  return {{__shfl_sync(all, own.v[3], before), own.v[0], own.v[1], own.v[2], own.v[3],
           __shfl_sync(all, own.v[0], after)}};
}

// The eight results of the upper row of a row of cells, and those of the lower row. The first and
// the last cell give one result a row, the others two.
template <class Cell>
__device__ void make_rows(const TexelsOfRow& upper, const TexelsOfRow& lower, Pixel<4> (&above)[2],
                          Pixel<4> (&below)[2]) {
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    const Cell cell(upper.v[i], upper.v[i + 1], lower.v[i], lower.v[i + 1]);
#pragma unroll
    for (int column = 0; column < 2; ++column) {
      const int at = 2 * i - 1 + column;
      if (at < 0 || at >= GreyTarget::together) continue;
      above[at / 4].v[at % 4] = cell.result(column, 0);
      below[at / 4].v[at % 4] = cell.result(column, 1);
    }
  }
}

__device__ void make_special_rows(const TexelsOfRow& upper, const TexelsOfRow& lower,
                                  Pixel<4> (&above)[2], Pixel<4> (&below)[2]) {
  for (int at = 0; at < GreyTarget::together; ++at) {
    const int i = (at + 1) / 2, column = (at + 1) % 2;
    const auto result = [&](int row) {
      return doubled_by_definition(upper.v[i], upper.v[i + 1], lower.v[i], lower.v[i + 1], column,
                                   row);
    };
    above[at / 4].v[at % 4] = result(0);
    below[at / 4].v[at % 4] = result(1);
  }
}

__device__ bool hold_all(const TexelsOfRow& upper, const TexelsOfRow& lower) {
  bool holds = true;
#pragma unroll
  for (int i = 0; i < 5; ++i)
    holds &= CutTexels::holds(upper.v[i], upper.v[i + 1], lower.v[i], lower.v[i + 1]);
  return holds;
}

// Stores two rows of eight results into an array, from row y on, which is even. x and y are
// relative to the target's first pixel. All lanes of a warp must call it. @param part
// part_of_lane()'s result.
__device__ void store_rows_in_array(const GreyTarget& target, int x, int y, int part,
                                    const Pixel<4> (&above)[2], const Pixel<4> (&below)[2]) {
  struct Eight {
    Pixel<4> v[2];
  };
  Eight of_half[2] = {{{above[0], above[1]}}, {{below[0], below[1]}}};
  exchange<16>(of_half[0], of_half[1]);
  const int row = y + part / 16;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int maker = part % 16 + 16 * half, column = x + GreyTarget::together * (maker - part);
    const bool is_made = maker > 0 && maker < 31 && row >= 0 && row < target.height;
    store_in_array<true>(target, target.left + column, target.top + row, of_half[half].v,
                         max(-column, 0), is_made ? target.width - column : 0);
  }
}

struct DoublingMemory {
  int edges[doubling_threads][4];  ///< GreyColumn's.
  /// Only the part that is used, followed by copied rows of the source.
  alignas(16) GreyTables tables;
};

/// @tparam codes whether texels are decoded from integers. @tparam in_array whether the target is
/// an array.
template <bool codes, bool in_array>
__global__ void __launch_bounds__(doubling_threads, 7)
    double_grey(GreyRows source, GreyTarget target, DoubledAxis columns, DoubledAxis rows,
                int tables_bytes) {
  extern __shared__ float4 shared[];
  auto& memory = *reinterpret_cast<DoublingMemory*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  // Which of the warp's groups of four texels the thread processes.
  const int part = in_array ? part_of_lane(thread & 31) : thread & 31;
  const auto lane_of = [](int i) { return in_array ? lane_of_part(i & 31) : i & 31; };
  const int before = lane_of(part - 1), after = lane_of(part + 1);
  ready_tables(source, target, memory.tables, thread, doubling_threads);
  __syncthreads();
  const int warp = static_cast<int>(blockIdx.x) * doubling_warps + thread / 32;
  // The thread's first texel, and its first target column.
  const int first = (first_texel(columns) & ~3) + warp * texels_of_warp + 4 * (part - 1);
  const int x = columns.first + 2 * (first - columns.low) - 1;
  const int from = max(-x, 0), to = part == 0 || part == 31 ? 0 : target.width - x;
  const GreyColumn column = source.column(
      source.left + first, first >= 0 && first + 4 <= source.width, memory.edges[thread],
      [&](int at) {
        return source.width == 0 ? BorderAxis::nothing
                                 : min(max(at, source.left), source.left + source.width - 1);
      });
  const int pitch = 4 * doubling_threads * source.pixel_bytes;
  char* const own =
      reinterpret_cast<char*>(&memory.tables) + tables_bytes + 4 * thread * source.pixel_bytes;
  // Rows are requested well before they are used, because memory is slow.
  const auto ask_for = [&](int i) {
    source.copy<1>(column, own + i % rows_on_way * pitch, pitch, [&](int) {
      return static_cast<std::uint64_t>(min(max(rows.low + i, 0), source.height - 1)) *
             source.pitch_bytes;
    });
  };
  const auto texels_of = [&](int i) {
    Pixel<4> pixels[1];
    source.decode_copied(own + i % rows_on_way * pitch, pitch, pixels);
    return with_neighbors(column.ordered(pixels[0]), before, after);
  };
  const int begin = static_cast<int>(blockIdx.y) * doubling_rows;
  // As in resize_doubled.cu: in an array the lower row of a cell may be stored together with the
  // upper row of the next one.
  const int waits = in_array ? rows.first & 1 : 0;
  const int end = min(begin + doubling_rows, rows.cells) + waits;
  [[maybe_unused]] Pixel<4> waiting[2] = {};
  for (int i = 0; i < rows_on_way - 1; ++i) ask_for(begin + i);
  __pipeline_wait_prior(rows_on_way - 3);
  TexelsOfRow upper = texels_of(begin), lower = texels_of(begin + 1);
  for (int i = begin; i < end; ++i) {
    ask_for(i + rows_on_way - 1);
    Pixel<4> above[2], below[2];
    if (codes)
      make_rows<PositiveDoublingCell<true>>(upper, lower, above, below);
    else if (hold_all(upper, lower))
      make_rows<DoublingCell>(upper, lower, above, below);
    else
      make_special_rows(upper, lower, above, below);
    const int y = rows.first + 2 * i - waits;
    if constexpr (in_array) {
      if (waits != 0)
#pragma unroll
        for (int part = 0; part < 2; ++part) {
          const Pixel<4> lower_row = below[part];
          below[part] = above[part];
          above[part] = waiting[part];
          waiting[part] = lower_row;
        }
      if (waits == 0 || i > begin) store_rows_in_array(target, x, y, part, above, below);
    } else {
      const auto store = [&](int row, const Pixel<4>(&results)[2]) {
        if (row < 0 || row >= target.height) return;
        if (target.pixel_bytes == sizeof(float))
          target.store_floats<true>(target.left + x, target.top + row, results, from, to);
        else if (to > from)
          target.store_some<true>(target.left + x, target.top + row, results, from, to);
      };
      store(y, above);
      store(y + 1, below);
    }
    __pipeline_wait_prior(rows_on_way - 3);
    upper = lower;
    lower = texels_of(i + 2);
  }
}

}  // namespace

void double_grey_on_cuda(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                         const Frame& source, const Frame& target) {
  const GreyRows texels = grey_rows(card, source);
  const GreyTarget pixels = grey_target(card, target);
  const int across = (columns.cells + 4 + texels_of_warp - 1) / texels_of_warp;
  const dim3 grid(static_cast<unsigned>((across + doubling_warps - 1) / doubling_warps),
                  static_cast<unsigned>((rows.cells + doubling_rows - 1) / doubling_rows));
  const bool codes = texels.form.type == PixelType::u8 || texels.form.type == PixelType::u16;
  const auto kernel = target.card().is_array()
                          ? (codes ? double_grey<true, true> : double_grey<false, true>)
                          : (codes ? double_grey<true, false> : double_grey<false, false>);
  const int tables_bytes = bytes_of_tables(texels, pixels);
  const std::size_t bytes =
      offsetof(DoublingMemory, tables) +
      static_cast<std::size_t>(tables_bytes +
                               rows_on_way * 4 * doubling_threads * texels.pixel_bytes);
  if (bytes > shared_bytes_without_asking)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
  kernel<<<grid, doubling_threads, bytes, card.stream()>>>(texels, pixels, columns, rows,
                                                           tables_bytes);
  check_launch("double_grey");
}

}  // namespace cuimg
