// SPDX-License-Identifier: Apache-2.0
// Tiles of narrow pixels for filters over small boxes. A block of threads first folds the columns
// of its tile, four adjacent values for each thread. It writes the results to shared memory, and
// then folds rows there.
#pragma once

#include <type_traits>

#include "device/cuda/cuda_border.cuh"
#include "device/cuda/cuda_limits.h"
#include "kernels/stencil/window.h"
#include "stages/warp/border_sampler.h"
#include "stages/window/extremum_quads.cuh"
#include "stages/window/window_wide.cuh"

namespace cuimg::detail {

inline constexpr int tile_threads = 128;      // and quads of a row of shared memory
inline constexpr int tile_rows = 16;          // that a thread produces together
inline constexpr int tiles_down = 4;          // of a block
inline constexpr int widest = widest_direct;  // of windows
inline constexpr int most_rows = tile_rows + widest - 1;
inline constexpr int item = 4;  // quads of a row that a thread produces together

/// The width of a tile in values: the windows of its last values need the rest of the columns.
template <int N>
__host__ __device__ constexpr int tile_values(int radius) {
  return (tile_threads * 4 - 2 * radius * N) / (4 * item) * (4 * item);
}

template <class T>
struct TilePass {
  StoredRows<T> from;
  AnyMemory to;
  BorderAxis columns, rows;
  Rect target;
  int rx, ry;
};

template <class T>
TilePass<T> tile_pass(const BorderSampler& borders, int rx, int ry, const Frame& source,
                      const Frame& target) {
  return {StoredRows<T>(source.as_stored()),
          target.card().any_memory(),
          borders.columns,
          borders.rows,
          target.region(),
          rx,
          ry};
}

/// Whether the windows and the target's height are small enough.
inline bool suits_tiles(int rx, int ry, const Frame& target) {
  return Window{rx}.is_direct() && Window{ry}.is_direct() &&
         target.region().height <= most_blocks_down * tile_rows * tiles_down;
}

/// Blocks for a target of N channels.
template <int N>
dim3 tile_blocks(int rx, const Frame& target) {
  return blocks_for(target.region().width * N, target.region().height,
                    dim3(static_cast<unsigned>(tile_values<N>(rx)),
                         static_cast<unsigned>(tile_rows * tiles_down)));
}

/// Where rows of the source begin, by the border's rule, in units of 16 bytes (pitches are
/// multiples of 512); or no_row.
using RowPlaces = unsigned[tiles_down * tile_rows + widest - 1];
inline constexpr unsigned no_row = 0xffffffffu;

/// Fills in the positions of a block's rows. All its threads call it, and synchronise after it.
template <class T>
__device__ inline void place_rows(const TilePass<T>& p, RowPlaces& places) {
  const int first = p.target.y + static_cast<int>(blockIdx.y) * tiles_down * tile_rows - p.ry;
  for (int i = static_cast<int>(threadIdx.x); i < tiles_down * tile_rows + 2 * p.ry;
       i += tile_threads) {
    const int row = border_index(p.rows, first + i);
    places[i] = row == BorderAxis::nothing ? no_row
                                           : static_cast<unsigned>(row - p.from.top) *
                                                 static_cast<unsigned>(p.from.pitch_bytes / 16);
  }
}

/// Four values of each row of the source, in the columns of a thread's quad.
template <class T, int N>
class QuadColumn {
 public:
  __device__ QuadColumn(const TilePass<T>& p, int first) {
    bool is_together = true;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      // Rounds down, also left of the target.
      const int value = first + i, x = (value + widest * 4 * N) / N - widest * 4;
      const int column = border_index(p.columns, p.target.x + x);
      offset_[i] =
          column == BorderAxis::nothing ? -1 : (column - p.from.left) * N + (value - x * N);
      is_together = is_together && offset_[i] >= 0 && offset_[i] == offset_[0] + i;
    }
    const auto at = reinterpret_cast<std::uintptr_t>(p.from.data) +
                    static_cast<std::uintptr_t>(max(offset_[0], 0)) * sizeof(T);
    word_ = reinterpret_cast<const char*>(at & ~std::uintptr_t{3});
    data_ = p.from.data;
    shift_ = is_together ? 8 * static_cast<int>(at & 3) : apart;
  }
  /// Loads the first `count` of the rows whose positions are given.
  __device__ void load(const unsigned* places, int count, Quad<T> (&rows)[most_rows]) const {
    if (shift_ == 0) {
      load_rows(places, count, rows, [&](std::uint64_t row) {
        Quad<T> quad;
#pragma unroll
        for (int i = 0; i < Quad<T>::words; ++i) quad.v[i] = word(row, i);
        return quad;
      });
    } else if constexpr (N == 4) {  // a pixel beyond a border of zeros
#pragma unroll
      for (Quad<T>& row : rows) row = {};
    } else if (shift_ == apart) {
      load_rows(places, count, rows, [&](std::uint64_t row) { return gathered(row); });
    } else {
      load_rows(places, count, rows, [&](std::uint64_t row) {
        Quad<T> quad;
        unsigned next = word(row, 0);
#pragma unroll
        for (int i = 0; i < Quad<T>::words; ++i) {
          const unsigned low = next;
          next = word(row, i + 1);
          quad.v[i] = low >> shift_ | next << (32 - shift_);
        }
        return quad;
      });
    }
  }

