// SPDX-License-Identifier: Apache-2.0
// The launches of median for small windows: a thread moves down a column, applying a network.
#include "stages/filter/median/median_networks.h"

#include "image/dispatch.h"
#include "kernels/math/dispatch.h"
#include "kernels/stencil/median_network.h"
#include "stages/filter/median/median_byte_lane.cuh"
#include "stages/filter/median/median_source.cuh"

namespace cuimg {
namespace {

constexpr int network_threads = 128;
/// Rows that a thread makes, as the bits of a word.
constexpr int rows_of_lane(int columns) { return columns == 1 ? 64 : 32; }

// Blocks on a multiprocessor at a time; 0 leaves it to the compiler. 5x5 windows gain from one more
// than it chooses, 4 % (RGBA of halves: 0.448 ms instead of 0.475); other windows lose
// (card_chains, an H200, 2026-12-01).
template <class Lane, int size>
constexpr int blocks_wanted = size != 5                            ? 0
                              : sizeof(typename Lane::Stored) == 2 ? 7
                                                                   : 6;

template <class Lane, int size, class Memory>
__global__ void __launch_bounds__(network_threads, blocks_wanted<Lane, size>)
    median_network(KeySource<typename Lane::Stored> source,
                   ValueTarget<typename Lane::Stored, Memory> target, int values, int lanes,
                   int bottom) {
  using T = typename Lane::Stored;
  using Key = typename Lane::Key;
  constexpr int radius = size / 2, columns = Lane::columns, rows = rows_of_lane(columns);
  constexpr int across = size + columns - 1;  // values of a row that a thread reads
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const Lane lane(min(thread, lanes - 1), lanes, values);
  constexpr unsigned stride = Lane::channels * sizeof(T);
  __shared__ unsigned places[2 * across * network_threads];
  LaneBytes<across> bytes = {{}, places + threadIdx.x, network_threads};
  bool reaches_beyond = false;
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int k = 0; k < across; ++k) {
      const int offset = source.offset(lane.value(Lane::loads == 2 ? i : 0), k - radius);
      const unsigned byte = offset < 0 ? no_column : static_cast<unsigned>(offset) * sizeof(T);
      if (k == 0) bytes.first[i] = byte;
      places[(i * across + k) * network_threads + threadIdx.x] = byte;
      reaches_beyond = reaches_beyond || byte == no_column || byte != bytes.first[i] + k * stride;
    }
  reaches_beyond = reaches_beyond || Lane::is_near_edge(bytes.first[0], bytes.first[1]);
  // For the whole block, so that no thread waits for another's branch.
  const bool is_edge = __syncthreads_or(reaches_beyond) != 0;
  if (thread >= lanes) return;

