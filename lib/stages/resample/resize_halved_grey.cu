// SPDX-License-Identifier: Apache-2.0
// Pictures of one channel reduced to exactly half their size. This is like resize_halved.cu, but a
// thread processes four neighbouring columns instead of one column of four channels.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "device/cuda/cuda_limits.h"
#include "stages/pass/grey_pairs.cuh"
#include "stages/resample/resize_halved.cuh"

namespace cuimg {
namespace {

constexpr int halving_threads = 128;
constexpr int halving_columns = 4 * halving_threads;  // of the source
// Blocks on a multiprocessor, limited by registers.
template <int pairs>
constexpr int halving_blocks = pairs > 4 ? 4 : 5;
constexpr int halves_each = GreyTarget::together;  // target columns of a thread

/// Columns before the first thread's first tap. They make threads load whole words if both pictures
/// begin at 0.
template <int pairs>
constexpr int columns_before = (4 - (pairs - 1) % 4) % 4;
/// Target columns of a block.
template <int pairs>
constexpr int halves_wide = (halving_columns - columns_before<pairs> - 2 * pairs + 2) /
                            2 / halves_each* halves_each;
static_assert(halves_wide<1> <= 32 * halves_each);

/// The index of a row's i-th group of four columns: eight threads that read every fourth group
/// access different banks.
__device__ int four_in_row(int i) { return i ^ (i >> 3 & 3); }

using GreyMixedRows = Pixel<4>[halved_group][halving_threads + 8];

// Source rows that are loaded at the same time: those of a group, or those before a strip.
template <int pairs>
constexpr int copied_rows = 2 * std::max(halved_group, pairs - 1);

template <int pairs>
struct MixGrey {
  const GreyTarget& target;
  const HalvedTable& columns;
  int left;   ///< The block's first target column.
  int first;  ///< Its first source column.
  GreyMixedRows (&mixed)[2];

  __device__ Pixel<4>& place(int buffer, int row) const {
    return mixed[buffer][row][four_in_row(static_cast<int>(threadIdx.x))];
  }
  /// A warp computes a row, or for an array half of two rows.
  __device__ void mix(int buffer, int y, int rows) const {
    static_assert(halving_threads == 32 * halved_group);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int width = min(halves_wide<pairs>, target.left + target.width - left);
    // The columns of threads for which all taps of all columns exist.
    const int from =
        (max(columns.axis.low - left, 0) + halves_each - 1) / halves_each * halves_each;
    const int to = max(columns.axis.high - left, 0) / halves_each * halves_each;
    const auto is_whole = [&](int row, int at) {
      return row < rows && at < width && at >= from && at < to;
    };
    if (target.memory.is_array()) {
      const PartOfRow own = part_of_two_rows<1>(warp);
      const int at = own.part * halves_each;
      const bool is_made = is_whole(own.row, at);
      Pixel<4> sums[2] = {};
      if (is_made) add_whole(mixed[buffer][own.row], own.part, sums);
      store_in_array(target, left + at, y + own.row, sums, 0, is_made ? width - at : 0);
    } else {
      const int lane = static_cast<int>(threadIdx.x) % 32, at = lane * halves_each;
      if (is_whole(warp, at)) {
        Pixel<4> sums[2] = {};
        add_whole(mixed[buffer][warp], lane, sums);
        target.store_some(left + at, y + warp, sums, 0, width - at);
      }
    }
    store_edges(
        target, left, width, from, to, y, min(rows, halved_group),
        [&](int edge_row, int column) { return sum_by_table(mixed[buffer][edge_row], column); });
  }

