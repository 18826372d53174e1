// SPDX-License-Identifier: Apache-2.0
// Means of square boxes of 8-bit pixels, sRGB, straight if there is alpha. Some of a block's warps
// slide sums of light times alpha down columns, with one thread for each. Others slide along rows,
// some rows behind, and store codes that certainly equal the definition's. Sums of integers remain
// exact however far they slide. The few doubtful codes are listed, and at the end all threads
// together compute them by the definition.
#pragma once

#include "device/cuda/cuda_instructions.cuh"
#include "stages/filter/box_defined.cuh"
#include "stages/filter/box_doubt.h"
#include "stages/window/form_values.cuh"
#include "stages/window/lane_table.cuh"
#include "stages/window/run_tiles.cuh"

namespace cuimg::detail {

constexpr int code_columns = 256;  // one thread for each
// a window with a radius of 5 has this many rows, one for each warp
constexpr int mixing_warps = 11;
constexpr int code_threads = code_columns + 32 * mixing_warps;

/// A block's part of the target: chunks of rows of a strip.
struct ChunksOfStrip {
  int left, top, count;
};

/// Values that are hidden from the compiler: so it multiplies by them, for which the card has
/// capacity, instead of shifting and adding, of which the kernel already has most.
struct CodeFactors {
  unsigned four = 4;
  /// Only the upper half of a product is kept.
  unsigned of_columns = 1u << (32 - column_bits_lost);
};

template <int R>
struct BoxOfCodes {
  static constexpr int window = 2 * R + 1;
  /// The width of a strip in pixels.
  static constexpr int wide = (code_columns - 2 * R) / run * run;
  /// Rows between two barriers: a ring of a window's rows, so that indices into it are constant.
  static constexpr int turns = window > mixing_warps ? 1 : mixing_warps / window;
  static constexpr int chunk = turns * window;

  struct Memory {
    LaneTable<std::uint32_t> light;
    alignas(16) std::uint32_t sums[2][4][chunk][code_columns];
    std::uint32_t codes[place_buckets];
    DoubtList doubts;
  };

  RunPass pass;
  BoxByDefinition<R> defined;
  int chunks;  ///< Chunks of a strip.
  int strips;
  CodeFactors factors;

  /// The block's first chunk, or the one after its last: all blocks process equally many, down one
  /// strip and then the next.
  __device__ int first_chunk(unsigned block) const {
    return static_cast<int>(std::int64_t{strips} * chunks * block / gridDim.x);
  }
  /// Calls use(part) with each part of the block's share.
  template <class Use>
  __device__ void for_parts(const Use& use) const {
    const int last = first_chunk(blockIdx.x + 1);
#pragma unroll 1
    for (int first = first_chunk(blockIdx.x); first < last;) {
      const int count = min(last - first, chunks - first % chunks);
      use(ChunksOfStrip{first / chunks * wide, first % chunks * chunk, count});
      first += count;
    }
  }