  const auto is_used = [&](int i) { return lane.value(i) % source.channels < source.used; };
  const bool uses_first = is_used(0), uses_second = is_used(Lane::count - 1);
  // Bit y % 32: whether row y contains a NaN around the column.
  unsigned nan_rows = 0;
  using Fetched = typename Lane::template Fetched<across>;
  const auto pitch = static_cast<unsigned>(source.rows.pitch_bytes);
  const auto fetch = [&](int y) {
    const int from = y >= source.rows_axis.low && y < source.rows_axis.high
                         ? y
                         : border_index(source.rows_axis, y);
    return from == BorderAxis::nothing
               ? Fetched{}
               : Lane::fetch(
                     source.rows.data +
                         std::uint64_t{static_cast<unsigned>(from - source.rows.top)} * pitch,
                     bytes, is_edge);
  };
  const auto keys_of = [&](const Fetched& fetched, int y) {
    const Keys<Key, across> keys = Lane::keys(fetched, bytes, is_edge);
    if constexpr (Order<T>::has_nan) {
      const bool has_nan = uses_first && Lane::may_hold_nan(keys.v, uses_second);
      nan_rows = (nan_rows & ~(1u << (y & 31))) | static_cast<unsigned>(has_nan) << (y & 31);
    }
    return keys;
  };
  const int top = target.top + static_cast<int>(blockIdx.y) * rows;
  const int end = min(top + rows, bottom);
  std::uint64_t to_select = 0;  // rows of the chunk
  MedianColumns<Key, size, columns> column;
  column.begin(top, [&](int y) { return keys_of(fetch(y), y); });
  // The next step's rows are loaded while one is computed.
  Fetched ahead[column.rows];
#pragma unroll
  for (int i = 0; i < column.rows; ++i)
    if (Lane::fetches_ahead) ahead[i] = fetch(top + radius + i);
  const auto store = [&](int y, const Key(&medians)[columns]) {
    if (y >= end) return;
    if (Order<T>::has_nan) {
      const int first = (y - radius) & 31;
      const unsigned window = nan_rows >> first | nan_rows << (-first & 31);
      const bool holds_nan = (window & ((1u << size) - 1)) != 0;
      to_select |= static_cast<std::uint64_t>(holds_nan) << (y - top);
    }
    lane.store(target, y, medians);
  };
#pragma unroll 1
  for (int y = top; y < end; y += column.rows) {
    const auto row = [&](int at) {
      if (!Lane::fetches_ahead) return keys_of(fetch(at), at);
      Fetched& fetched = ahead[at - y - radius];
      const Keys<Key, across> keys = keys_of(fetched, at);
      fetched = fetch(at + column.rows);
      return keys;
    };
    if constexpr (columns == 1) {
      column.step(y, row, [&](int at, const Key& median) {
        const Key medians[] = {median};
        store(at, medians);
      });
    } else {
      Key medians[column.rows][columns];
      column.step(y, row, [&](int at, int of, const Key& median) { medians[at - y][of] = median; });
#pragma unroll
      for (int i = 0; i < column.rows; ++i) store(y + i, medians[i]);
    }
  }
  for (; to_select != 0; to_select &= to_select - 1) {
    const int y = top + __ffsll(static_cast<long long>(to_select)) - 1;
#pragma unroll
    for (int i = 0; i < Lane::count * columns; ++i) {
      const int value = lane.value(i / columns) + i % columns * Lane::channels;
      if (i % columns == 0 || value < values)
        target.store(value, y, selected(source, size, value, y));
    }
  }
}

template <class Lane, int size, class T>
void run_network(CudaQueue& card, const KeySource<T>& source, const Frame& target) {
  const Rect& t = target.region();
  const int values = t.width * source.channels, lanes = Lane::lanes(values);
  constexpr int rows = rows_of_lane(Lane::columns);
  const dim3 grid(static_cast<unsigned>((lanes + network_threads - 1) / network_threads),
                  static_cast<unsigned>((t.height + rows - 1) / rows));
  const auto run = [&](const auto& to) {
    median_network<Lane, size>
        <<<grid, network_threads, 0, card.stream()>>>(source, to, values, lanes, t.bottom());
  };
  // Memory limits bytes and 3x3 windows, so rows and arrays have separate kernels; arithmetic
  // limits the others, so one kernel serves both.
  if constexpr (std::is_same_v<Lane, ByteLane<Lane::columns>>)
    target.card().with_value_target<T>(run);
  else if constexpr (size == 3)
    with_value_target<T>(target, run);
  else
    run(target.card().value_target<T>());
  check_launch("median_network");
}

template <int size, class T>
void run_network(CudaQueue& card, const KeySource<T>& source, const Frame& target) {
  constexpr int columns = size == 5 ? 2 : 1;
  with_stored_channels(source.channels, [&](auto n) {
    if constexpr (std::is_same_v<T, float>) {
      // In an array, lanes of one column store more of a sector together, except of four channels.
      if constexpr (n() < 4)
        if (target.card().is_array())
          return run_network<FloatLane<n(), 1>, size>(card, source, target);
      return run_network<FloatLane<n(), columns>, size>(card, source, target);
    }
    if constexpr (std::is_same_v<T, std::uint8_t> && n() == 1)
      if (source.rows.is_aligned(sizeof(unsigned)))
        return run_network<ByteLane<columns>, size>(card, source, target);
    if constexpr (!std::is_same_v<T, float>)
      run_network<PairLane<T, n(), columns>, size>(card, source, target);
  });
}

}  // namespace

bool median_by_networks(CudaQueue& card, const MedianPlan& plan, const Frame& source,
                        const Frame& target) {
  if (plan.size > largest_network) return false;
  with_texel_type(target.format().type, [&](auto t) {
    const auto keys = key_source<typename decltype(t)::type>(plan.borders, source, target);
    switch (plan.size) {
      case 3:
        return run_network<3>(card, keys, target);
      case 5:
        return run_network<5>(card, keys, target);
      default:
        return run_network<7>(card, keys, target);
    }
  });
  return true;
}

}  // namespace cuimg