 private:
  __device__ void add_whole(const Pixel<4>* fours, int eight, Pixel<4> (&sums)[2]) const {
    constexpr int before = columns_before<pairs>, taps = 2 * pairs;
    constexpr int count = (before + 2 * (halves_each - 1) + taps + 3) / 4;
    const int from = eight * (2 * halves_each / 4);
#pragma unroll
    for (int q = 0; q < count; ++q) {
      const Pixel<4> four = fours[four_in_row(from + q)];
#pragma unroll
      for (int e = 0; e < 4; ++e)
#pragma unroll
        for (int j = 0; j < halves_each; ++j) {
          const int k = 4 * q + e - before - 2 * j;  // the tap
          float& sum = sums[j / 4].v[j % 4];
          if (k >= 0 && k < taps) sum = fma(columns.axis.weights[k], four.v[e], sum);
        }
    }
  }
  /// For columns near an edge, with the taps that the table lists.
  __device__ float sum_by_table(const Pixel<4>* fours, int column) const {
    const int at = column - columns.first;
    const int start = __ldg(columns.start + at) - first, taps = __ldg(columns.taps + at);
    const float* const weights = columns.weights + static_cast<std::ptrdiff_t>(at) * columns.stride;
    TapSum<1> sum;
    for (int k = start; k < start + taps; ++k)
      sum.add(__ldg(weights + (k - start)),
              {{reinterpret_cast<const float*>(fours + four_in_row(k / 4))[k % 4]}});
    return sum.sum.v[0];
  }
};

struct HalvingMemory {
  GreyMixedRows mixed[2];
  alignas(16) int edges[halving_threads][4];  ///< GreyColumn's.
  /// Only the part that is used, followed by copied rows of the source.
  alignas(16) GreyTables tables;
};

template <int pairs>
__global__ void __launch_bounds__(halving_threads, halving_blocks<pairs>)
    halve_grey(GreyRows source, GreyTarget target, const __grid_constant__ Halving h,
               int tables_bytes) {
  extern __shared__ float4 shared[];
  auto& memory = *reinterpret_cast<HalvingMemory*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  ready_tables(source, target, memory.tables, thread, halving_threads);
  __syncthreads();
  const int left = target.left + static_cast<int>(blockIdx.x) * halves_wide<pairs>;
  const int first = 2 * left + h.columns.axis.offset - columns_before<pairs>;
  const MixGrey<pairs> mix{target, h.columns, left, first, memory.mixed};
  const CopiedColumn column{
      source.column(first + 4 * thread, memory.edges[thread]),
      reinterpret_cast<char*>(&memory.tables) + tables_bytes + 4 * thread * source.pixel_bytes,
      halving_columns * source.pixel_bytes};
  const bool is_used =
      first + 4 * thread < 2 * min(left + halves_wide<pairs>, target.left + target.width) +
                               h.columns.axis.offset + 2 * pairs;
  const auto block = static_cast<int>(blockIdx.y);
  if (block < halved_edges) {
    const int begin = block == 0 ? h.rows.first : h.high, end = block == 0 ? h.low : h.rows.end;
    halve_strip<pairs, false>(
        PartialRows<pairs, false, GreyRows, CopiedColumn>{{source, h.rows, column, begin}}, is_used,
        mix, end);
  } else {
    const int begin = h.low + (block - halved_edges) * h.strip;
    halve_strip<pairs, false>(
        WholeRows<pairs, false, GreyRows, CopiedColumn>{{source, h.rows, column, begin}}, is_used,
        mix, min(begin + h.strip, h.high));
  }
}

// The number of rows of a strip. Chosen so that the last blocks end at about the same time, and
// that a strip reads few additional rows before its first sum is complete.
int strip_rows(int across, int rows, int before, int at_once) {
  int best = 16;
  std::int64_t shortest = INT64_MAX;
  for (int strip = 16; strip <= 64; strip += halved_group) {
    const std::int64_t blocks = std::int64_t{across} * ((rows + strip - 1) / strip + halved_edges);
    const std::int64_t time = (blocks + at_once - 1) / at_once * (strip + before + halved_group);
    if (time < shortest) shortest = time, best = strip;
  }
  return best;
}

template <int pairs>
bool halve_grey_on_cuda(CudaQueue& card, const HalvedTable& columns, const HalvedTable& rows,
                        const Frame& source, const Frame& target) {
  const Rect& t = target.region();
  const int across = (t.width + halves_wide<pairs> - 1) / halves_wide<pairs>;
  const int strip =
      strip_rows(across, t.height, pairs - 1, halving_blocks<pairs> * card.multiprocessors());
  const Halving halving = halving_of(columns, rows, strip);
  const int strips = (halving.high - halving.low + strip - 1) / strip;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(halved_edges + strips));
  const GreyRows texels = grey_rows(card, source);
  const GreyTarget pixels = grey_target(card, target);
  const int tables_bytes = bytes_of_tables(texels, pixels);
  const std::size_t bytes =
      offsetof(HalvingMemory, tables) +
      static_cast<std::size_t>(tables_bytes +
                               copied_rows<pairs> * halving_columns * texels.pixel_bytes);
  if (bytes > shared_bytes_of_block(card)) return false;
  if (bytes > shared_bytes_without_asking)
    check(cudaFuncSetAttribute(halve_grey<pairs>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
  halve_grey<pairs>
      <<<grid, halving_threads, bytes, card.stream()>>>(texels, pixels, halving, tables_bytes);
  check_launch("halve_grey");
  return true;
}

}  // namespace

bool halve_grey_on_cuda(CudaQueue& card, const HalvedTable& columns, const HalvedTable& rows,
                        const Frame& source, const Frame& target) {
  if (!share_tables(source, target)) return false;
  switch (columns.axis.taps) {
    case 2:
      return halve_grey_on_cuda<1>(card, columns, rows, source, target);
    case 4:
      return halve_grey_on_cuda<2>(card, columns, rows, source, target);
    case 6:
      return halve_grey_on_cuda<3>(card, columns, rows, source, target);
    case 8:
      return halve_grey_on_cuda<4>(card, columns, rows, source, target);
    case 12:
      return halve_grey_on_cuda<6>(card, columns, rows, source, target);
    default:
      return false;
  }
}

}  // namespace cuimg
