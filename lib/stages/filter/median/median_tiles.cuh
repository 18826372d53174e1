// SPDX-License-Identifier: Apache-2.0
// Medians of large windows on a card, at a cost that depends little on the window's size. A block
// of threads sorts all values in the windows of its tile, once for all windows. The sorted values
// that are in a window's columns are a string of bits, which is the same for all windows above and
// below it; those in its rows are another. Bits that are set in both are the window's values, in
// order: the median is where half of them have been counted. Counting begins in the middle of the
// tile's values, where most medians are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/cuda/cuda_map_pixels.cuh"

namespace cuimg {
namespace detail {

inline constexpr int sort_each = 16;    // values that a thread holds
inline constexpr int median_wide = 32;  // adjacent windows in a tile
inline constexpr int median_high = 32;  // at most, below each other

/// The position of value i in shared memory, with gaps so that threads access different banks.
__device__ inline int sort_slot(int i) { return i + i / sort_each; }

/// The same without gaps.
__device__ inline int turned_slot(int i) { return i ^ (i / sort_each & (sort_each - 1)); }

/// A bitonic sort of n values by n / 16 threads (Batcher 1968). A thread holds the 16 whose places
/// differ in the bits from `low` on, and performs the steps over those bits; then values are
/// exchanged. At the end it holds places 16 t to 16 t + 15.
template <class Value, int log_n>
class TileSort {
 public:
  static constexpr int threads = (1 << log_n) / sort_each;

  __device__ TileSort(double* shared, int thread, int)
      : shared_(reinterpret_cast<Value*>(shared)), thread_(thread) {}

  static constexpr std::size_t shared_bytes() {
    return (std::size_t{1} << log_n) * (sort_each + 1) / sort_each * sizeof(Value);
  }

  __device__ void operator()(Value (&v)[sort_each]) const {
    first_steps<1>(v);
    phases<5>(v);
  }

 private:
  static constexpr int held_bits = 4;

  /// The place of a thread's value 0; value i is i << low after it.
  template <int low>
  __device__ int base() const {
    return (thread_ >> low << (low + held_bits)) | (thread_ & ((1 << low) - 1));
  }
  template <int low>
  __device__ void write(const Value (&v)[sort_each]) const {
    const int at = base<low>();
#pragma unroll
    for (int i = 0; i < sort_each; ++i) shared_[sort_slot(at + (i << low))] = v[i];
  }
  template <int low>
  __device__ void read(Value (&v)[sort_each]) const {
    const int at = base<low>();
#pragma unroll
    for (int i = 0; i < sort_each; ++i) v[i] = shared_[sort_slot(at + (i << low))];
  }
  /// Compares the values that differ in held bit `bit`.
  template <int bit>
  __device__ static void step(Value (&v)[sort_each], int descending_bit, bool descending) {
#pragma unroll
    for (int i = 0; i < sort_each; ++i)
      if ((i >> bit & 1) == 0) {
        Value &a = v[i], &b = v[i | 1 << bit];
        const bool down = descending_bit < 0 ? descending : (i >> descending_bit & 1) != 0;
        const bool swaps = (b < a) != down;
        const Value lesser = swaps ? b : a;
        b = swaps ? a : b;
        a = lesser;
      }
  }
  /// Steps over the held bits from `bit` down to `last`.
  template <int bit, int last>
  __device__ static void step_group(Value (&v)[sort_each], int descending_bit, bool descending) {
    step<bit>(v, descending_bit, descending);
    if constexpr (bit > last) step_group<bit - 1, last>(v, descending_bit, descending);
  }
  /// Phases that stay within 16 neighbours.
  template <int phase>
  __device__ void first_steps(Value (&v)[sort_each]) const {
    if constexpr (phase < held_bits) {
      step_group<phase - 1, 0>(v, phase, false);
      first_steps<phase + 1>(v);
    } else {
      step_group<phase - 1, 0>(v, -1, (thread_ & 1) != 0);
    }
  }
  /// Steps of a phase over the bits from `top` down; the values are in shared memory.
  template <int phase, int top>
  __device__ void steps(Value (&v)[sort_each]) const {
    constexpr int group = top / held_bits * held_bits;
    constexpr int low = group + held_bits <= log_n ? group : log_n - held_bits;
    read<low>(v);
    constexpr int descending_bit = phase - low < held_bits ? phase - low : -1;
    const bool descending = (base<low>() >> phase & 1) != 0;
    step_group<top - low, group - low>(v, descending_bit, descending);
    if constexpr (group > 0) {
      // No other thread uses these places.
      write<low>(v);
      __syncthreads();
      steps<phase, group - 1>(v);
    }
  }
  template <int phase>
  __device__ void phases(Value (&v)[sort_each]) const {
    if constexpr (phase <= log_n) {
      write<0>(v);
      __syncthreads();
      steps<phase, phase - 1>(v);
      phases<phase + 1>(v);
    }
  }