  /// Called by the thread of a column. Row k of a chunk completes the sums of that row of the
  /// target.
  __device__ void add_columns(const ChunksOfStrip& part, int& buffer, Memory& memory) const {
    const int thread = static_cast<int>(threadIdx.x);
    const int column = defined.column_at(pass.target.x + part.left - R + thread);
    const unsigned which = defined.has_alpha ? 0x7773 : 0x7774;
    const auto alpha_of = [&](std::uint32_t texel) -> std::uint32_t {
#if defined(__CUDA_ARCH__)
      return __byte_perm(texel, 255, which);
#else
      return which == 0x7773 ? texel >> 24 : 255;
#endif
    };
    const unsigned lane = 4 * (threadIdx.x & 31);
    const auto* const light = reinterpret_cast<const char*>(memory.light);
    const int place = place_at(thread);
    constexpr std::uint32_t rounding = 1u << (column_bits_lost - 1);
    std::uint32_t ring[4][window] = {}, sums[4] = {rounding, rounding, rounding, 0};
    const auto look_up = [&](std::uint32_t texel, std::uint32_t(&lights)[3]) {
#pragma unroll
      for (int c = 0; c < 3; ++c)
        lights[c] = *reinterpret_cast<const std::uint32_t*>(light + place_of_code(texel, c, lane));
    };
    const auto slide = [&](std::uint32_t texel, const std::uint32_t(&lights)[3], int k) {
      const std::uint32_t alpha = alpha_of(texel);
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const std::uint32_t value = c < 3 ? alpha * lights[c] : alpha;
        sums[c] += value - ring[c][k];
        ring[c][k] = value;
      }
    };
    int y = pass.target.y + part.top - R - 1;
    std::uint32_t next[window];
    const auto fetch = [&] {
      defined.load_column(column, y, next);
      y += window;
    };
    fetch();
    std::uint32_t texels[window], ahead[3];
    // A row's light is read before the last row's sums are stored: the compiler would not move the
    // reads of one row before the stores of another. Short windows do not read from the next one,
    // whose texels arrive too late.
    constexpr bool is_long = window >= 7;
    if (is_long) look_up(next[0], ahead);
    const auto turn = [&](const auto& after_each) {
#pragma unroll
      for (int k = 0; k < window; ++k) texels[k] = next[k];
      if (!is_long) look_up(texels[0], ahead);
#pragma unroll
      for (int k = 0; k < window; ++k) {
        if (k == window / 2) fetch();  // registers have no room for more rows
        std::uint32_t lights[3];
#pragma unroll
        for (int c = 0; c < 3; ++c) lights[c] = ahead[c];
        if (k + 1 < window)
          look_up(texels[k + 1], ahead);
        else if (is_long)
          look_up(next[0], ahead);
        slide(texels[k], lights, k);
        after_each(k);
      }
    };
    turn([](int) {});
#pragma unroll 1
    for (int i = 0; i < part.count; ++i) {
#pragma unroll 1
      for (int first = 0; first < chunk; first += window) {
        auto& to = memory.sums[buffer];
        turn([&](int k) {
#pragma unroll
          for (int c = 0; c < 4; ++c) to[c][first + k][place] = c < 3 ? short_of(sums[c]) : sums[c];
        });
      }
      buffer ^= 1;
      meet<code_threads>();
    }
  }

  __device__ std::uint32_t short_of(std::uint32_t column) const {
#if defined(__CUDA_ARCH__)
    return __umulhi(column, factors.of_columns);
#else
    return column >> column_bits_lost;
#endif
  }

  /// Called by the warp of a row, with a run of pixels for each lane.
  __device__ void mix_rows(const ChunksOfStrip& part, int& buffer, Memory& memory) const {
    const int lane = static_cast<int>(threadIdx.x) & 31;
    const int first = (static_cast<int>(threadIdx.x) - code_columns) / 32;
    const int x = part.left + lane * run;
    const bool is_there = lane * run < wide && x < pass.target.width;
#pragma unroll 1
    for (int i = 0; i < part.count; ++i) {
      meet<code_threads>();
#pragma unroll 1
      for (int row = first; row < chunk; row += mixing_warps) {
        const int y = part.top + i * chunk + row;
        if (is_there && y < pass.target.height) make_run(memory, buffer, row, lane, x, y);
      }
      buffer ^= 1;
    }
  }

