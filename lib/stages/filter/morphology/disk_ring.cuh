// SPDX-License-Identifier: Apache-2.0
// Erosion by a disk of at most 31 rows up and down on a card. A thread moves down a column. For
// each row of the source it computes the minimum of every run that a row of the disk has, once, and
// merges it into the results above and below that contain it. These results are registers that
// shift by one when they are merged.
#pragma once

#include <algorithm>

#include "device/cuda/cuda_limits.h"
#include "kernels/stencil/window_extremum.h"
#include "stages/warp/border_sampler.h"
#include "stages/window/window_wide.cuh"

namespace cuimg {
namespace detail {

inline constexpr int ring_disk_threads = 256;  // also the values of a row that a block makes
inline constexpr int ring_disk_batch = 4;      // rows whose runs are computed together
inline constexpr int ring_disk_height = 144;   // rows that a block makes

/// @tparam R the most rows up and down.
template <class T, int R>
struct DiskRing {
  using Key = typename Order<T>::Key;
  static constexpr int threads = ring_disk_threads, batch = ring_disk_batch;
  LeastFold<T, int> fold;
  StoredRows<T> from;
  ValueTarget<T> to;
  BorderAxis columns, rows;
  int left, bottom;  ///< The target's edges.
  int values, channels;
  int rx, ry, levels;
  /// For the row at this distance from the middle: the beginnings of its two runs, relative to a
  /// pixel's own position.
  int first[R + 1], second[R + 1];

  /// The values of a source row at which a block's runs begin, and the room for a row's runs.
  __host__ __device__ int width() const { return threads + 2 * rx * channels; }
  __host__ __device__ int row_size() const { return width() * levels; }
  std::size_t shared_bytes() const {
    return static_cast<std::size_t>(batch * row_size()) * sizeof(Key);
  }
};

template <class T, int R>
__global__ void __launch_bounds__(ring_disk_threads, R > 15 ? 2 : 3)
    fold_disk_ring(const __grid_constant__ DiskRing<T, R> p) {
  using Pass = DiskRing<T, R>;
  using Key = typename Order<T>::Key;
  extern __shared__ double shared_memory[];
  Key* const runs = reinterpret_cast<Key*>(shared_memory);
  const int thread = static_cast<int>(threadIdx.x), width = p.width(), row_size = p.row_size();
  const int begin = static_cast<int>(blockIdx.x) * Pass::threads;
  const int top = p.to.top + static_cast<int>(blockIdx.y) * ring_disk_height;
  const int bottom = min(top + ring_disk_height, p.bottom);

  // A thread's values of a source row, and their positions in it.
  constexpr int each = 2;
  int offset[each];
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const int value = begin + thread + i * Pass::threads;
    const int column = border_index(p.columns, p.left - p.rx + value / p.channels);
    offset[i] = column == BorderAxis::nothing
                    ? -1
                    : (column - p.from.left) * p.channels + value % p.channels;
  }
  T next[Pass::batch][each];
  const auto is_row = [&](int y) { return y >= p.rows.low && y < p.rows.high; };
  const auto fetch = [&](int first) {
#pragma unroll
    for (int q = 0; q < Pass::batch; ++q)
#pragma unroll
      for (int i = 0; i < each; ++i) {
        next[q][i] = T{};
        if (is_row(first + q) && offset[i] >= 0 && thread + i * Pass::threads < width)
          next[q][i] = p.from.load(offset[i], first + q);
      }
  };

  const bool zero_above = p.rows(p.rows.low - 1) == BorderAxis::nothing;
  const bool zero_below = p.rows(p.rows.high) == BorderAxis::nothing;
  const int zero = p.fold.load(T{});
  const auto start_of = [&](int y) {
    const bool meets_zero =
        (zero_above && y - p.ry < p.rows.low) || (zero_below && y + p.ry >= p.rows.high);
    return meets_zero ? zero : p.fold.neutral();
  };
  const int first_row = top - p.ry, end_row = bottom + R;
  int least[2 * R + 1];  // for row y - R + k, when row y is merged
#pragma unroll
  for (int k = 0; k <= 2 * R; ++k) least[k] = start_of(first_row - R + k);

