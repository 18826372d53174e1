// SPDX-License-Identifier: Apache-2.0
// Median's launches: networks going down a column for small windows, sorted tiles for large ones.
#include "stages/filter/median.h"

#include <cmath>
#include <type_traits>

#include "device/cuda/cuda_border.cuh"
#include "image/dispatch.h"
#include "kernels/math/order.h"
#include "kernels/stencil/median_network.h"
#include "stages/filter/median_tiles.cuh"
#include "stages/window/window_wide.cuh"

namespace cuimg {
namespace {

/// Values of a frame around the target's, as keys; channels are `channels` values apart.
template <class T>
struct KeySource {
  StoredRows<T> rows;
  BorderAxis columns_axis, rows_axis;
  int left;  ///< The target's first column.
  int channels;
  int used;  ///< A fourth channel that is only stored may hold anything.

  /// Where a column's channel lies in a row, or -1.
  __device__ int place(int x, int channel) const {
    const int column = border_index(columns_axis, x);
    if (column == BorderAxis::nothing) return -1;
    return (column - rows.left) * channels + channel;
  }
  /// The same of the value k columns from the target's value.
  __device__ int offset(int value, int k) const {
    return place(left + value / channels + k, value % channels);
  }
  __device__ T load(int offset, int row) const {
    return offset < 0 || row == BorderAxis::nothing ? T{} : rows.load(offset, row);
  }
};

template <class T>
constexpr int key_bits = 8 * static_cast<int>(sizeof(T));
template <class T>
constexpr unsigned highest_key = 0xffffffffu >> (32 - key_bits<T>);

/// Keys without signs, of so many bits; NaN's is the highest, which is no number's.
template <class T>
__device__ inline unsigned sortable(T value) {
  constexpr unsigned sign = Order<T>::has_nan ? 1u << (key_bits<T> - 1) : 0;
  const auto key = static_cast<unsigned>(Order<T>::key(value)) & highest_key<T>;
  return Order<T>::is_nan(value) ? highest_key<T> : key ^ sign;
}
template <class T>
__device__ inline T value_of(unsigned sortable) {
  constexpr unsigned sign = Order<T>::has_nan ? 1u << (key_bits<T> - 1) : 0;
  if (Order<T>::has_nan && sortable == highest_key<T>) return Order<T>::nan();
  return Order<T>::value(static_cast<typename Order<T>::Key>(sortable ^ sign));
}

// The window's lower median by its definition, for windows that hold a NaN.
template <class T>
__device__ __noinline__ T selected(const KeySource<T>& source, int size, int value, int y) {
  const int radius = size / 2;
  const auto count_below = [&](unsigned bound) {
    int count = 0;
    for (int j = -radius; j <= radius; ++j) {
      const int row = border_index(source.rows_axis, y + j);
      for (int k = -radius; k <= radius; ++k)
        count += sortable(source.load(source.offset(value, k), row)) < bound;
    }
    return count;
  };
  const int numbers = count_below(highest_key<T>);
  if (numbers == 0) return Order<T>::nan();
  unsigned found = 0;
  for (int bit = key_bits<T> - 1; bit >= 0; --bit) {
    const unsigned bound = found | 1u << bit;
    if (count_below(bound) <= (numbers - 1) / 2) found = bound;
  }
  return value_of<T>(found);
}

constexpr int network_threads = 128;
constexpr int network_rows = 64;  // that a thread makes, as bits of a word

template <class T, int size, class Memory>
__global__ void __launch_bounds__(network_threads)
    median_network(KeySource<T> source, ValueTarget<T, Memory> target, int values, int bottom) {
  const int value = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (value >= values) return;
  constexpr int radius = size / 2;
  int offsets[size];
#pragma unroll
  for (int k = 0; k < size; ++k) offsets[k] = source.offset(value, k - radius);

  const bool is_used = value % source.channels < source.used;
  // Bit y % 32: whether row y holds a NaN around the column.
  unsigned nan_rows = 0;
  const auto row = [&](int y) {
    const int from = y >= source.rows_axis.low && y < source.rows_axis.high
                         ? y
                         : border_index(source.rows_axis, y);
    Keys<int, size> keys;
    bool has_nan = false;
#pragma unroll
    for (int k = 0; k < size; ++k) {
      const T stored = source.load(offsets[k], from);
      has_nan = has_nan || Order<T>::is_nan(stored);
      keys.v[k] = Order<T>::key(stored);
    }
    if (Order<T>::has_nan)
      nan_rows = (nan_rows & ~(1u << (y & 31))) | static_cast<unsigned>(has_nan && is_used)
                                                      << (y & 31);
    return keys;
  };
  const int top = target.top + static_cast<int>(blockIdx.y) * network_rows;
  const int end = min(top + network_rows, bottom);
  std::uint64_t to_select = 0;  // rows of the chunk
  MedianColumn<int, size> column;
  column.begin(top, row);
  for (int y = top; y < end; y += column.rows) {
    int medians[column.rows];
    column.step(y, row, [&](int at, int key) { medians[at - y] = key; });
#pragma unroll
    for (int i = 0; i < column.rows; ++i) {
      if (y + i >= end) break;
      const T result = Order<T>::value(static_cast<typename Order<T>::Key>(medians[i]));
      if (Order<T>::has_nan) {
        const int first = (y + i - radius) & 31;
        const unsigned window = nan_rows >> first | nan_rows << (-first & 31);
        const bool holds_nan = (window & ((1u << size) - 1)) != 0;
        to_select |= static_cast<std::uint64_t>(holds_nan) << (y + i - top);
      }
      target.store(value, y + i, result);
    }
  }
  for (; to_select != 0; to_select &= to_select - 1) {
    const int y = top + __ffsll(static_cast<long long>(to_select)) - 1;
    target.store(value, y, selected(source, size, value, y));
  }
}

/// What lies above a value's coordinates when tiles are sorted.
template <class T>
using TileValue = std::conditional_t<(sizeof(T) > 2), std::uint64_t, std::uint32_t>;

constexpr int tile_threads(int log_n) { return (1 << log_n) / detail::sort_each; }
constexpr int resident_threads = 1024;

// A block for each tile, and each channel.
template <class T, int log_n>
__global__ void __launch_bounds__(tile_threads(log_n), resident_threads / tile_threads(log_n))
    median_tiles(KeySource<T> source, ValueTarget<T> target, detail::MedianTile tile, int right,
                 int bottom) {
  extern __shared__ double shared_memory[];
  const int channel = static_cast<int>(blockIdx.z), radius = tile.size / 2;
  const int left = source.left + static_cast<int>(blockIdx.x) * detail::median_wide;
  const int top = target.top + static_cast<int>(blockIdx.y) * tile.high;
  // No type's key, where there is no NaN.
  const unsigned nothing = Order<T>::has_nan ? highest_key<T> : ~0u;
  detail::medians_of_tile<TileValue<T>, log_n>(
      tile, nothing, shared_memory,
      [&](int x, int y) {
        const int row = border_index(source.rows_axis, top - radius + y);
        return sortable(source.load(source.place(left - radius + x, channel), row));
      },
      [&](int x, int y, unsigned key) {
        if (left + x < right && top + y < bottom)
          target.store((left + x - target.left) * source.channels + channel, top + y,
                       value_of<T>(key));
      });
}

template <class T, int size>
void run_network(CudaQueue& card, const KeySource<T>& source, const Frame& target) {
  const Rect& t = target.region();
  const int values = t.width * source.channels;
  const dim3 grid(static_cast<unsigned>((values + network_threads - 1) / network_threads),
                  static_cast<unsigned>((t.height + network_rows - 1) / network_rows));
  with_value_target<T>(target, [&](const auto& to) {
    median_network<T, size>
        <<<grid, network_threads, 0, card.stream()>>>(source, to, values, t.bottom());
  });
  check_launch("median_network");
}

/// The tile whose windows cost least when 2^log_n values are sorted together; none may fit.
struct TileChoice {
  detail::MedianTile tile;
  double cost;

