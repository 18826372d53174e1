// SPDX-License-Identifier: Apache-2.0
// Means of small boxes of 8-bit and half pixels: conversions, columns and rows in one pass.
//
// Sums in double are slow, and few of their bits affect 8 bits or a half. So sums use floats with a
// bounded error. If a result is so close to another code that the bound does not decide, it is
// computed again by the definition: some in a thousand.
#include "stages/filter/box_tiles.h"

#include "kernels/stencil/box_mean.h"
#include "stages/filter/box_codes.cuh"
#include "stages/pass/stored_form.h"
#include "stages/window/form_values.cuh"
#include "stages/window/run_tiles.cuh"

namespace cuimg {
namespace detail {
namespace {

struct Itself {
  __device__ float operator()(float v) const { return v; }
};
struct RunSize {
  __device__ float operator()(float v) const { return __builtin_fabsf(v); }
};
struct Add {
  template <class State>
  __device__ State operator()(State a, State b) const {
    return a + b;
  }
};

// ---- 8 bits, sRGB, straight if there is alpha: boxes that are not square, and all boxes if a
// block's memory has no room for the tables of stages/filter/box_codes.cuh.

struct CodeMemory {
  FoldedTile sums;
  float light[light_of_codes];
  std::uint32_t codes[Srgb8Tables::buckets];
};

/// Marks the codes of a bucket without a threshold.
constexpr std::uint32_t no_threshold = 0x80000000u;

/// The largest error of a quotient of sums in steps, including the definition's: each product with
/// alpha, each sum, each mean and each quotient is rounded. Less than 53, so that no threshold is
/// this close to a value of the next bucket (a test checks this).
__device__ inline unsigned steps_of_error(int rx, int ry) {
  return static_cast<unsigned>(rx + ry + 16);
}

struct CodeBox {
  using Memory = CodeMemory;
  static constexpr int resident = 4;
  static constexpr int rows_together = 16;

  RunPass pass;
  const float* light;          ///< The light of codes.
  const std::uint32_t* codes;  ///< TexelForm::codes8.
  bool has_alpha;
  MeanFold across, down;

  __device__ void ready(Memory& memory) {
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < light_of_codes; i += tile_threads) memory.light[i] = __ldg(light + i);
    for (int i = thread; i < static_cast<int>(Srgb8Tables::buckets); i += tile_threads) {
      const std::uint32_t code = __ldg(codes + i);
      memory.codes[i] = (code & 0xffffu) == 0 ? code | no_threshold : code;
    }
  }

  /// Sums of light times the code of alpha, and of these codes.
  __device__ bool fold_down(int column, int y, int row, Memory& memory) const {
    unsigned texels[rows_together + widest - 1];
    load_texels<rows_together>(pass, column, y, texels);
    const unsigned opaque = has_alpha ? 0 : 0xff000000u;
    const int place = place_at(static_cast<int>(threadIdx.x));
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      float sums[rows_together];
      fold_pairs<rows_together>(
          pass.ry,
          [&](int k) {
            const auto alpha = static_cast<float>((texels[k] | opaque) >> 24);
            return c == 3 ? alpha : memory.light[texels[k] >> (8 * c) & 255u] * alpha;
          },
          Add(), sums);
#pragma unroll
      for (int j = 0; j < rows_together; ++j) memory.sums[c][row + j][place] = sums[j];
    }
    return false;
  }

