// SPDX-License-Identifier: Apache-2.0
// Pictures enlarged exactly twofold by weights: tables, and the sums over rows, for any pixels.
#pragma once

#include <algorithm>

#include "kernels/stencil/resample.h"
#include "stages/resample/resize_tiles.cuh"

namespace cuimg {

inline constexpr int enlarged_group = 4;  // target rows that are completed between two barriers
/// Blocks for the rows near the top and the bottom edge, one each. They are slow, so they start
/// first.
inline constexpr int enlarged_edges = 2;
inline constexpr int cells_of_strip = 24;

struct EnlargedTable {
  const int* start;
  const int* taps;
  const float* weights;
  int first, end, stride;
  EnlargedAxis axis;

  __device__ bool has(int i) const { return i >= first && i < end; }
  __device__ bool is_whole(int i) const { return i >= axis.low && i < axis.high; }
  /// The sum of a target pixel near an edge. @param texel returns the texel of a source index.
  template <int N = 4, class Texel>
  __device__ TapSum<N> sum(int i, const Texel& texel) const {
    const int at = i - first, from = __ldg(start + at), count = __ldg(taps + at);
    const float* const weight = weights + static_cast<std::ptrdiff_t>(at) * stride;
    TapSum<N> sum;
    for (int k = 0; k < count; ++k) sum.add(__ldg(weight + k), texel(from + k));
    return sum;
  }
};

/// An array's sectors contain an even row of the frame and the next one. The result is 1 if a
/// cell's upper row, 2c - 1, would be the second row of a sector: then each cell's lower row is
/// stored together with the next cell's upper row. Otherwise it is 0.
inline int rows_wait(const Frame& target) {
  return target.card().is_array() ? ~target.region().y & 1 : 0;
}

/// Which rows of cells each block computes. Blocks 0 and 1 compute those near the top and bottom
/// edge. Each of the others computes a strip of [low, high), which consists of whole groups of rows
/// with all of their taps.
struct CellRows {
  int first, low, high, end;

  CUIMG_HD int blocks() const {
    return enlarged_edges + (high - low + cells_of_strip - 1) / cells_of_strip;
  }
  __device__ int begin_of(int block) const {
    return block == 0               ? first
           : block < enlarged_edges ? high
                                    : low + (block - enlarged_edges) * cells_of_strip;
  }
  __device__ int end_of(int block) const {
    return block == 0               ? low
           : block < enlarged_edges ? end
                                    : min(begin_of(block) + cells_of_strip, high);
  }
};

/// The incomplete sums for one source column, whose rows are added one after the other.
template <int T>
struct OpenSums {
  TapSum<4> odd[T], even[T];  // the first ones are completed by the next row

  __device__ void add(const EnlargedAxis& axis, const Pixel<4>& texel) {
    odd[T - 1] = even[T - 1] = {};
#pragma unroll
    for (int k = 0; k < T; ++k) {
      odd[k].add(axis.weights[1][T - 1 - k], texel);
      even[k].add(axis.weights[0][T - 1 - k], texel);
    }
  }
  __device__ void close() {
#pragma unroll
    for (int k = 0; k + 1 < T; ++k) odd[k] = odd[k + 1], even[k] = even[k + 1];
  }
};

inline EnlargedTable table_of(const AxisTable& table, const EnlargedAxis& axis,
                              const DeviceTable<int>& start, const DeviceTable<int>& taps,
                              const DeviceTable<float>& weights) {
  return {start.data(), taps.data(), weights.data(), table.first, table.first + table.size(),
          table.stride, axis};
}

/// @param waits the result of rows_wait().
inline CellRows rows_of_cells(const EnlargedTable& rows, int first, int waits) {
  constexpr int cells = enlarged_group / 2;  // in a group
  const int end = ((rows.end + waits) >> 1) + 1;
  // The first cell of which the first row, 2 * cell - 1 - waits, has all of its taps.
  const int whole = (std::max(rows.axis.low, rows.first) + 2 + waits) >> 1;
  const int low = std::min(first + (std::max(whole - first, 0) + cells - 1) / cells * cells, end);
  const int past = (std::min(rows.axis.high, rows.end) + 1 + waits) >> 1;
  const int high = low + std::max(past - low, 0) / cells * cells;
  return {first, low, high, end};
}

/// enlarge_on_cuda() for one channel. @throws DeviceError.
bool enlarge_grey_on_cuda(CudaQueue& card, const EnlargedTable& columns, const EnlargedTable& rows,
                          const Frame& source, const Frame& target);

}  // namespace cuimg
