// SPDX-License-Identifier: Apache-2.0
// Codes of a square box that sums of integers leave in doubt: they are listed, and computed by the
// definition.
#pragma once

#include <cstdint>

#include "device/cuda/cuda_border.cuh"
#include "kernels/stencil/box_mean.h"
#include "stages/window/form_values.cuh"
#include "stages/window/run_tiles.cuh"

namespace cuimg::detail {

constexpr int most_doubts = 2048;

/// A pixel's row, and its column times 4 plus the channel, as a single number that is written in
/// one step: another warp polls for it.
using DoubtfulCode = unsigned long long;  // the type that atomicAdd() needs
constexpr DoubtfulCode no_doubt = ~DoubtfulCode{0};
__device__ inline DoubtfulCode doubtful_code(int x, int y, int c) {
  return DoubtfulCode{static_cast<unsigned>(y)} << 32 | static_cast<unsigned>(4 * x + c);
}
struct PlaceOfCode {
  int x, y, c;
};
__device__ inline PlaceOfCode place_of(DoubtfulCode code) {
  const auto column = static_cast<unsigned>(code);
  return {static_cast<int>(column / 4), static_cast<int>(code >> 32), static_cast<int>(column % 4)};
}

struct DoubtList {
  int count;    ///< More than the number in the list if the list is full.
  int settled;  ///< From the beginning of the list, by settle().
  DoubtfulCode codes[most_doubts];

  /// Called by all threads, before a barrier.
  __device__ void clear(int thread, int threads) {
    for (int i = thread; i < most_doubts; i += threads) codes[i] = no_doubt;
    if (thread == 0) count = 0;
  }
  /// Writes to a place that nobody else writes. Other threads may read it at the same time.
  __device__ void put(int place, DoubtfulCode code) { atomicAdd(&codes[place], code - no_doubt); }
  __device__ DoubtfulCode look_at(int place) { return atomicAdd(&codes[place], DoubtfulCode{0}); }
};

template <int R>
struct BoxByDefinition {
  static constexpr int window = 2 * R + 1;

  RunPass pass;
  const Srgb8Tables* tables;
  bool has_alpha;
  MeanFold mean;

  __device__ int column_at(int x) const {
    const int column = border_index(pass.columns, x);
    return column == BorderAxis::nothing ? -1 : column - pass.left;
  }
  /// The rows of a window in a column from row y on; 0 beyond a border of zeros.
  __device__ void load_column(int column, int y, std::uint32_t (&texels)[window]) const {
    const char* const first = pass.data + static_cast<std::size_t>(max(column, 0)) * 4;
    const auto row_at = [&](int row) {
      return first + static_cast<std::size_t>(row - pass.top) * pass.pitch_bytes;
    };
    if (column >= 0 && y >= pass.rows.low && y + window <= pass.rows.high) {
      const char* at = row_at(y);
#pragma unroll
      for (int k = 0; k < window; ++k) {
        texels[k] = __ldg(reinterpret_cast<const std::uint32_t*>(at));
        at += pass.pitch_bytes;
      }
      return;
    }
#pragma unroll
    for (int k = 0; k < window; ++k) {
      const int row = border_index(pass.rows, y + k);
      texels[k] = 0;
      if (column >= 0 && row != BorderAxis::nothing)
        texels[k] = __ldg(reinterpret_cast<const std::uint32_t*>(row_at(row)));
    }
  }
  /// Lists a code, or computes it if the list is full.
  __device__ void note(DoubtList& list, int x, int y, int c) const {
    const DoubtfulCode code = doubtful_code(x, y, c);
    const int place = atomicAdd(&list.count, 1);
    if (place < most_doubts)
      list.put(place, code);
    else
      make(code);
  }
  /// Called by a warp, with a code for each lane and a few columns of its window between two
  /// barriers: it loads texels before a barrier and adds them after it, so that nobody waits for
  /// memory.
  /// @param next_chunk the barrier; there are `chunks` of them.
  template <class NextChunk>
  __device__ void settle(DoubtList& list, int chunks, const NextChunk& next_chunk) const {
    constexpr int some = 3;
    const int lane = static_cast<int>(threadIdx.x) & 31;
    std::uint32_t texels[some][window];
    PlaceOfCode at = {};
    DefinedSums sums;
    int settled = 0, k = window;  // the next column; at the window's end, no codes are in progress
#pragma unroll 1
    for (int i = 0; i < chunks; ++i) {
      next_chunk();
      if (k < window) {
#pragma unroll
        for (int j = 0; j < some; ++j)
          if (k + j < window) add_column(texels[j], at.c, sums);
        k += some;
        if (k >= window) {
          // The code's run was stored before a barrier.
          store_defined(at, sums);
          settled += 32;
        }
      }
      if (k >= window) {
        // Others may be adding to the list now: the 32 existing ones are enough.
        if (settled + 32 > most_doubts) continue;
        const DoubtfulCode next = list.look_at(settled + lane);
        if (!__all_sync(~0u, next != no_doubt)) continue;
        at = place_of(next);
        sums = {};
        k = 0;
      }
#pragma unroll
      for (int j = 0; j < some; ++j)
        if (k + j < window) load_column(at, k + j, texels[j]);
    }
    if (lane == 0) list.settled = settled;
  }
  /// Called by all threads, after a barrier: computes the remaining codes.
  __device__ void settle_rest(const DoubtList& list, int thread, int threads) const {
    const int count = min(list.count, most_doubts);
#pragma unroll 1
    for (int i = list.settled + thread; i < count; i += threads) make(list.codes[i]);
  }

 private:
  struct DefinedSums {
    double color = MeanFold::neutral(), alpha = MeanFold::neutral();
  };
  __device__ void add_column(const std::uint32_t (&texels)[window], int c,
                             DefinedSums& sums) const {
    DefinedSums down;
#pragma unroll
    for (const std::uint32_t texel : texels) {
      const float alpha = has_alpha ? code_to_float<255>(static_cast<int>(texel >> 24)) : 1.0f;
      const float color = __ldg(tables->decode + (texel >> (8 * c) & 255u)) * alpha;
      down.color += static_cast<double>(color);
      down.alpha += static_cast<double>(alpha);
    }
    sums.color += static_cast<double>(mean.store(down.color));
    sums.alpha += static_cast<double>(mean.store(down.alpha));
  }
  __device__ void store_defined(const PlaceOfCode& at, const DefinedSums& sums) const {
    float color = mean.store(sums.color);
    const float alpha = mean.store(sums.alpha);
    if (has_alpha) color = color_over_alpha(color, alpha, reciprocal_of(alpha));
    pass.to.store(4 * at.x + at.c, at.y, linear_to_srgb8(tables->encode, color));
  }
  /// Column k of a window.
  __device__ void load_column(const PlaceOfCode& at, int k, std::uint32_t (&texels)[window]) const {
    load_column(column_at(pass.target.x + at.x - R + k), pass.target.y + at.y - R, texels);
  }
  __device__ void make(DoubtfulCode code) const {
    const PlaceOfCode at = place_of(code);
    DefinedSums sums;
#pragma unroll 1
    for (int k = 0; k < window; ++k) {
      std::uint32_t texels[window];
      load_column(at, k, texels);
      add_column(texels, at.c, sums);
    }
    store_defined(at, sums);
  }
};

}  // namespace cuimg::detail
