// SPDX-License-Identifier: Apache-2.0
// A grid read by the texture unit's rule in whole numbers. If the exponents of a cell's eight
// entries are close together, the unit truncates nothing: its result is the exact weighted sum,
// rounded once (kernels/texture/texture_combine.h). Then the sum of a channel takes a card eight
// instructions, and a pixel reads one line of 128 bytes. The unit reads six sectors of 32 bytes for
// a pixel and takes a cycle for each. Noise through 33^3 entries takes 0.525 ms in place of 0.887
// (card_chains, an H200, 2026-12-01).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/cuda/cuda_queue.h"
#include "kernels/color/grid_texture.h"
#include "kernels/texture/texture_combine.h"
#include "kernels/texture/texture_cut.h"
#include "stages/pass/four_lanes.cuh"

namespace cuimg {

/// One channel of a cell's eight entries, x fastest, as integers in units of 2^(E-27), where E is
/// the largest exponent: they are below 2^28. The high halves of the first two also have the code
/// of E.
struct ExactChannel {
  /// Of entries 2i and 2i + 1, the lower 16 bits, and the bits above.
  struct Two {
    std::uint32_t low, high;
  } two[4];

  static constexpr std::uint32_t not_exact = 15;  ///< The code of a cell that only the unit reads.

  /// @param first_exponent the exponent with code 0, as a float has it; code k is k less.
  CUIMG_HD static ExactChannel of(const float* entries, int first_exponent) {
    std::uint32_t most = 0;
    bool exact = true;
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t bits = bits_of(entries[i]);
      most = bits > most ? bits : most;
    }
    const int exponent = static_cast<int>(most >> 23);
    const int code = most == 0 ? 0 : first_exponent - exponent;
    std::uint32_t whole[8];
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t bits = bits_of(entries[i]);
      // The sign bit makes negative entries, also -0, too large.
      const int below = exponent - static_cast<int>(bits >> 23);
      const bool fits = bits == 0 || (bits >= 0x00800000u && bits < 0x7f800000u && below <= 4);
      exact = exact && fits;
      whole[i] = bits == 0 || !fits ? 0 : ((bits & 0x7fffffu) | 0x800000u) << (4 - below);
    }
    exact = exact && code >= 0 && code < static_cast<int>(not_exact);
    ExactChannel channel;
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t a = whole[2 * i], b = whole[2 * i + 1];
      channel.two[i] = {(a & 0xffffu) | b << 16, a >> 16 | (b & 0xffff0000u)};
    }
    channel.two[0].high |= (exact ? static_cast<std::uint32_t>(code) : not_exact) << 12;
    return channel;
  }
};

/// The cells of a grid, `size` on each axis: the last one repeats its texels.
struct ExactCells {
  const uint4* lines;  ///< For each cell, three channels of two words, and padding.
  int size;
  int first_exponent;

  /// Words of a cell. Two are padding, so that it does not lie in two lines of the cache.
  static constexpr int words = 8;
  static constexpr int channels = 4;  ///< Of a cell; the fourth is padding.

  /// What the unit makes of a place.
  struct Weights {
    int cell;
    std::uint32_t near, far;  ///< Of the two slices' entries, a byte each.
    bool exact;               ///< False on an entry, where a weight is 256: no byte.
  };
  __device__ Weights weights(const GridTexture::Place& at) const {
    // The product and the difference are exact.
    const auto fixed = [](float x) { return static_cast<int>(fma(x, 256.0f, -127.5f)); };
    const int x = fixed(at.x), y = fixed(at.y), z = fixed(at.z);
    const int fx = x & 255, fy = y & 255, fz = z & 255;
    int near[4], far[4];
    detail::slice_weights(fx, fy, 256 - fz, near);
    detail::slice_weights(fx, fy, fz, far);
    return {((z >> 8) * size + (y >> 8)) * size + (x >> 8), bytes(near), bytes(far),
            (fx | fy | fz) != 0};
  }

  /// The texel there. All lanes of a warp take part. @returns whether it is what the unit gives.
  __device__ bool read(const Weights& w, Pixel<4>& texel) const {
    const int lane = static_cast<int>(threadIdx.x) & 3, channel = lane < 3 ? lane : 2;
    const uint4* const from = lines + 2 * channel;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const uint4* const line = from + of_four_lanes(w.cell, k) * words;
      v[k] = sum(__ldg(line), __ldg(line + 1), of_four_lanes(w.near, k), of_four_lanes(w.far, k));
    }
    transpose_in_four_lanes(v);
    bool exact = w.exact;
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      texel.v[c] = v[c];
      exact = exact && bits_of(v[c]) != no_value;
    }
    return exact;
  }

 private:
  static constexpr std::uint32_t no_value = 0xffffffffu;

  __device__ static std::uint32_t bytes(const int (&w)[4]) {
    return static_cast<std::uint32_t>(w[0] | w[1] << 8 | w[2] << 16) |
           static_cast<std::uint32_t>(w[3]) << 24;
  }
  __device__ float sum(const uint4& a, const uint4& b, std::uint32_t near,
                       std::uint32_t far) const {
    const std::uint32_t code = a.y & 0xf000u, first = a.y - code;
    std::uint32_t low = 0, high = 0;
    low = __dp2a_hi(a.z, near, __dp2a_lo(a.x, near, low));
    low = __dp2a_hi(b.z, far, __dp2a_lo(b.x, far, low));
    high = __dp2a_hi(a.w, near, __dp2a_lo(first, near, high));
    high = __dp2a_hi(b.w, far, __dp2a_lo(b.y, far, high));
    const std::uint64_t whole = (std::uint64_t{high} << 16) + low;  // in units of 2^(E-35)
    const double exact = double_from_bits(bits_of(0x1p52) | whole) - 0x1p52;
    const float unit =
        float_from_bits((static_cast<std::uint32_t>(first_exponent - 35) << 23) - (code << 11));
    return code == ExactChannel::not_exact << 12 ? float_from_bits(no_value)
                                                 : rounded_half_away(exact) * unit;
  }
};

/// A thread for each channel of a cell.
__global__ inline void make_exact_cells_kernel(const float4* texels, ExactCells cells,
                                               ExactChannel* made) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int size = cells.size, cell = i / 3, channel = i % 3;
  if (cell >= size * size * size) return;
  const int place[3] = {cell % size, cell / size % size, cell / (size * size)};
  float entries[8];
  for (int k = 0; k < 8; ++k) {
    int at[3];
    for (int axis = 0; axis < 3; ++axis) at[axis] = min(place[axis] + (k >> axis & 1), size - 1);
    const float4 texel = texels[(at[2] * size + at[1]) * size + at[0]];
    entries[k] = channel == 0 ? texel.x : channel == 1 ? texel.y : texel.z;
  }
  made[cell * ExactCells::channels + channel] = ExactChannel::of(entries, cells.first_exponent);
}

}  // namespace cuimg
