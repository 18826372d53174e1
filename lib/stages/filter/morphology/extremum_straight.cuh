// SPDX-License-Identifier: Apache-2.0
// The least or greatest of 3x3 pixels of 8 or 16 bits, sRGB with straight alpha. Warps move down
// strips, with 16 bytes for each lane. Codes of opaque pixels are compared directly. Others are
// converted to light times alpha and back to codes: with 8 bits by a table of which each lane has a
// copy in its own bank, since lanes read it at random, and one that all share; with 16 bits by
// powers.
#pragma once

#include "stages/filter/morphology/extremum_words.cuh"
#include "stages/window/form_values.cuh"
#include "stages/window/lane_table.cuh"
#include "stages/window/work_shares.cuh"

namespace cuimg::detail {

// rows that are fetched together: more would need more registers
inline constexpr int straight_batch = 2;

/// The part of a row that a lane processes.
template <class T>
constexpr int straight_pixels = 4 / static_cast<int>(sizeof(T));

/// Light times alpha of some pixels, negated for the greatest, and alpha.
template <class T>
struct PieceLights {
  float v[straight_pixels<T>][4];
};

template <class T>
__device__ inline PieceLights<T> joined(const PieceLights<T>& a, const PieceLights<T>& b) {
  PieceLights<T> least;
#pragma unroll
  for (int q = 0; q < straight_pixels<T>; ++q)
#pragma unroll
    for (int c = 0; c < 4; ++c) least.v[q][c] = fminf(a.v[q][c], b.v[q][c]);
  return least;
}

/// The least of each pixel and its neighbours on both sides. All threads of a warp call it.
template <class T>
__device__ inline PieceLights<T> fold_lights_across(const PieceLights<T>& row) {
  constexpr int count = straight_pixels<T>;
  PieceLights<T> least;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const float before = from_lane(row.v[count - 1][c], -1), after = from_lane(row.v[0][c], 1);
    const float first = fminf(row.v[0][c], row.v[1][c]);
    const float last = fminf(row.v[count - 2][c], row.v[count - 1][c]);
    least.v[0][c] = fminf(before, first);
    if constexpr (count == 4) {
      least.v[1][c] = fminf(first, row.v[2][c]);
      least.v[2][c] = fminf(row.v[1][c], last);
    }
    least.v[count - 1][c] = fminf(last, after);
  }
  return least;
}

/// Colours of some pixels divided by alpha, which has their sign, within [0, 1]. Without alpha
/// there is no colour either, and the quotient is not defined: 0.
template <class T>
__device__ inline void divide_lights(const PieceLights<T>& least,
                                     float (&colors)[3 * straight_pixels<T>]) {
#pragma unroll
  for (int q = 0; q < straight_pixels<T>; ++q) {
    const float alpha = least.v[q][3], reciprocal = reciprocal_of(alpha);
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      const float color = least.v[q][c], near = color * reciprocal;
      colors[3 * q + c] = sum_within_one(reciprocal, fma(-alpha, near, color), near);
    }
  }
}

template <class T>
class StraightLight;

template <>
class StraightLight<std::uint8_t> {
 public:
  static constexpr int threads = 512;        // more leave too few registers
  static constexpr int blocks = 1;           // per multiprocessor
  static constexpr int percent_shared = 90;  // of the batches, in equal shares
  struct Memory {
    LaneTable<float> light;  ///< And, in the second copies, the numbers that codes of alpha are.
    std::uint32_t codes[Srgb8Tables::buckets];
  };

  /// Fills in a block's shared data; all threads call it, and synchronise after it.
  __device__ StraightLight(Memory& memory, const TexelForm& form, bool greatest)
      : light_(reinterpret_cast<const char*>(memory.light)),
        codes_(memory.codes),
        lane_(4 * (threadIdx.x & 31)),
        sign_(greatest ? -1.0f : 1.0f) {
    for (int i = static_cast<int>(threadIdx.x); i < 256 * 32; i += threads) {
      memory.light[i / 32][i % 32] = __ldg(form.tables.srgb8->decode + i / 32);
      memory.light[i / 32][32 + i % 32] = sign_ * code_to_float<255>(i / 32);
    }
    for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(Srgb8Tables::buckets);
         i += threads)
      memory.codes[i] = __ldg(form.codes8 + i);
  }

  __device__ static bool is_opaque(const Piece& piece) {
    return (piece.v[0] & piece.v[1] & piece.v[2] & piece.v[3]) >= 0xff000000u;
  }
  __device__ PieceLights<std::uint8_t> load(const Piece& piece) const {
    PieceLights<std::uint8_t> lights;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const float alpha = entry(piece.v[q], 3, lane_ + 32 * sizeof(float));
#pragma unroll
      for (int c = 0; c < 3; ++c) lights.v[q][c] = alpha * entry(piece.v[q], c, lane_);
      lights.v[q][3] = alpha;
    }
    return lights;
  }
  __device__ Piece store(const PieceLights<std::uint8_t>& least) const {
    float colors[12];
    divide_lights(least, colors);
    Piece made;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      std::uint32_t codes[3];
#pragma unroll
      for (int c = 0; c < 3; ++c) codes[c] = srgb8_sum_within(codes_, colors[3 * q + c]);
      made.v[q] = four_bytes<true>(codes, unorm8_sum_within(sign_ * least.v[q][3]));
    }
    return made;
  }

 private:
  __device__ float entry(unsigned texel, int channel, unsigned lane) const {
    return *reinterpret_cast<const float*>(light_ + place_of_code(texel, channel, lane));
  }

  const char* light_;
  const std::uint32_t* codes_;
  const unsigned lane_;
  const float sign_;
};

