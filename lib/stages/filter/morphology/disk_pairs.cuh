// SPDX-License-Identifier: Apache-2.0
// Erosion by a circle of at most 15 rows up and down on a card. Values of every type are compared
// as floats, which represent them in the same order. As in disk_ring.cuh a thread
// moves down columns and merges a row's runs into the results above and below, which are registers.
// Here these are two columns, and runs grow from the middle outwards: the values between both
// middles are the same for both. So a row is read once, in pairs, and no tables are needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "device/cuda/cuda_limits.h"
#include "kernels/stencil/window_extremum.h"
#include "stages/pass/value_types.cuh"
#include "stages/warp/border_sampler.h"
#include "stages/window/window_wide.cuh"

namespace cuimg {
namespace detail {

inline constexpr int disk_pair_threads = 256;
// values of a row that a block makes
inline constexpr int disk_pair_values = 2 * disk_pair_threads;
inline constexpr int disk_pair_batch = 4;  // rows between two barriers
inline constexpr int most_disk_pair_radius = 15;

/// The reach of the circle's rows to both sides, in four bits each.
template <int R>
constexpr std::uint64_t reaches_of_circle() {
  std::uint64_t all = 0;
  for (int dy = 0; dy <= R; ++dy)
    all |= static_cast<std::uint64_t>(ellipse_reach(R, R, dy)) << (4 * dy);
  return all;
}
template <int R>
__device__ constexpr int circle_reach(int dy) {
  constexpr std::uint64_t all = reaches_of_circle<R>();
  return static_cast<int>(all >> (4 * dy) & 15);
}

struct DiskPairs {
  PixelType type;
  StoredRows<std::byte> from;
  AnyMemory to;
  BorderAxis columns, rows;
  int left, top, bottom;  ///< The target's edges.
  int values;
  int log_channels;  ///< The logarithm of 1, 2 or 4.
  int high;          ///< Rows that a block makes.
  /// The sign bit for the greatest value, which is the least after flipping signs.
  std::uint32_t flip;

  __host__ __device__ int channels() const { return 1 << log_channels; }
  /// Channels are separate, in different banks: the floats from one to the next, for rows of that
  /// many pixels.
  __host__ __device__ int plane(int pixels) const {
    return (pixels + 31) / 32 * 32 + 32 / channels();
  }
  __host__ __device__ int wide() const { return disk_pair_values >> log_channels; }
  std::size_t shared_bytes(int radius) const {
    return sizeof(float) * disk_pair_batch * static_cast<std::size_t>(channels()) *
           static_cast<std::size_t>(plane(wide() + 2 * radius) + plane(wide()));
  }
};

template <class T>
__device__ inline float float_of(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return half_to_float(value);
  else
    return static_cast<float>(value);
}
template <class T>
__device__ inline T value_of(float v) {
  if constexpr (std::is_same_v<T, Half>)
    return float_to_half(v);
  else
    return static_cast<T>(v);
}

/// Merges this row into least[k] and moves it on to the next row; run[dy] is the minimum that this
/// row contributes dy rows away. @returns the completed result.
template <int R>
__device__ inline float join_disk_row(const float (&run)[R + 1], float start,
                                      float (&least)[2 * R + 1]) {
  const float made = fminf(least[0], run[R]);
#pragma unroll
  for (int k = 0; k < 2 * R; ++k)
    least[k] = fminf(least[k + 1], run[k + 1 < R ? R - k - 1 : k + 1 - R]);
  least[2 * R] = start;
  return made;
}

/// The minimum over each run that rows of the circle have, for two adjacent pixels.
/// @param row from `R` pixels before the first on.
template <int R>
__device__ inline void runs_of_pair(const float* row, float (&first)[R + 1],
                                    float (&second)[R + 1]) {
  const auto pair = [&](int i) { return *reinterpret_cast<const float2*>(row + i / 2 * 2); };
  const auto value = [&](int i) { return i % 2 == 0 ? pair(i).x : pair(i).y; };
  float core = Order<float>::nan();
#pragma unroll
  for (int r = 0; r <= R; ++r) {
    const float before = value(R - r), after = value(R + 1 + r);
    const float run = fminf(core, before), next = fminf(core, after);
#pragma unroll
    for (int dy = 0; dy <= R; ++dy)
      if (circle_reach<R>(dy) == r) first[dy] = run, second[dy] = next;
    core = fminf(run, after);
  }
}

template <int R>
__global__ void __launch_bounds__(disk_pair_threads, 2)
    fold_disk_pairs(const __grid_constant__ DiskPairs p) {
  constexpr int threads = disk_pair_threads, batch = disk_pair_batch;
  extern __shared__ double shared_memory[];
  const int thread = static_cast<int>(threadIdx.x);
  const int channels = p.channels(), wide = p.wide();
  const int in_plane = p.plane(wide + 2 * R), out_plane = p.plane(wide);
  const int in_row = channels * in_plane, out_row = channels * out_plane;
  float* const in = reinterpret_cast<float*>(shared_memory);
  float* const out = in + batch * in_row;
  const int begin = static_cast<int>(blockIdx.x) * disk_pair_values;
  const int top = p.top + static_cast<int>(blockIdx.y) * p.high;
  const int bottom = min(top + p.high, p.bottom);

  // A thread's values of a source row: their positions in it, and in shared memory.
  constexpr int each = (disk_pair_values + 2 * R * 4 + threads - 1) / threads;
  int offset[each];
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const int value = begin + thread + i * threads;
    const int column = border_index(p.columns, p.left - R + (value >> p.log_channels));
    offset[i] = column == BorderAxis::nothing
                    ? -1
                    : (column - p.from.left) * channels + (value & (channels - 1));
  }
  const auto place = [&](int value, int plane) {
    return (value & (channels - 1)) * plane + (value >> p.log_channels);
  };
  float next[batch][each];
  const auto fetch_as = [&](auto stored, int first) {
    using T = decltype(stored);
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int y = first + q;
      const bool is_row = y >= p.rows.low && y < p.rows.high;
      const T* const row = reinterpret_cast<const T*>(p.from.row(is_row ? y : p.rows.low));
#pragma unroll
      for (int i = 0; i < each; ++i) {
        next[q][i] = is_row ? 0 : Order<float>::nan();
        if (is_row && offset[i] >= 0 && thread + i * threads < disk_pair_values + 2 * R * channels)
          next[q][i] = float_of(load_cached(row + offset[i]));
      }
    }
  };
  const auto fetch = [&](int first) {
    with_texel(p.type, [&](auto stored) { fetch_as(stored, first); });
  };
  const auto flipped = [&](float v) { return float_from_bits(bits_of(v) ^ p.flip); };

