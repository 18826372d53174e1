// SPDX-License-Identifier: Apache-2.0
// The least or greatest of 3x3 pixels of 8 bits, sRGB with straight alpha. Warps go down strips, a
// lane four pixels wide. Codes of opaque pixels are compared as they are. Others are made light
// times alpha: by a table that each lane has a copy of, in a bank of its own, since lanes read it
// at random; and codes again by one that all share.
#pragma once

#include "stages/filter/morphology/extremum_words.cuh"
#include "stages/window/form_values.cuh"
#include "stages/window/lane_table.cuh"

namespace cuimg::detail {

constexpr int straight_threads = 384;  // more leave too few registers

struct StraightMemory {
  LaneTable<float> light;
  std::uint32_t codes[Srgb8Tables::buckets];
};

/// Four pixels' light times alpha, which is turned round for the greatest, and alpha.
struct FourLights {
  float v[4][4];
};

__device__ inline FourLights joined(const FourLights& a, const FourLights& b) {
  FourLights least;
#pragma unroll
  for (int q = 0; q < 4; ++q)
#pragma unroll
    for (int c = 0; c < 4; ++c) least.v[q][c] = fminf(a.v[q][c], b.v[q][c]);
  return least;
}

/// The least of each pixel and those to both sides of it. All of a warp call it.
__device__ inline FourLights fold_lights_across(const FourLights& row) {
  FourLights least;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const float before = from_lane(row.v[3][c], -1), after = from_lane(row.v[0][c], 1);
    const float first = fminf(row.v[0][c], row.v[1][c]), last = fminf(row.v[2][c], row.v[3][c]);
    least.v[0][c] = fminf(before, first);
    least.v[1][c] = fminf(first, row.v[2][c]);
    least.v[2][c] = fminf(row.v[1][c], last);
    least.v[3][c] = fminf(last, after);
  }
  return least;
}

class StraightLight {
 public:
  __device__ StraightLight(const StraightMemory& memory, bool greatest)
      : light_(reinterpret_cast<const char*>(memory.light)),
        codes_(memory.codes),
        lane_(4 * (threadIdx.x & 31)),
        sign_(greatest ? -1.0f : 1.0f) {}

  __device__ FourLights load(const Piece& piece) const {
    FourLights lights;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const float alpha = sign_ * code_to_float<255>(static_cast<int>(piece.v[q] >> 24));
#pragma unroll
      for (int c = 0; c < 3; ++c)
        lights.v[q][c] =
            alpha * *reinterpret_cast<const float*>(light_ + place_of_code(piece.v[q], c, lane_));
      lights.v[q][3] = alpha;
    }
    return lights;
  }
  __device__ Piece store(const FourLights& least) const {
    Piece made;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      // Without alpha there is no colour either, and the quotient is none: code 0.
      const float alpha = sign_ * least.v[q][3], reciprocal = reciprocal_of(alpha);
      std::uint32_t codes[3];
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        const float color = sign_ * least.v[q][c], near = color * reciprocal;
        codes[c] =
            srgb8_sum_within(codes_, sum_within_one(reciprocal, fma(-alpha, near, color), near));
      }
      made.v[q] = four_bytes<true>(codes, unorm8_sum_within(alpha));
    }
    return made;
  }

 private:
  const char* light_;
  const std::uint32_t* codes_;
  const unsigned lane_;
  const float sign_;
};

/// Four rows of a strip, whose codes are compared.
__device__ inline void make_opaque_rows(const WordColumn<4>& column, int row, bool greatest,
                                        const Piece (&rows)[word_batch + 2]) {
  const QuadExtremum<std::uint8_t> fold(greatest);
  FoldDown<std::uint8_t> down;
#pragma unroll
  for (int i = 0; i < word_batch + 2; i += 2) {
    auto a = fold_across<std::uint8_t, 4, 1>(fold, rows[i]);
    auto b = fold_across<std::uint8_t, 4, 1>(fold, rows[i + 1]);
    down.step(a, b);
    if (i == 0) continue;
    column.store<std::uint8_t>(row + i - 2, stored_piece(fold, a));
    column.store<std::uint8_t>(row + i - 1, stored_piece(fold, b));
  }
}