  /// Called by all threads of a warp. @param x, y of the first pixel, relative to the target's
  /// corner.
  __device__ void finish(const Memory& memory, bool, int row, int four, int x, int y,
                         bool is_there) const {
    unsigned near = 0;  // bit 3 q + c: the code of pixel q's colour c is computed again
    if (is_there) {
      float sums[run], reciprocals[run];
      std::uint32_t codes[run][3], alphas[run];
      fold_run(pass.rx, memory.sums[3][row], four, Itself(), Add(), sums);
      const float one = 1.0f / static_cast<float>((2 * pass.rx + 1) * (2 * pass.ry + 1));
#pragma unroll
      for (int q = 0; q < run; ++q) {
        // Sums of codes are exact, and a mean of an odd number of codes is never halfway between
        // two.
        alphas[q] = bits_of(fma(sums[q], one, 0x1p23f));
        reciprocals[q] = near_reciprocal(sums[q]);
      }
      const unsigned error = steps_of_error(pass.rx, pass.ry);
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        fold_run(pass.rx, memory.sums[c][row], four, Itself(), Add(), sums);
#pragma unroll
        for (int q = 0; q < run; ++q) {
          // NaN, if alpha is 0, becomes the least value. All values from 1 - 2^-10 on have the last
          // code.
          const float light = fminf(fmaxf(sums[q] * reciprocals[q], 0x1.01p-13f), 1 - 0x1p-10f);
          const std::uint32_t bits = bits_of(light);
          codes[q][c] = memory.codes[(bits >> 16) - Srgb8Tables::first_bucket] + bits;
          if ((codes[q][c] + error & (no_threshold | 0xffffu)) < 2 * error)
            near |= 1u << (3 * q + c);
        }
      }
      std::uint32_t texels[run];
#pragma unroll
      for (int q = 0; q < run; ++q) texels[q] = four_bytes<true>(codes[q], alphas[q]);
      pass.store(x, y, texels);
    }
    make_again(memory, near, x, y);
  }

 private:
  /// Processes the colours that threads of the warp need one after the other, with a column for
  /// each lane, colours in the first half of the warp and alpha in the second.
  __device__ void make_again(const Memory& memory, unsigned near, int x, int y) const {
    const int lane = static_cast<int>(threadIdx.x) % 32, column = lane % 16;
    constexpr unsigned all = 0xffffffffu;
#pragma unroll 1
    for (unsigned who; (who = __ballot_sync(all, near != 0)) != 0;) {
      const int first = __ffs(static_cast<int>(who)) - 1;
      const int which = __shfl_sync(all, __ffs(static_cast<int>(near)) - 1, first);
      const int at_x = __shfl_sync(all, x, first) + which / 3, at_y = __shfl_sync(all, y, first);
      const int c = which % 3;
      const int from_x = border_index(pass.columns, pass.target.x + at_x - pass.rx + column);
      const bool is_column = column <= 2 * pass.rx && from_x != BorderAxis::nothing;
      unsigned texels[widest];
      load_texels<1>(pass, is_column ? from_x - pass.left : -1, pass.target.y + at_y - pass.ry,
                     texels);
      double sum = MeanFold::neutral();
#pragma unroll
      for (int k = 0; k < widest; ++k) {
        if (k > 2 * pass.ry) break;
        const float alpha =
            has_alpha ? code_to_float<255>(static_cast<int>(texels[k] >> 24)) : 1.0f;
        const float color = memory.light[texels[k] >> (8 * c) & 255u] * alpha;
        sum += static_cast<double>(lane < 16 ? color : alpha);
      }
      const float mean = down.store(sum);
      sum = MeanFold::neutral();
#pragma unroll 1
      for (int k = 0; k <= 2 * pass.rx; ++k)
        sum += static_cast<double>(__shfl_sync(all, mean, (lane & 16) + k));
      const float made = across.store(sum), alpha = __shfl_sync(all, made, 16);
      float color = __shfl_sync(all, made, 0);
      if (has_alpha) color = color_over_alpha(color, alpha, reciprocal_of(alpha));
      if (lane != first) continue;
      near &= near - 1;
      const std::uint32_t bits = bits_of(fmaxf(within_one(color), 0x1.01p-13f));
      const std::uint32_t code = memory.codes[(bits >> 16) - Srgb8Tables::first_bucket] + bits;
      if (at_x < pass.target.width)
        pass.to.store(at_x * 4 + c, at_y, static_cast<std::uint8_t>(code >> 16));
    }
  }
};

// ---- Halves.

struct HalfBox {
  struct Memory {
    FoldedTile means;
  };
  static constexpr int resident = 4;
  static constexpr int rows_together = 8;

  RunPass pass;
  MeanFold across, down;

  __device__ void ready(Memory&) {}