  Value* const shared_;
  const int thread_;
};

/// The work of a block: the windows of a tile, for one channel.
struct MedianTile {
  int size, high;  ///< A window's side, and the number of windows below each other.

  __host__ __device__ int width() const { return median_wide + size - 1; }
  __host__ __device__ int height() const { return high + size - 1; }
  __host__ __device__ int values() const { return width() * height(); }
  __host__ __device__ int words() const { return (values() + 31) / 32; }  ///< With a bit for each.
};

/// Strings of bits, in words for 32 sorted values: word w of string i is placed so that threads
/// that iterate over either access different banks, with four strings side by side.
struct BitStrings {
  unsigned* words;
  int count;  ///< A power of two.

  __device__ unsigned* word(int w, int i) const {
    return words + w * count + (i ^ (w * 4 & (count - 1)));
  }
  /// Before spread(): marks that the value at a place, whose coordinate is `at`, is in strings
  /// [at - size + 1, at].
  __device__ void mark(int place, int at, int size) const {
    const unsigned bit = 1u << (place & 31);
    atomicXor(word(place >> 5, max(0, at - size + 1)), bit);
    if (at + 1 < count) atomicXor(word(place >> 5, at + 1), bit);
  }
  /// Turns the marked changes into the strings.
  __device__ void spread(int w) const {
    unsigned bits = 0;
#pragma unroll 8
    for (int i = 0; i < count; ++i) {
      unsigned* at = word(w, i);
      bits ^= *at;
      *at = bits;
    }
  }
};

/// For each row of a tile, a bit for each column whose value is in the lower half of the tile's
/// sorted values. Most windows have a median close to the tile's, so counting begins there.
struct LowerHalf {
  uint2* rows;
  static constexpr int count = 64;  ///< A tile has at most 64 rows and 64 columns.

  __device__ void mark(int x, int y) const {
    atomicXor(reinterpret_cast<unsigned*>(rows + y) + (x >> 5), 1u << (x & 31));
  }
  /// The number of values of the lower half in columns [x, x + size) of row y.
  __device__ int in_row(int x, int y, int size) const {
    return __popc(__funnelshift_r(rows[y].x, rows[y].y, static_cast<unsigned>(x)) &
                  ((1u << size) - 1));
  }
  /// The number in each of several windows below each other; the first begins at (x, y).
  template <int each>
  __device__ void in_windows(int x, int y, int size, int (&counts)[each]) const {
    int count = 0;
    for (int k = 0; k < size; ++k) count += in_row(x, y + k, size);
#pragma unroll
    for (int r = 0; r < each; ++r) {
      counts[r] = count;
      if (r + 1 < each) count += in_row(x, y + size + r, size) - in_row(x, y + r, size);
    }
  }
};

/// The position of set bit number `index`, from 0, of a word that has it.
__device__ inline int place_of_bit(unsigned word, int index) {
  int place = 0;
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    const int below = __popc(word >> place & ((1u << half) - 1));
    if (index >= below) {
      index -= below;
      place += half;
    }
  }
  return place;
}

/// The windows of a tile whose values have been sorted.
struct SortedTile {
  static constexpr int each = 4;  ///< Windows of a thread, below each other.
  static constexpr int step = 4;  ///< Words that are counted together.