/// @param strips of the target. @param batches of rows, in a strip.
__global__ void __launch_bounds__(straight_threads, 1)
    extremum_straight(WordPass p, const float* light, const std::uint32_t* codes, int strips,
                      int batches, bool greatest) {
  extern __shared__ double shared_memory[];
  auto& memory = *reinterpret_cast<StraightMemory*>(shared_memory);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 256 * 32; i += straight_threads)
    memory.light[i / 32][i % 32] = __ldg(light + i / 32);
  for (int i = thread; i < static_cast<int>(Srgb8Tables::buckets); i += straight_threads)
    memory.codes[i] = __ldg(codes + i);
  __syncthreads();
  const StraightLight straight(memory, greatest);

  // Every warp makes as many batches, down one strip and on with the next.
  const std::int64_t all = std::int64_t{strips} * batches;
  const std::int64_t warp = blockIdx.x * (straight_threads / 32) + thread / 32;
  const std::int64_t warps = gridDim.x * (straight_threads / 32);
  const auto last = static_cast<int>(all * (warp + 1) / warps);
  for (auto first = static_cast<int>(all * warp / warps); first < last;) {
    const int strip = first / batches, count = min(last - first, batches - first % batches);
    const int top = first % batches * word_batch;
    const int bottom = min(top + count * word_batch, p.target.height);
    first += count;
    const WordColumn<4> column(p, strip, top, bottom, 1);
    // The row before the next batch, and the one before that.
    Piece rows[word_batch + 2], next[word_batch];
    column.fetch(-2, next);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      rows[word_batch + i] = next[2 + i];
      column.patch(rows[word_batch + i]);
    }
    column.fetch(2, next);
    FourLights before = {}, pair = {};  // as FoldDown's
    bool has_lights = false;            // of the two rows
#pragma unroll 1
    for (int row = 0; row < bottom - top; row += word_batch) {
#pragma unroll
      for (int i = 0; i < 2; ++i) rows[i] = rows[word_batch + i];
#pragma unroll
      for (int i = 0; i < word_batch; ++i) {
        rows[i + 2] = next[i];
        column.patch(rows[i + 2]);
      }
      column.fetch(row + word_batch + 2, next);
      unsigned both = ~0u;
#pragma unroll
      for (const Piece& piece : rows)
#pragma unroll
        for (const unsigned texel : piece.v) both &= texel;
      if (__all_sync(0xffffffffu, both >= 0xff000000u)) {
        make_opaque_rows(column, row, greatest, rows);
        has_lights = false;
        continue;
      }
      if (!has_lights) {
        before = fold_lights_across(straight.load(rows[1]));
        pair = joined(fold_lights_across(straight.load(rows[0])), before);
        has_lights = true;
      }
#pragma unroll
      for (int i = 0; i < word_batch; i += 2) {
        const FourLights a = fold_lights_across(straight.load(rows[i + 2]));
        column.store<std::uint8_t>(row + i, straight.store(joined(pair, a)));
        const FourLights b = fold_lights_across(straight.load(rows[i + 3]));
        pair = joined(a, b);
        column.store<std::uint8_t>(row + i + 1, straight.store(joined(before, pair)));
        before = b;
      }
    }
  }
}

/// Queues it. @returns false, having done nothing, where the tables have no room.
inline bool run_straight(CudaQueue& card, const WordPass& p, const TexelForm& form, bool greatest) {
  constexpr std::size_t bytes = sizeof(StraightMemory);
  if (bytes > shared_bytes_of_block(card)) return false;
  check(cudaFuncSetAttribute(extremum_straight, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
  const int strips = strips_of(4, p.target);
  const int batches = (p.target.height + word_batch - 1) / word_batch;
  // No fewer batches of a warp than repay the tables.
  const std::int64_t useful = std::int64_t{strips} * batches / (straight_threads / 32 * 4) + 1;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(card.multiprocessors(), useful));
  extremum_straight<<<blocks, straight_threads, bytes, card.stream()>>>(
      p, form.tables.srgb8->decode, form.codes8, strips, batches, greatest);
  check_launch("extremum_straight");
  return true;
}

}  // namespace cuimg::detail
