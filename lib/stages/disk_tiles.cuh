// SPDX-License-Identifier: Apache-2.0
// Erosion by a disk on a card, where its rows fit shared memory: a block takes up one row of the
// source after the other, makes the least of runs of 1, 2, 4, ... pixels of it, and two such runs
// make any row of the disk.
#pragma once

#include <vector>

#include "kernels/morphology.h"
#include "stages/window_wide.cuh"

namespace cuimg {
namespace detail {

inline constexpr int disk_threads = 128;
inline constexpr int disk_wide = 4;   // values of a row that a thread makes, disk_threads apart
inline constexpr int disk_high = 16;  // rows that a thread makes

/// One row of a disk: the least of two runs, which begin so many bytes from the thread's place in
/// the first table of runs.
struct DiskRuns {
  int first, second;
};

template <class T>
struct DiskPass {
  using Key = typename Order<T>::Key;
  LeastFold<T, int> fold;
  StoredRows<T> from, to;
  BorderAxis columns, rows;
  int left, bottom;  ///< Of the target.
  int values, channels;
  int rx, ry, levels;
  const DiskRuns* disk;  ///< For every distance from the disk's middle row.

  /// Values of a source row that a block's runs begin at, and the room that a row's runs take.
  __host__ __device__ int width() const { return disk_threads * disk_wide + 2 * rx * channels; }
  __host__ __device__ int row_size() const { return width() * levels; }
  /// @param batch how many rows are taken up at once.
  std::size_t shared_bytes(int batch) const {
    return static_cast<std::size_t>(ry + 1) * sizeof(DiskRuns) +
           static_cast<std::size_t>(width()) * sizeof(int) +
           static_cast<std::size_t>(batch * row_size()) * sizeof(Key);
  }
  /// Where the value lies in a source row, or -1.
  __device__ int place(int value) const {
    const int column = border_index(columns, left - rx + value / channels);
    if (column == BorderAxis::nothing) return -1;
    return (column - from.left) * channels + value % channels;
  }
};

template <class T, int batch>
__global__ void __launch_bounds__(disk_threads, 4) fold_disk_tiles(DiskPass<T> p) {
  using Key = typename Order<T>::Key;
  extern __shared__ double shared_memory[];
  DiskRuns* disk = reinterpret_cast<DiskRuns*>(shared_memory);
  int* places = reinterpret_cast<int*>(disk + p.ry + 1);
  const int thread = static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.x) * disk_threads * disk_wide;
  const int top = p.to.top + static_cast<int>(blockIdx.y) * disk_high;
  const int bottom = min(top + disk_high, p.bottom);
  const int width = p.width(), row_size = p.row_size();
  Key* runs = reinterpret_cast<Key*>(places + width);
  for (int i = thread; i <= p.ry; i += disk_threads) disk[i] = p.disk[i];
  // A thread reads again only what it wrote.
  for (int i = thread; i < width; i += disk_threads) places[i] = p.place(begin + i);

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
  for (int y = first; y < last; y += batch) {
    const int count = min(batch, last - y);
    for (int i = thread; i < width; i += disk_threads) {
      const int place = places[i];
      T stored[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q)
        stored[q] = place >= 0 && q < count ? p.from.load(place, y + q) : T{};
#pragma unroll
      for (int q = 0; q < batch; ++q)
        runs[q * row_size + i] = static_cast<Key>(p.fold.load(stored[q]));
    }
    __syncthreads();
    for (int level = 1; level < p.levels; ++level) {
      const int distance = p.channels << (level - 1);
      // Runs that pass the end are never asked for.
      for (int i = thread; i < width - distance; i += disk_threads) {
        const Key* from = runs + (level - 1) * width + i;
#pragma unroll
        for (int q = 0; q < batch; ++q, from += row_size)
          runs[q * row_size + level * width + i] =
              static_cast<Key>(p.fold.join(from[0], from[distance]));
      }
      __syncthreads();
    }
    for (int q = 0; q < count; ++q) {
      const char* of_row = reinterpret_cast<const char*>(runs + q * row_size + thread);
#pragma unroll
      for (int j = 0; j < disk_high; ++j) {
        const int away = abs(y + q - (top + j));
        if (away > p.ry) continue;
        const DiskRuns row = disk[away];
        const Key* first_run = reinterpret_cast<const Key*>(of_row + row.first);
        const Key* second_run = reinterpret_cast<const Key*>(of_row + row.second);
#pragma unroll
        for (int k = 0; k < disk_wide; ++k)
          least[j][k] = p.fold.join(p.fold.join(least[j][k], first_run[k * disk_threads]),
                                    second_run[k * disk_threads]);
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

/// Queues an erosion, or with the fold turned round a dilation, by a disk of radii rx and ry.
/// @returns false, having done nothing, where its rows do not fit. @throws DeviceError.
template <class T>
bool fold_disk_on_card(CudaQueue& card, const LeastFold<T, int>& fold, int rx, int ry,
                       const BorderAxis& columns, const BorderAxis& rows, const Frame& source,
                       const Frame& target) {
  const Rect& t = target.region();
  const int channels = target.format().stored_channels();
  const int levels = floor_log2(static_cast<std::uint64_t>(2 * rx + 1)) + 1;
  detail::DiskPass<T> p{fold,
                        StoredRows<T>(source),
                        StoredRows<T>(target),
                        columns,
                        rows,
                        t.x,
                        t.bottom(),
                        t.width * channels,
                        channels,
                        rx,
                        ry,
                        levels,
                        nullptr};
  constexpr std::size_t shared_without_asking = 48 * 1024;
  if (rx > 4096 || ry > 4096) return false;  // their sizes might not fit an int
  const int batch = p.shared_bytes(2) <= shared_without_asking ? 2 : 1;
  const std::size_t bytes = p.shared_bytes(batch);
  if (bytes > shared_without_asking) return false;
  std::vector<detail::DiskRuns> disk;
  for (int dy = 0; dy <= ry; ++dy) {
    const int reach = ellipse_reach(rx, ry, dy), run = 2 * reach + 1;
    const int level = floor_log2(static_cast<std::uint64_t>(run));
    const int begin = level * p.width() + (rx - reach) * channels;
    const int key_bytes = static_cast<int>(sizeof(typename Order<T>::Key));
    disk.push_back({begin * key_bytes, (begin + (run - (1 << level)) * channels) * key_bytes});
  }
  const DeviceTable<detail::DiskRuns> table(card, disk);
  p.disk = table.data();
  const int across = detail::disk_threads * detail::disk_wide;
  const dim3 grid(static_cast<unsigned>((p.values + across - 1) / across),
                  static_cast<unsigned>((t.height + detail::disk_high - 1) / detail::disk_high));
  if (batch == 2)
    detail::fold_disk_tiles<T, 2><<<grid, detail::disk_threads, bytes, card.stream()>>>(p);
  else
    detail::fold_disk_tiles<T, 1><<<grid, detail::disk_threads, bytes, card.stream()>>>(p);
  check_launch("disk_tiles");
  return true;
}

}  // namespace cuimg