  /// The columns' means. Sums of halves are exact in double, in any order.
  /// @returns whether one is NaN or negative.
  __device__ bool fold_down(int column, int y, int row, Memory& memory) const {
    uint2 texels[rows_together + widest - 1];
    load_texels<rows_together>(pass, column, y, texels);
    const int place = place_at(static_cast<int>(threadIdx.x));
    bool is_special = false;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      double sums[rows_together];
      fold_pairs<rows_together>(
          pass.ry,
          [&](int k) {
            return static_cast<double>(
                number_of(half_of(c < 2 ? texels[k].x : texels[k].y, c & 1)));
          },
          Add(), sums);
#pragma unroll
      for (int j = 0; j < rows_together; ++j) {
        const float mean = down.store(sums[j]);
        is_special = is_special || bits_of(mean) > 0x7f800000u;
        memory.means[c][row + j][place] = mean;
      }
    }
    return is_special;
  }

  __device__ void finish(const Memory& memory, bool is_plain, int row, int four, int x, int y,
                         bool is_there) const {
    if (!is_there) return;
    std::uint32_t near = 0;  // bit 4 q + c: channel c of pixel q is computed again
    std::uint32_t halves[4][run];
    const float one = 1.0f / static_cast<float>(2 * pass.rx + 1);
    // The errors of sums, of the mean, and of the definition's roundings, in steps of 2^-23.
    const float error = static_cast<float>((pass.rx + 9) / 2) * 0x1p-23f;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      float sums[run], sizes[run];
      fold_run(pass.rx, memory.means[c][row], four, Itself(), Add(), sums);
      if (!is_plain) fold_run(pass.rx, memory.means[c][row], four, RunSize(), Add(), sizes);
#pragma unroll
      for (int q = 0; q < run; ++q) {
        const float mean = sums[q] * one, most = (is_plain ? mean : sizes[q] * one) * error;
        const std::uint32_t both = halves_of(mean - most, mean + most);
        halves[c][q] = both & 0xffffu;
        if (both >> 16 != halves[c][q] || mean != mean) near |= 1u << (4 * q + c);
      }
    }
    uint2 texels[run];
#pragma unroll
    for (int q = 0; q < run; ++q)
      texels[q] = {halves[0][q] | halves[1][q] << 16, halves[2][q] | halves[3][q] << 16};
    pass.store(x, y, texels);
#pragma unroll 1
    for (; near != 0; near &= near - 1) {
      const int which = __ffs(static_cast<int>(near)) - 1, q = which / 4, c = which % 4;
      double sum = MeanFold::neutral();
#pragma unroll 1
      for (int k = 0; k <= 2 * pass.rx; ++k)
        sum += static_cast<double>(memory.means[c][row][place_at(4 * four + q + k)]);
      if (x + q < pass.target.width)
        pass.to.store((x + q) * 8 + 2 * c, y, float_to_half(across.store(sum)).bits);
    }
  }
};

}  // namespace
}  // namespace detail

bool box_in_tiles(CudaQueue& card, const BoxPlan& plan, const Frame& source, const Frame& target) {
  using namespace detail;
  const int rx = plan.across.radius, ry = plan.down.radius;
  // Runs of a row are stored, which is slow for an array.
  if (target.card().is_array() || source.stored_form() == nullptr ||
      target.stored_form() == nullptr || source.format().stored_channels() != 4 ||
      !suits_tiles(rx, ry, target))
    return false;
  const FormKind kind = source.stored_form()->kind();
  if (kind != target.stored_form()->kind()) return false;
  const RunPass pass = run_pass_of(plan.borders, rx, ry, source.as_stored(), target.as_stored());
  const MeanFold across = mean_of(plan.across), down = mean_of(plan.down);
  if (kind == FormKind::half) {
    run_in_runs(card, "box_tiles", HalfBox{pass, across, down});
    return true;
  }
  const TexelForm from = source.stored_form()->on(card), to = target.stored_form()->on(card);
  if (kind != FormKind::srgb8 || from.has_alpha != to.has_alpha) return false;
  if (box_of_codes_on_card(card, pass, from, across)) return true;
  run_in_runs(card, "box_tiles",
              CodeBox{pass, from.tables.srgb8->decode, to.codes8, from.has_alpha, across, down});
  return true;
}

}  // namespace cuimg