template <>
class StraightLight<std::uint16_t> {
 public:
  static constexpr int threads = 320;
  static constexpr int blocks = 2;
  static constexpr int percent_shared = 80;
  /// The corrections of Srgb16Short, one byte each: found in fewer steps.
  struct Memory {
    float decode_scale[8];
    alignas(8) std::uint8_t corrections[65536];
  };

  __device__ StraightLight(Memory& memory, const TexelForm& form, bool greatest)
      : memory_(memory),
        tables_(*form.short16),
        thresholds_(form.tables.srgb16->thresholds),
        sign_(greatest ? -1.0f : 1.0f) {
    const int thread = static_cast<int>(threadIdx.x);
    if (thread < 8) memory.decode_scale[thread] = tables_.decode_scale[thread];
    static_assert(Srgb16Short::corrections_in_word == 8);
    const auto four_bytes_of = [](std::uint32_t word) {
      return (word & 0xfu) | (word & 0xf0u) << 4 | (word & 0xf00u) << 8 | (word & 0xf000u) << 12;
    };
    for (int i = thread; i < 65536 / 8; i += threads) {
      const std::uint32_t word = __ldg(tables_.corrections + i);
      reinterpret_cast<uint2*>(memory.corrections)[i] = {four_bytes_of(word),
                                                         four_bytes_of(word >> 16)};
    }
  }

  __device__ static bool is_opaque(const Piece& piece) {
    return (piece.v[1] & piece.v[3]) >= 0xffff0000u;
  }
  __device__ PieceLights<std::uint16_t> load(const Piece& piece) const {
    PieceLights<std::uint16_t> lights;
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      const unsigned low = piece.v[2 * q], high = piece.v[2 * q + 1];
      const float alpha = sign_ * code_to_float<65535>(static_cast<int>(high >> 16));
      lights.v[q][0] = alpha * light(low & 0xffffu);
      lights.v[q][1] = alpha * light(low >> 16);
      lights.v[q][2] = alpha * light(high & 0xffffu);
      lights.v[q][3] = alpha;
    }
    return lights;
  }
  __device__ Piece store(const PieceLights<std::uint16_t>& least) const {
    float colors[6];
    divide_lights(least, colors);
    std::uint32_t codes[6];
    srgb16_sums_within(tables_, thresholds_, colors, codes);
    Piece made;
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      made.v[2 * q] = two_halves(codes[3 * q], codes[3 * q + 1]);
      made.v[2 * q + 1] = two_halves(codes[3 * q + 2], unorm16_sum_within(sign_ * least.v[q][3]));
    }
    return made;
  }

 private:
  /// Equals srgb16_to_linear().
  __device__ float light(std::uint32_t code) const {
    return float_from_bits(bits_of(srgb16_near_light(code, memory_.decode_scale)) +
                           std::uint32_t{memory_.corrections[code]} - Srgb16Short::no_correction);
  }

  const Memory& memory_;
  const Srgb16Short& tables_;
  const float* thresholds_;
  const float sign_;
};

template <class T>
using StraightColumn = WordColumn<4 * static_cast<int>(sizeof(T)), true>;

/// A batch of a strip's rows, whose codes are compared.
template <class T>
__device__ inline void make_opaque_rows(const StraightColumn<T>& column, int row, bool greatest,
                                        const Piece (&rows)[straight_batch + 2]) {
  const QuadExtremum<T> fold(greatest);
  FoldDown<T> down;
#pragma unroll
  for (int i = 0; i < straight_batch + 2; i += 2) {
    auto a = fold_across<T, 4, 1>(fold, rows[i]);
    auto b = fold_across<T, 4, 1>(fold, rows[i + 1]);
    down.step(a, b);
    if (i == 0) continue;
    column.template store<T>(row + i - 2, stored_piece(fold, a));
    column.template store<T>(row + i - 1, stored_piece(fold, b));
  }
}

