// SPDX-License-Identifier: Apache-2.0
// Median's launches: networks going down a column for small windows, a search over the bits of the
// result for large ones.
#include "stages/median.h"

#include "kernels/median_network.h"
#include "kernels/order.h"
#include "stages/window_cuda.cuh"

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

  /// Where the value k columns from the target's value lies in a row, or -1.
  __device__ int offset(int value, int k) const {
    const int column = border_index(columns_axis, left + value / channels + k);
    if (column == BorderAxis::nothing) return -1;
    return (column - rows.left) * channels + value % channels;
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

template <class T, int size>
__global__ void __launch_bounds__(network_threads)
    median_network(KeySource<T> source, StoredRows<T> target, int values, int bottom) {
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

// A thread searches four medians at once, one above the other, so that a key that is fetched from
// shared memory is compared for all windows that hold it.
constexpr int search_columns = 32, search_threads_down = 8, search_each = 4;
constexpr int search_rows = search_threads_down * search_each;

template <class T>
__global__ void __launch_bounds__(search_columns* search_threads_down)
    median_search_shared(KeySource<T> source, StoredRows<T> target, int size, int values,
                         int bottom) {
  extern __shared__ double shared_memory[];
  auto* tile = reinterpret_cast<unsigned*>(shared_memory);
  const int radius = size / 2, channels = source.channels;
  const int width = search_columns + 2 * radius * channels, height = search_rows + 2 * radius;
  const int first_value = static_cast<int>(blockIdx.x) * search_columns;
  const int first_row = target.top + static_cast<int>(blockIdx.y) * search_rows;
  const int thread = static_cast<int>(threadIdx.y) * search_columns + static_cast<int>(threadIdx.x);

  bool has_nan = false;
  for (int i = thread; i < width * height; i += search_columns * search_threads_down) {
    const int row = border_index(source.rows_axis, first_row - radius + i / width);
    // Counted from a value that is never negative, so that the division rounds down.
    const int value = first_value + i % width;
    const T stored = source.load(source.offset(value, -radius), row);
    has_nan = has_nan || Order<T>::is_nan(stored);
    tile[i] = sortable(stored);
  }
  const bool any_nan = __syncthreads_or(has_nan) != 0;

  const unsigned* column =
      tile + static_cast<int>(threadIdx.y) * search_each * width + static_cast<int>(threadIdx.x);
  int counts[search_each];
  const auto count_below = [&](const unsigned(&bounds)[search_each]) {
#pragma unroll
    for (int r = 0; r < search_each; ++r) counts[r] = 0;
    for (int j = 0; j < size + search_each - 1; ++j) {
      const unsigned* row = column + j * width;
      for (int k = 0; k < size; ++k) {
        const unsigned key = row[k * channels];
#pragma unroll
        for (int r = 0; r < search_each; ++r)
          if (j >= r && j < r + size) counts[r] += key < bounds[r];
      }
    }
  };
  int wanted[search_each];
  unsigned found[search_each], bounds[search_each];
#pragma unroll
  for (int r = 0; r < search_each; ++r) {
    wanted[r] = (size * size - 1) / 2;
    found[r] = 0;
    bounds[r] = highest_key<T>;
  }
  bool is_empty[search_each] = {};
  if (any_nan) {
    count_below(bounds);
#pragma unroll
    for (int r = 0; r < search_each; ++r) {
      is_empty[r] = counts[r] == 0;
      wanted[r] = (counts[r] - 1) / 2;
    }
  }
  for (int bit = key_bits<T> - 1; bit >= 0; --bit) {
#pragma unroll
    for (int r = 0; r < search_each; ++r) bounds[r] = found[r] | 1u << bit;
    count_below(bounds);
#pragma unroll
    for (int r = 0; r < search_each; ++r)
      if (counts[r] <= wanted[r]) found[r] = bounds[r];
  }
  const int value = first_value + static_cast<int>(threadIdx.x);
#pragma unroll
  for (int r = 0; r < search_each; ++r) {
    const int y = first_row + static_cast<int>(threadIdx.y) * search_each + r;
    if (value < values && y < bottom)
      target.store(value, y, value_of<T>(is_empty[r] ? highest_key<T> : found[r]));
  }
}

template <class T, int size>
void run_network(CudaQueue& card, const KeySource<T>& source, const Frame& target) {
  const Rect& t = target.region();
  const int values = t.width * source.channels;
  const dim3 grid(static_cast<unsigned>((values + network_threads - 1) / network_threads),
                  static_cast<unsigned>((t.height + network_rows - 1) / network_rows));
  median_network<T, size><<<grid, network_threads, 0, card.stream()>>>(
      source, StoredRows<T>(target), values, t.bottom());
  check_launch("median_network");
}

template <class T>
void run_search(CudaQueue& card, const KeySource<T>& source, int size, const Frame& target) {
  const Rect& t = target.region();
  const int values = t.width * source.channels, radius = size / 2;
  const dim3 block(search_columns, search_threads_down);
  const dim3 grid(static_cast<unsigned>((values + search_columns - 1) / search_columns),
                  static_cast<unsigned>((t.height + search_rows - 1) / search_rows));
  const std::size_t keys = static_cast<std::size_t>(search_columns + 2 * radius * source.channels) *
                           static_cast<std::size_t>(search_rows + 2 * radius);
  median_search_shared<T><<<grid, block, keys * sizeof(unsigned), card.stream()>>>(
      source, StoredRows<T>(target), size, values, t.bottom());
  check_launch("median_search");
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
      return run_search<T>(card, keys, plan.size, target);
  }
}

}  // namespace

void median_on_cuda(const Queue& queue, const MedianPlan& plan, const Frame& source,
                    const Frame& target) {
  CudaQueue& card = queue.card();
  switch (target.format().type) {
    case PixelType::u8:
      return median<std::uint8_t>(card, plan, source, target);
    case PixelType::u16:
      return median<std::uint16_t>(card, plan, source, target);
    case PixelType::half:
      return median<Half>(card, plan, source, target);
    case PixelType::f32:
      return median<float>(card, plan, source, target);
    case PixelType::u32:
      return;  // ids are moved, not compared
  }
}

}  // namespace cuimg