 private:
  static constexpr int apart = -1;

  template <class Load>
  __device__ static void load_rows(const unsigned* places, int count, Quad<T> (&rows)[most_rows],
                                   const Load& load) {
#pragma unroll
    for (int k = 0; k < most_rows; ++k) {
      rows[k] = {};
      if (k < count && places[k] != no_row) rows[k] = load(std::uint64_t{places[k]} * 16);
    }
  }
  __device__ unsigned word(std::uint64_t row, int i) const {
    return __ldg(reinterpret_cast<const unsigned*>(word_ + row) + i);
  }
  __device__ Quad<T> gathered(std::uint64_t row) const {
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
    constexpr int each = 4 / sizeof(T);
    Quad<T> quad = {};
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (offset_[i] >= 0)
        quad.v[i / each] |=
            static_cast<unsigned>(__ldg(reinterpret_cast<const Bits*>(data_ + row) + offset_[i]))
            << (8 * sizeof(T) * (i % each));
    return quad;
  }

  const char *word_, *data_;
  int offset_[4];
  int shift_;  ///< The quad's position in its first word, in bits; or apart.
};

/// made[j] = the fold of values[j] ... values[j + width - 1].
template <int count, class State, class Join>
__device__ inline void fold_windows(int width, const State (&values)[count + widest - 1],
                                    State (&made)[count], const Join& join) {
#pragma unroll
  for (int j = 0; j < count; ++j) made[j] = values[j];
#pragma unroll
  for (int k = 1; k < widest; ++k)
    if (k < width) {
#pragma unroll
      for (int j = 0; j < count; ++j) made[j] = join(made[j], values[j + k]);
    }
}

/// Calls make(row, quad) for the first of each `item` quads that the thread produces.
template <class Make>
__device__ inline void for_items(int height, int quads, const Make& make) {
  const int quad = static_cast<int>(threadIdx.x) % 32 * item;
  if (quad >= quads) return;
#pragma unroll 1
  for (int row = static_cast<int>(threadIdx.x) / 32; row < min(height, tile_rows);
       row += tile_threads / 32)
    make(row, quad);
}

/// Stores quads in a row of the target, as far as they are before its end.
template <class T, int N>
__device__ inline void store_quads(const TilePass<T>& p, int value, int row,
                                   const Quad<T> (&quads)[item]) {
  const int values = p.target.width * N;
  struct alignas(16) Together {
    Quad<T> v[4 / sizeof(T)];
  };
  if (value + 4 * item <= values) {
#pragma unroll
    for (int i = 0; i < item; i += 4 / sizeof(T)) {
      Together together;
#pragma unroll
      for (int k = 0; k < static_cast<int>(4 / sizeof(T)); ++k) together.v[k] = quads[i + k];
      p.to.store_streaming((value + 4 * i) * static_cast<int>(sizeof(T)), row, together);
    }
    return;
  }
  using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
  constexpr int each = 4 / sizeof(T);
  for (int i = 0; i < 4 * item; ++i)
    if (value + i < values)
      p.to.store((value + i) * static_cast<int>(sizeof(T)), row,
                 static_cast<Bits>(quads[i / 4].v[i % 4 / each] >> (8 * sizeof(T) * (i % each))));
}

}  // namespace cuimg::detail