  const MedianTile& tile;
  const unsigned* keys;
  BitStrings columns, rows;
  LowerHalf lower;
  unsigned nothing;  ///< A key that no window counts.
  bool has_gaps;     ///< Whether some keys are that.

  /// The first word outside the lower half, at a whole step.
  __device__ static int middle_of(const MedianTile& tile) {
    return tile.words() / (2 * step) * step;
  }

  /// Calls store(column, row, key) for the windows of a column from row `first` on.
  template <class Store>
  __device__ void store_medians(int column, int first, const Store& store) const {
    int wanted[each];
    find_ranks(column, first, wanted);
    // Go back until at most wanted[r] of each window's values are before word `from`.
    int counts[each], from = middle_of(tile);
    lower.in_windows(column, first, tile.size, counts);
    const auto is_past_one = [&] {
      bool is = false;
#pragma unroll
      for (int r = 0; r < each; ++r) is = is || counts[r] > max(wanted[r], 0);
      return is;
    };
    while (from > 0 && is_past_one()) {
      from -= step;
      count_step(column, first, from, [&](int r, int count) { counts[r] -= count; });
    }
    // Go forward until each window has passed its median; keep the previous step.
    int before[each], begin[each];
#pragma unroll
    for (int r = 0; r < each; ++r) before[r] = counts[r], begin[r] = from;
    for (int w = from, end = tile.words(); w < end; w += step) {
      count_step(column, first, w, [&](int r, int count) { counts[r] += count; });
      bool goes_on = false;
#pragma unroll
      for (int r = 0; r < each; ++r) {
        if (counts[r] > wanted[r]) continue;
        before[r] = counts[r];
        begin[r] = w + step;
        goes_on = true;
      }
      if (!goes_on) break;
    }
#pragma unroll
    for (int r = 0; r < each; ++r)
      store(column, first + r,
            wanted[r] < 0 ? nothing : key_of(column, first + r, begin[r], wanted[r] - before[r]));
  }

