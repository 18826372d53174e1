// SPDX-License-Identifier: Apache-2.0
// Erosion by a disk on a card, if its rows fit shared memory: a block processes one row of the
// source after the other, computes the minima of runs of 1, 2, 4, ... pixels, and two such runs
// make any row of the disk.
#pragma once

#include <vector>

#include "device/cuda/cuda_limits.h"
#include "kernels/stencil/window_extremum.h"
#include "stages/warp/border_sampler.h"
#include "stages/window/window_wide.cuh"

namespace cuimg {
namespace detail {

inline constexpr int disk_threads = 128;
inline constexpr int disk_wide = 2;   // values of a row that a thread makes, disk_threads apart
inline constexpr int disk_high = 32;  // rows that a thread makes
inline constexpr int disk_batch = 2;  // rows that are processed together
/// Smaller disks have too few rows to repay computing runs again in every tile.
inline constexpr int least_tiled_disk = 8;

/// One row of a disk: the minimum of two runs, whose first values are at these distances from a
/// pixel's own, with all runs of a row in one table.
struct DiskRuns {
  int first, second;
};

template <class T>
struct DiskPass {
  using Key = typename Order<T>::Key;
  LeastFold<T, int> fold;
  StoredRows<T> from;
  ValueTarget<T> to;
  BorderAxis columns, rows;
  int left, bottom;  ///< The target's edges.
  int values, channels;
  int rx, ry, levels;
  const DiskRuns* disk;  ///< For every distance from the disk's middle row.

  /// The values of a source row at which a block's runs begin, and the room for a row's runs.
  __host__ __device__ int width() const { return disk_threads * disk_wide + 2 * rx * channels; }
  __host__ __device__ int row_size() const { return width() * levels; }
  std::size_t shared_bytes() const {
    return static_cast<std::size_t>(ry + 1) * sizeof(DiskRuns) +
           static_cast<std::size_t>(disk_batch * row_size()) * sizeof(Key);
  }
  __device__ Key load(int value, int y) const {
    const int column = border_index(columns, left - rx + value / channels);
    return static_cast<Key>(
        fold.load(column == BorderAxis::nothing
                      ? T{}
                      : from.load((column - from.left) * channels + value % channels, y)));
  }
};

template <class T>
__global__ void __launch_bounds__(disk_threads, 4) fold_disk_tiles(DiskPass<T> p) {
  using Key = typename Order<T>::Key;
  extern __shared__ double shared_memory[];
  DiskRuns* disk = reinterpret_cast<DiskRuns*>(shared_memory);
  Key* runs = reinterpret_cast<Key*>(disk + p.ry + 1);
  const int thread = static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.x) * disk_threads * disk_wide;
  const int top = p.to.top + static_cast<int>(blockIdx.y) * disk_high;
  const int bottom = min(top + disk_high, p.bottom);
  const int width = p.width(), row_size = p.row_size();
  for (int i = thread; i <= p.ry; i += disk_threads) disk[i] = p.disk[i];

  const bool zero_above = p.rows(p.rows.low - 1) == BorderAxis::nothing;
  const bool zero_below = p.rows(p.rows.high) == BorderAxis::nothing;
  int least[disk_high][disk_wide];
#pragma unroll
  for (int j = 0; j < disk_high; ++j) {
    int start = p.fold.neutral();
    if ((zero_above && top + j - p.ry < p.rows.low) ||
        (zero_below && top + j + p.ry >= p.rows.high))
      start = p.fold.join(start, p.fold.load(T{}));
#pragma unroll
    for (int k = 0; k < disk_wide; ++k) least[j][k] = start;
  }
  const int first = max(top - p.ry, p.rows.low), last = min(bottom + p.ry, p.rows.high);
  for (int y = first; y < last; y += disk_batch) {
    const int count = min(disk_batch, last - y);
    for (int q = 0; q < count; ++q)
      for (int i = thread; i < width; i += disk_threads)
        runs[q * row_size + i] = p.load(begin + i, y + q);
    __syncthreads();
    for (int level = 1; level < p.levels; ++level) {
      const int distance = p.channels << (level - 1);
      for (int q = 0; q < count; ++q) {
        Key* to = runs + q * row_size + level * width;
        const Key* from = to - width;
        // Runs that pass the end are never used.
        for (int i = thread; i < width - distance; i += disk_threads)
          to[i] = static_cast<Key>(p.fold.join(from[i], from[i + distance]));
      }
      __syncthreads();
    }
    for (int q = 0; q < count; ++q) {
      const Key* of_row = runs + q * row_size + thread;
#pragma unroll
      for (int j = 0; j < disk_high; ++j) {
        const int away = abs(y + q - (top + j));
        if (away > p.ry) continue;
        const DiskRuns row = disk[away];
#pragma unroll
        for (int k = 0; k < disk_wide; ++k) {
          const Key* at = of_row + k * disk_threads;
          least[j][k] = p.fold.join(least[j][k], p.fold.join(at[row.first], at[row.second]));
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < disk_high; ++j)
#pragma unroll
    for (int k = 0; k < disk_wide; ++k) {
      const int value = begin + thread + k * disk_threads;
      if (value < p.values && top + j < bottom)
        p.to.store(value, top + j, p.fold.store(least[j][k]));
    }
}

}  // namespace detail

/// Queues an erosion, or with the reversed fold a dilation, by a disk.
/// @returns false, having done nothing, if its rows do not fit or tiles do not pay off.
/// @throws DeviceError.
template <class T>
bool fold_disk_on_card(CudaQueue& card, const LeastFold<T, int>& fold, const Radius& radius,
                       const BorderSampler& borders, const Frame& source, const Frame& target) {
  const auto [rx, ry] = radius;
  const Rect& t = target.region();
  const int channels = target.format().stored_channels();
  const int levels = floor_log2(static_cast<std::uint64_t>(2 * rx + 1)) + 1;
  detail::DiskPass<T> p{fold,
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
                        levels,
                        nullptr};
  if (rx < detail::least_tiled_disk) return false;
  // Sizes that may exceed an int do not fit.
  if (rx > 4096 || ry > 4096 || p.shared_bytes() > shared_bytes_without_asking) return false;
  std::vector<detail::DiskRuns> disk;
  for (int dy = 0; dy <= ry; ++dy) {
    const int reach = ellipse_reach(rx, ry, dy), run = 2 * reach + 1;
    const int level = floor_log2(static_cast<std::uint64_t>(run));
    const int begin = level * p.width() + (rx - reach) * channels;
    disk.push_back({begin, begin + (run - (1 << level)) * channels});
  }
  const DeviceTable<detail::DiskRuns> table(card, disk);
  p.disk = table.data();
  const int across = detail::disk_threads * detail::disk_wide;
  const dim3 grid(static_cast<unsigned>((p.values + across - 1) / across),
                  static_cast<unsigned>((t.height + detail::disk_high - 1) / detail::disk_high));
  detail::fold_disk_tiles<T><<<grid, detail::disk_threads, p.shared_bytes(), card.stream()>>>(p);
  check_launch("disk_tiles");
  return true;
}

}  // namespace cuimg