/// Batches that a warp takes together after its share.
inline constexpr int batches_taken = 6;

/// @param batches of rows, down one strip and then the next. @param of_strip how many a strip has.
template <class T>
__global__ void __launch_bounds__(StraightLight<T>::threads, StraightLight<T>::blocks)
    extremum_straight(WordPass p, const __grid_constant__ TexelForm form, WorkShares batches,
                      int of_strip, bool greatest) {
  extern __shared__ double shared_memory[];
  using Straight = StraightLight<T>;
  using Lights = PieceLights<T>;
  const int thread = static_cast<int>(threadIdx.x);
  const Straight straight(*reinterpret_cast<typename Straight::Memory*>(shared_memory), form,
                          greatest);
  __syncthreads();

  constexpr int warps_of_block = Straight::threads / 32;
  const int warp = static_cast<int>(blockIdx.x) * warps_of_block + thread / 32;
  const int warps = static_cast<int>(gridDim.x) * warps_of_block;
  int first = batches.first_of(warp, warps), last = batches.first_of(warp + 1, warps);
#pragma unroll 1
  for (;;) {
    if (first == last) {
      first = __shfl_sync(0xffffffffu, thread % 32 == 0 ? batches.take(batches_taken) : 0, 0);
      if (first >= batches.all) return;
      last = min(first + batches_taken, batches.all);
    }
    const int begin = first % of_strip, strip = first / of_strip;
    const int count = min(last - first, of_strip - begin);
    const int top = begin * straight_batch;
    const int bottom = min(top + count * straight_batch, p.target.height);
    first += count;
    const StraightColumn<T> column(p, strip, top, bottom, 1);
    // The row before the next batch, and the previous one.
    Piece rows[straight_batch + 2], next[straight_batch];
    static_assert(straight_batch == 2);
    column.fetch(0, next);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      rows[straight_batch + i] = next[i];
      column.patch(rows[straight_batch + i]);
    }
    column.fetch(2, next);
    Lights before = {}, pair = {};  // as in FoldDown
    bool has_lights = false;        // of the two rows
#pragma unroll 1
    for (int row = 0; row < bottom - top; row += straight_batch) {
#pragma unroll
      for (int i = 0; i < 2; ++i) rows[i] = rows[straight_batch + i];
#pragma unroll
      for (int i = 0; i < straight_batch; ++i) {
        rows[i + 2] = next[i];
        column.patch(rows[i + 2]);
      }
      column.fetch(row + straight_batch + 2, next);
      bool is_opaque = true;
#pragma unroll
      for (const Piece& piece : rows) is_opaque &= Straight::is_opaque(piece);
      if (__all_sync(0xffffffffu, is_opaque)) {
        make_opaque_rows<T>(column, row, greatest, rows);
        has_lights = false;
        continue;
      }
      if (!has_lights) {
        before = fold_lights_across(straight.load(rows[1]));
        pair = joined(fold_lights_across(straight.load(rows[0])), before);
        has_lights = true;
      }
#pragma unroll
      for (int i = 0; i < straight_batch; i += 2) {
        const Lights a = fold_lights_across(straight.load(rows[i + 2]));
        column.template store<T>(row + i, straight.store(joined(pair, a)));
        const Lights b = fold_lights_across(straight.load(rows[i + 3]));
        pair = joined(a, b);
        column.template store<T>(row + i + 1, straight.store(joined(before, pair)));
        before = b;
      }
    }
  }
}

/// Queues it. @returns false, having done nothing, if there is no room for the tables.
template <class T>
bool run_straight(CudaQueue& card, const WordPass& p, const TexelForm& form, bool greatest) {
  using Straight = StraightLight<T>;
  constexpr std::size_t bytes = sizeof(typename Straight::Memory);
  if (bytes > shared_bytes_of_block(card)) return false;
  check(cudaFuncSetAttribute(extremum_straight<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
  const int of_strip = (p.target.height + straight_batch - 1) / straight_batch;
  const int all = strips_of(4 * static_cast<int>(sizeof(T)), p.target) * of_strip;
  // Each warp must have enough batches to repay the tables.
  const int useful = all / (Straight::threads / 32 * 4) + 1;
  const int blocks = std::min(Straight::blocks * card.multiprocessors(), useful);
  const WorkCounter counter(card);
  extremum_straight<T><<<static_cast<unsigned>(blocks), Straight::threads, bytes, card.stream()>>>(
      p, form, counter.shares(all, all / 100 * Straight::percent_shared), of_strip, greatest);
  check_launch("extremum_straight");
  return true;
}

}  // namespace cuimg::detail