  const bool zero_above = p.rows(p.rows.low - 1) == BorderAxis::nothing;
  const bool zero_below = p.rows(p.rows.high) == BorderAxis::nothing;
  const auto start_of = [&](int y) {
    const bool meets_zero =
        (zero_above && y - R < p.rows.low) || (zero_below && y + R >= p.rows.high);
    return meets_zero ? flipped(0.0f) : Order<float>::nan();
  };
  const int first_row = top - R;
  float least[2][2 * R + 1];  // for row y - R + k, when row y is merged
#pragma unroll
  for (int k = 0; k <= 2 * R; ++k) least[0][k] = least[1][k] = start_of(first_row - R + k);

  // The thread's pair of pixels, in one channel.
  const int channel = 2 * thread / wide, x = 2 * thread % wide;
  const float* const from = in + channel * in_plane + x;
  float* const to = out + channel * out_plane + x;
  fetch(first_row);
#pragma unroll 1
  for (int y = first_row; y < bottom + R; y += batch) {
#pragma unroll
    for (int q = 0; q < batch; ++q)
#pragma unroll
      for (int i = 0; i < each; ++i) {
        const int value = thread + i * threads;
        if (value < disk_pair_values + 2 * R * channels)
          in[q * in_row + place(value, in_plane)] = flipped(next[q][i]);
      }
    __syncthreads();
    fetch(y + batch);
#pragma unroll 1
    for (int q = 0; q < batch; ++q) {
      float first[R + 1], second[R + 1];
      runs_of_pair<R>(from + q * in_row, first, second);
      const float start = start_of(y + q + R + 1);
      const float2 made = {join_disk_row<R>(first, start, least[0]),
                           join_disk_row<R>(second, start, least[1])};
      *reinterpret_cast<float2*>(to + q * out_row) = made;
    }
    __syncthreads();
    with_texel(p.type, [&](auto stored) {
      using T = decltype(stored);
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const int row = y + q - R;
        if (row < top || row >= bottom) continue;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const int value = thread + i * threads;
          const float made = canonical_nan(flipped(out[q * out_row + place(value, out_plane)]));
          if (begin + value < p.values)
            p.to.store_streaming((begin + value) * static_cast<int>(sizeof(T)), row - p.top,
                                 value_of<T>(made));
        }
      }
    });
  }
}

/// Rows of a block: chosen so that the last blocks end at about the same time, and few rows are
/// read in vain. @param at_once blocks that run at the same time.
inline int rows_of_disk_pairs(int columns, int height, int radius, int at_once) {
  int best = height;
  std::int64_t shortest = INT64_MAX;
  for (int count = (height + most_blocks_down - 1) / most_blocks_down; count <= height; ++count) {
    const int rows = (height + count - 1) / count;
    const std::int64_t rounds = (std::int64_t{columns} * count + at_once - 1) / at_once;
    const std::int64_t time = rounds * (rows + 2 * radius + 8);
    if (time < shortest) shortest = time, best = rows;
    if (rows <= 16) break;
  }
  return best;
}

template <int R>
void run_disk_pairs(CudaQueue& card, DiskPairs p, int height) {
  const int columns = (p.values + disk_pair_values - 1) / disk_pair_values;
  p.high = rows_of_disk_pairs(columns, height, R, 2 * card.multiprocessors());
  const dim3 grid =
      blocks_for(p.values, height, dim3(disk_pair_values, static_cast<unsigned>(p.high)));
  fold_disk_pairs<R><<<grid, disk_pair_threads, p.shared_bytes(R), card.stream()>>>(p);
  check_launch("disk_pairs");
}

}  // namespace detail

/// Queues an erosion or a dilation by a circle. @returns false, having done nothing,
/// if it is too large. @throws DeviceError.
template <int R = detail::most_disk_pair_radius>
bool fold_disk_in_pairs(CudaQueue& card, bool greatest, int radius, const BorderSampler& borders,
                        const Frame& source, const Frame& target) {
  if (radius < 1 || radius > R) return false;
  if constexpr (R > 1)
    if (radius < R)
      return fold_disk_in_pairs<R - 1>(card, greatest, radius, borders, source, target);
  const Rect& t = target.region();
  const int channels = target.format().stored_channels();
  detail::run_disk_pairs<R>(
      card,
      {target.format().type, StoredRows<std::byte>(source), target.card().any_memory(),
       borders.columns, borders.rows, t.x, t.y, t.bottom(), t.width * channels,
       floor_log2(static_cast<std::uint64_t>(channels)), t.height, greatest ? 0x80000000u : 0},
      t.height);
  return true;
}

}  // namespace cuimg