  TileChoice(int size, int log_n) : tile{size, 0} {
    const int values = 1 << log_n;
    const int rows = values / tile.width() - (size - 1);
    tile.high = std::min(detail::median_high, rows / 4 * 4);
    // Steps of sorting for each window, and words that it goes through.
    cost = tile.high < 4 ? HUGE_VAL : values * (0.5 * log_n * (log_n + 1) / tile.high + 0.75);
  }
};

template <class T, int log_n>
void run_tiles(CudaQueue& card, const KeySource<T>& source, const TileChoice& choice,
               const Frame& target) {
  const Rect& t = target.region();
  const detail::MedianTile& tile = choice.tile;
  const auto tiles = blocks_for(t.width, t.height, dim3(detail::median_wide, tile.high));
  const dim3 grid(tiles.x, tiles.y, static_cast<unsigned>(source.channels));
  const std::size_t bytes = detail::median_tile_bytes<TileValue<T>, log_n>(tile.high);
  median_tiles<T, log_n><<<grid, tile_threads(log_n), bytes, card.stream()>>>(
      source, target.card().value_target<T>(), tile, t.right(), t.bottom());
  check_launch("median_tiles");
}

template <class T>
void run_tiles(CudaQueue& card, const KeySource<T>& source, int size, const Frame& target) {
  const TileChoice small(size, 10), medium(size, 11), large(size, 12);
  if (small.cost < std::min(medium.cost, large.cost))
    return run_tiles<T, 10>(card, source, small, target);
  if (medium.cost < large.cost) return run_tiles<T, 11>(card, source, medium, target);
  run_tiles<T, 12>(card, source, large, target);
}

template <class T>
void median(CudaQueue& card, const MedianPlan& plan, const Frame& source, const Frame& target) {
  if (target.empty()) return;
  const KeySource<T> keys{StoredRows<T>(source),
                          plan.surround.columns,
                          plan.surround.rows,
                          target.region().x,
                          target.format().stored_channels(),
                          target.format().channels};
  switch (plan.size) {
    case 3:
      return run_network<T, 3>(card, keys, target);
    case 5:
      return run_network<T, 5>(card, keys, target);
    case 7:
      return run_network<T, 7>(card, keys, target);
    default:
      return run_tiles<T>(card, keys, plan.size, target);
  }
}

}  // namespace

void median_on_cuda(const Queue& queue, const MedianPlan& plan, const Frame& source,
                    const Frame& target) {
  if (target.format().type == PixelType::u32) return;  // ids are moved, not compared
  with_texel_type(target.format().type, [&](auto t) {
    median<typename decltype(t)::type>(queue.card(), plan, source, target);
  });
}

}  // namespace cuimg