 private:
  /// The index of each window's median among its values; -1 if it has none.
  __device__ void find_ranks(int column, int first, int (&wanted)[each]) const {
#pragma unroll
    for (int r = 0; r < each; ++r) wanted[r] = (tile.size * tile.size - 1) / 2;
    if (!has_gaps) return;
    int counts[each] = {};
    for (int w = 0, end = tile.words(); w < end; w += step)  // no bits are set after the last value
      count_step(column, first, w, [&](int r, int count) { counts[r] += count; });
#pragma unroll
    for (int r = 0; r < each; ++r) wanted[r] = counts[r] == 0 ? -1 : (counts[r] - 1) / 2;
  }
  /// Calls use(r, count) with the number of each window's values in the words of a step.
  template <class Use>
  __device__ void count_step(int column, int first, int word, const Use& use) const {
    int sums[each] = {};
#pragma unroll
    for (int k = 0; k < step; ++k) {
      const unsigned of_column = *columns.word(word + k, column);
      const uint4 of_rows = *reinterpret_cast<const uint4*>(rows.word(word + k, first));
      sums[0] += __popc(of_column & of_rows.x);
      sums[1] += __popc(of_column & of_rows.y);
      sums[2] += __popc(of_column & of_rows.z);
      sums[3] += __popc(of_column & of_rows.w);
    }
#pragma unroll
    for (int r = 0; r < each; ++r) use(r, sums[r]);
  }
  /// The key of the value number `index`, which must exist, among a window's values from a word on.
  __device__ unsigned key_of(int column, int row, int word, int index) const {
    for (;; ++word) {
      const unsigned bits = *columns.word(word, column) & *rows.word(word, row);
      const int count = __popc(bits);
      if (index < count) return keys[turned_slot(word * 32 + place_of_bit(bits, index))];
      index -= count;
    }
  }
};

/// @tparam Value contains a key above 12 bits of coordinates. @tparam Sort of 2^log_n of them.
/// @param load (x, y): the key of a value of the tile. @param store (x, y, key): the result of a
/// window of the tile; the key `nothing` means that all keys of the window are that.
template <class Value, int log_n, class Sort, class Load, class Store>
__device__ void medians_of_tile(const MedianTile& tile, unsigned nothing, double* shared_memory,
                                const Load& load, const Store& store) {
  constexpr int all = 1 << log_n, coordinate = 6, most_words = all / 32;
  const int thread = static_cast<int>(threadIdx.x);
  const int width = tile.width(), height = tile.height();

  Value v[sort_each];
  {
    int y = thread / width, x = thread - y * width;
    const int down = Sort::threads / width, right = Sort::threads - down * width;
#pragma unroll
    for (int i = 0; i < sort_each; ++i) {
      v[i] = ~Value{};
      if (y < height) {
        const unsigned key = load(x, y);
        v[i] =
            static_cast<Value>(key) << (2 * coordinate) | static_cast<Value>(y << coordinate | x);
      }
      y += down;
      x += right;
      if (x >= width) {
        x -= width;
        ++y;
      }
    }
  }
  Sort(shared_memory, thread, tile.values())(v);
  __syncthreads();

  auto* keys = reinterpret_cast<unsigned*>(shared_memory);
  const BitStrings columns{keys + all, median_wide};
  const BitStrings rows{columns.words + most_words * median_wide, tile.high <= 16 ? 16 : 32};
  const LowerHalf lower{reinterpret_cast<uint2*>(rows.words + most_words * rows.count)};
  const int strings = most_words * (columns.count + rows.count);
  for (int i = thread; i < strings + 2 * LowerHalf::count; i += Sort::threads) columns.words[i] = 0;
  __syncthreads();
  const int middle = SortedTile::middle_of(tile);
  bool holds_nothing = false;
#pragma unroll
  for (int i = 0; i < sort_each; ++i) {
    const int place = thread * sort_each + i;
    const auto key = static_cast<unsigned>(v[i] >> (2 * coordinate));
    keys[turned_slot(place)] = key;
    if (place < tile.values()) {
      if (key == nothing) {
        holds_nothing = true;  // in no window: those are not counted
      } else {
        const int at = static_cast<int>(v[i] & ((1 << 2 * coordinate) - 1));
        const int x = at & ((1 << coordinate) - 1), y = at >> coordinate;
        columns.mark(place, x, tile.size);
        rows.mark(place, y, tile.size);
        if (place < 32 * middle) lower.mark(x, y);
      }
    }
  }
  const bool has_gaps = __syncthreads_or(holds_nothing) != 0;
  for (int w = thread; w < 2 * most_words; w += Sort::threads) {
    if (w < most_words)
      columns.spread(w);
    else
      rows.spread(w - most_words);
  }
  __syncthreads();

  const SortedTile sorted{tile, keys, columns, rows, lower, nothing, has_gaps};
  for (int first = thread / median_wide * SortedTile::each; first < tile.high;
       first += Sort::threads / median_wide * SortedTile::each)
    sorted.store_medians(thread % median_wide, first, store);
}

/// The bytes of shared memory that a block needs.
template <class Sort, int log_n>
constexpr std::size_t median_tile_bytes(int high) {
  constexpr std::size_t all = std::size_t{1} << log_n;
  const std::size_t strings = all / 32 * (median_wide + (high <= 16 ? 16u : 32u));
  return std::max(Sort::shared_bytes(), (all + strings + 2 * LowerHalf::count) * sizeof(unsigned));
}

}  // namespace detail
}  // namespace cuimg