 private:
  /// Sums of the windows of a lane's run.
  __device__ static void fold_along(const std::uint32_t (&row)[code_columns], int lane,
                                    std::uint32_t (&sums)[run]) {
    constexpr int fours = (run + 2 * R + 3) / 4;
    std::uint32_t values[4 * fours];
#pragma unroll
    for (int i = 0; i < fours; ++i) {
      const int four = lane * (run / 4) + i;
      const uint4 v = *reinterpret_cast<const uint4*>(&row[4 * four_at(four)]);
      values[4 * i] = v.x, values[4 * i + 1] = v.y;
      values[4 * i + 2] = v.z, values[4 * i + 3] = v.w;
    }
    sums[0] = values[0];
#pragma unroll
    for (int k = 1; k < window; ++k) sums[0] += values[k];
#pragma unroll
    for (int q = 1; q < run; ++q) sums[q] = sums[q - 1] + values[q + 2 * R] - values[q - 1];
  }
  /// The table's entry for the bucket of a place.
  __device__ std::uint32_t entry_of(const Memory& memory, float place) const {
#if defined(__CUDA_ARCH__)
    // Not a shift, which the compiler would turn into one by 14 and a mask.
    const unsigned bucket = __byte_perm(bits_of(place), 0, 0x4432);
    const char* const first = reinterpret_cast<const char*>(memory.codes) - 4 * first_place_bucket;
    return *reinterpret_cast<const std::uint32_t*>(first + factors.four * bucket);
#else
    return memory.codes[place_bucket(place)];
#endif
  }
  __device__ void make_run(Memory& memory, int buffer, int row, int lane, int x, int y) const {
    std::uint32_t sums[run], alphas[run], colors[run][3];
    float per_alpha[run];
    unsigned doubtful = 0;  // bit 3 q + c
    bool is_enough = true;
    fold_along(memory.sums[buffer][3][row], lane, sums);
    constexpr float one = 1.0f / (window * window);
#pragma unroll
    for (int q = 0; q < run; ++q) {
      // Sums of codes are exact, and a mean of an odd number of codes is never halfway between two.
      alphas[q] = bits_of(fma(static_cast<float>(sums[q]), one, 0x1p23f));
      // Without alpha the colour is also 0.
      per_alpha[q] = near_reciprocal(fmaxf(static_cast<float>(sums[q]), 1.0f)) * per_alpha_scale;
      is_enough = is_enough && is_alpha_enough(sums[q], window);
    }
    if (!is_enough) {
#pragma unroll
      for (int q = 0; q < run; ++q)
        if (!is_alpha_enough(sums[q], window)) doubtful |= 7u << (3 * q);
    }
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      fold_along(memory.sums[buffer][c][row], lane, sums);
#pragma unroll
      for (int q = 0; q < run; ++q) {
        const float place = place_of_light(static_cast<float>(sums[q]), per_alpha[q]);
        colors[q][c] = sum_of_place(entry_of(memory, place), place);
        if (is_place_in_doubt(colors[q][c], place)) doubtful |= 1u << (3 * q + c);
      }
    }
    std::uint32_t texels[run];
#pragma unroll
    for (int q = 0; q < run; ++q) texels[q] = four_bytes<true>(colors[q], alphas[q]);
    pass.store(x, y, texels);
#pragma unroll 1
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const int which = __ffs(static_cast<int>(doubtful)) - 1, at = x + which / 3;
      if (at >= pass.target.width) break;
      defined.note(memory.doubts, {at, y, which % 3});
    }
  }
};

template <int R>
__global__ void __launch_bounds__(code_threads, 1) box_of_codes(BoxOfCodes<R> box) {
  extern __shared__ double shared_memory[];
  auto& memory = *reinterpret_cast<typename BoxOfCodes<R>::Memory*>(shared_memory);
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < 256 * 32; i += code_threads)
    memory.light[i / 32][i % 32] = whole_light(__ldg(box.defined.tables->decode + i / 32));
  for (int i = thread; i < place_buckets; i += code_threads)
    memory.codes[i] = place_entry(box.defined.tables->encode, i);
  if (thread == 0) memory.doubts.count = 0;
  __syncthreads();
  int buffer = 0;
  if (thread < code_columns)
    box.for_parts([&](const auto& part) { box.add_columns(part, buffer, memory); });
  else
    box.for_parts([&](const auto& part) { box.mix_rows(part, buffer, memory); });
  __syncthreads();
  box.defined.settle(memory.doubts, thread, code_threads);
}

template <int R>
bool run_box_of_codes(CudaQueue& card, const RunPass& pass, const TexelForm& form,
                      const MeanFold& mean) {
  using Box = BoxOfCodes<R>;
  constexpr std::size_t bytes = sizeof(typename Box::Memory);
  if (bytes > shared_bytes_of_block(card)) return false;
  check(cudaFuncSetAttribute(box_of_codes<R>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
  const int chunks = (pass.target.height + Box::chunk - 1) / Box::chunk;
  const int strips = (pass.target.width + Box::wide - 1) / Box::wide;
  // Each block must have enough chunks to repay its tables.
  const std::int64_t useful = std::int64_t{strips} * chunks / 8 + 1;
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(card.multiprocessors(), useful));
  box_of_codes<R><<<blocks, code_threads, bytes, card.stream()>>>(
      Box{pass, {pass, form.tables.srgb8, form.has_alpha, mean}, chunks, strips, {}});
  check_launch("box_of_codes");
  return true;
}

/// Queues the means of a square box. @returns false, having done nothing, if the block's memory or
/// the registers have no room.
inline bool box_of_codes_on_card(CudaQueue& card, const RunPass& pass, const TexelForm& form,
                                 const MeanFold& mean) {
  switch (pass.rx == pass.ry ? pass.rx : 0) {
    case 1:
      return run_box_of_codes<1>(card, pass, form, mean);
    case 2:
      return run_box_of_codes<2>(card, pass, form, mean);
    case 3:
      return run_box_of_codes<3>(card, pass, form, mean);
    case 4:
      return run_box_of_codes<4>(card, pass, form, mean);
    case 5:
      return run_box_of_codes<5>(card, pass, form, mean);
    default:
      return false;
  }
}

}  // namespace cuimg::detail