  fetch(first_row);
  for (int y = first_row; y < end_row; y += Pass::batch) {
    __syncthreads();
#pragma unroll
    for (int q = 0; q < Pass::batch; ++q)
#pragma unroll
      for (int i = 0; i < each; ++i)
        if (thread + i * Pass::threads < width)
          runs[q * row_size + thread + i * Pass::threads] =
              static_cast<Key>(p.fold.load(next[q][i]));
    if (y + Pass::batch < end_row) fetch(y + Pass::batch);
    __syncthreads();
    for (int level = 1; level < p.levels; ++level) {
      const int distance = p.channels << (level - 1);
#pragma unroll
      for (int q = 0; q < Pass::batch; ++q) {
        Key* const to = runs + q * row_size + level * width;
        const Key* const half = to - width;
        // Runs that pass the end are never used.
        for (int i = thread; i < width - distance; i += Pass::threads)
          to[i] = static_cast<Key>(p.fold.join(half[i], half[i + distance]));
      }
      __syncthreads();
    }
#pragma unroll 1
    for (int q = 0; q < Pass::batch; ++q) {
      int row[R + 1];
#pragma unroll
      for (int dy = 0; dy <= R; ++dy) row[dy] = p.fold.neutral();
      if (is_row(y + q)) {
        const Key* const at = runs + q * row_size + thread;
#pragma unroll
        for (int dy = 0; dy <= R; ++dy)
          if (dy <= p.ry) row[dy] = p.fold.join(at[p.first[dy]], at[p.second[dy]]);
      }
      const int made = p.fold.join(least[0], row[R]);
#pragma unroll
      for (int k = 0; k < 2 * R; ++k)
        least[k] = p.fold.join(least[k + 1], row[k + 1 < R ? R - k - 1 : k + 1 - R]);
      least[2 * R] = start_of(y + q + R + 1);
      const int target = y + q - R, value = begin + thread;
      if (target >= top && target < bottom && value < p.values)
        p.to.store(value, target, p.fold.store(made));
    }
  }
}

}  // namespace detail

/// Queues an erosion, or with the reversed fold a dilation, by a disk.
/// @returns false, having done nothing, if its rows do not fit. @throws DeviceError.
template <int R, class T>
bool fold_disk_in_ring(CudaQueue& card, const LeastFold<T, int>& fold, const Radius& radius,
                       const BorderSampler& borders, const Frame& source, const Frame& target) {
  const auto [rx, ry] = radius;
  const Rect& t = target.region();
  const int channels = target.format().stored_channels();
  detail::DiskRing<T, R> p{fold,
                           StoredRows<T>(source),
                           target.card().value_target<T>(),
                           borders.columns,
                           borders.rows,
                           t.x,
                           t.bottom(),
                           t.width * channels,
                           channels,
                           rx,
                           ry,
                           floor_log2(static_cast<std::uint64_t>(2 * rx + 1)) + 1,
                           {},
                           {}};
  if (ry > R || 2 * rx > detail::ring_disk_threads / channels ||
      p.shared_bytes() > shared_bytes_without_asking)
    return false;
  for (int dy = 0; dy <= ry; ++dy) {
    const int reach = ellipse_reach(rx, ry, dy), run = 2 * reach + 1;
    const int level = floor_log2(static_cast<std::uint64_t>(run));
    p.first[dy] = level * p.width() + (rx - reach) * channels;
    p.second[dy] = p.first[dy] + (run - (1 << level)) * channels;
  }
  const dim3 grid =
      blocks_for(p.values, t.height, dim3(detail::ring_disk_threads, detail::ring_disk_height));
  detail::fold_disk_ring<T, R>
      <<<grid, detail::ring_disk_threads, p.shared_bytes(), card.stream()>>>(p);
  check_launch("disk_ring");
  return true;
}

}  // namespace cuimg
