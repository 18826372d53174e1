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

/// A pixel, from the target's corner, and a channel.
struct DoubtfulCode {
  int x, y, c;
};

struct DoubtList {
  int count;  ///< More than the number in the list if the list is full.
  DoubtfulCode codes[most_doubts];
};

template <int R>
struct BoxByDefinition {
  static constexpr int window = 2 * R + 1;
  static constexpr int sharers = 4;  ///< Threads that compute a code of the list together.

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
  __device__ void note(DoubtList& list, const DoubtfulCode& code) const {
    const int place = atomicAdd(&list.count, 1);
    if (place < most_doubts)
      list.codes[place] = code;
    else
      make<1>(code, 0);
  }
  /// Called by all threads, after a barrier: computes the codes in the list.
  __device__ void settle(const DoubtList& list, int thread, int threads) const {
    const int count = min(list.count, most_doubts);
#pragma unroll 1
    for (int i = thread / sharers; i - thread / sharers < count; i += threads / sharers)
      make<sharers>(list.codes[min(i, count - 1)], thread % sharers);
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
  __device__ void store_defined(const DoubtfulCode& at, const DefinedSums& sums) const {
    float color = mean.store(sums.color);
    const float alpha = mean.store(sums.alpha);
    if (has_alpha) color = color_over_alpha(color, alpha, reciprocal_of(alpha));
    pass.to.store(4 * at.x + at.c, at.y, linear_to_srgb8(tables->encode, color));
  }
  /// Computes a code. @tparam threads that share it, side by side; all of their warp call it.
  /// The sums of a window are exact in doubles, in any order: their terms are 0 or at least 2^-24,
  /// and floats have 24 bits.
  template <int threads>
  __device__ void make(const DoubtfulCode& at, int thread) const {
    DefinedSums sums;
#pragma unroll 1
    for (int k = thread; k < window; k += threads) {
      std::uint32_t texels[window];
      load_column(column_at(pass.target.x + at.x - R + k), pass.target.y + at.y - R, texels);
      add_column(texels, at.c, sums);
    }
#pragma unroll
    for (int other = 1; other < threads; other *= 2) {
      sums.color += __shfl_xor_sync(~0u, sums.color, other);
      sums.alpha += __shfl_xor_sync(~0u, sums.alpha, other);
    }
    if (thread == 0) store_defined(at, sums);
  }
};

}  // namespace cuimg::detail
