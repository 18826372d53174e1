// SPDX-License-Identifier: Apache-2.0
// Float pixels made twice as large by the texture unit's rule, in arithmetic: a thread makes the
// four results of each cell of four texels, down a few rows. The unit itself filters one float4 a
// clock and multiprocessor, which takes longer than writing the target does.
#include <algorithm>

#include "device/cuda/cuda_limits.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/target.h"
#include "kernels/texture/texture_doubling.h"
#include "kernels/texture/texture_unit.h"
#include "stages/pass/stored_pixels.cuh"
#include "stages/resample/resize_cuda.h"

namespace cuimg {
namespace {

constexpr int warps = 4;
constexpr int cells_across = 32;  // of a warp
template <class Target>
constexpr int cell_rows = 2;  // of a thread
// The codes of light, which a block copies, want more of them.
template <int N, FormKind kind>
constexpr int cell_rows<FormTarget<N, kind>> = 32;

// Whether a source's texels are decoded from integers, so that none is below 0 or special.
template <class Source>
constexpr bool is_of_codes = false;
template <>
constexpr bool is_of_codes<FormRows<4, FormKind::srgb8>> = true;
template <>
constexpr bool is_of_codes<FormRows<4, FormKind::srgb16>> = true;
// Whether a target's texels are short enough for a thread to store a cell's by itself.
template <class Target>
constexpr bool is_narrow = false;
template <FormKind kind>
constexpr bool is_narrow<FormTarget<4, kind>> = kind != FormKind::any;

// Where a row's pixels lie until the warp stores them side by side: left results, then right ones,
// some places apart so that neither stores nor loads of a quarter warp meet in a bank.
constexpr int right_results = cells_across + 4;

template <int N, int lines = 2>
using Staged = Pixel<N>[lines][right_results + cells_across];

// Special values are rare: out of the way of the rest, which stays in registers.
__device__ __noinline__ float result_by_definition(float t00, float t10, float t01, float t11,
                                                   int column, int row) {
  return linear_2d_taps<float, 1>(
             AxisTaps{0, 1, column == 0 ? 64 : 192}, AxisTaps{0, 1, row == 0 ? 64 : 192},
             [&](int x, int y) {
               return Texel<float, 1>{{y == 0 ? (x == 0 ? t00 : t10) : (x == 0 ? t01 : t11)}};
             })
      .v[0];
}

template <int N>
using CellResults = Pixel<N>[2][2];  // of rows and columns

/// @tparam Cell DoublingCell or PositiveDoublingCell.
template <class Cell, int N>
__device__ bool make_results(const Pixel<N>& t00, const Pixel<N>& t10, const Pixel<N>& t01,
                             const Pixel<N>& t11, CellResults<N>& results) {
  bool holds = true;
#pragma unroll
  for (int c = 0; c < N; ++c) {
    const float a = t00.v[c], b = t10.v[c], d = t01.v[c], e = t11.v[c];
    if constexpr (std::is_same_v<Cell, DoublingCell>) holds &= CutTexels::holds(a, b, d, e);
    const Cell cell(a, b, d, e);
#pragma unroll
    for (int row = 0; row < 2; ++row)
#pragma unroll
      for (int column = 0; column < 2; ++column)
        results[row][column].v[c] = cell.result(column, row);
  }
  return holds;
}

// The four results of a cell, into the lines that the warp shares.
template <int N>
__device__ void make_cell(const Pixel<N>& t00, const Pixel<N>& t10, const Pixel<N>& t01,
                          const Pixel<N>& t11, Pixel<N> (*staged)[right_results + cells_across],
                          int lane) {
  CellResults<N> results;
  const bool holds = make_results<DoublingCell>(t00, t10, t01, t11, results);
#pragma unroll
  for (int row = 0; row < 2; ++row)
#pragma unroll
    for (int column = 0; column < 2; ++column)
      staged[row][column * right_results + lane] = results[row][column];
  if (holds) return;
#pragma unroll
  for (int c = 0; c < N; ++c)
    for (int i = 0; i < 4; ++i)
      staged[i >> 1][(i & 1) * right_results + lane].v[c] =
          result_by_definition(t00.v[c], t10.v[c], t01.v[c], t11.v[c], i & 1, i >> 1);
}

// Two texels side by side.
struct alignas(8) PairOfBytes {
  std::uint32_t left, right;
};
struct alignas(16) PairOfShorts {
  uint2 left, right;
};
__device__ inline PairOfBytes pair_of(std::uint32_t left, std::uint32_t right) {
  return {left, right};
}
__device__ inline PairOfShorts pair_of(const uint2& left, const uint2& right) {
  return {left, right};
}
__device__ inline std::uint32_t from_lane(std::uint32_t word, int lane) {
  return __shfl_sync(0xffffffffu, word, lane);
}
__device__ inline uint2 from_lane(const uint2& words, int lane) {
  return {from_lane(words.x, lane), from_lane(words.y, lane)};
}
// Where a lane stores rows of its cell, two texels from column x on, counted from the target's
// left. They go to memory in pairs that are aligned: where x is odd, which it is for all lanes or
// none, the right one and the next lane's left one.
template <class Target>
class CellColumns {
  using Word = typename Target::Word;

 public:
  __device__ CellColumns(const Target& target, int x, int lane)
      : x_(x), width_(target.width), lane_(lane), is_odd_((x & 1) != 0) {
    const int first = is_odd_ ? x + 1 : x;
    is_pair_ = (!is_odd_ || lane < 31) && first >= 0 && first + 1 < width_;
    has_rest_ = !is_pair_ || (is_odd_ && lane == 0);
  }
  /// All lanes of a warp together.
  __device__ void store(const Target& target, int y, const Word& left, const Word& right) const {
    const Word next = is_odd_ ? from_lane(left, lane_ + 1) : right;
    if (y < 0 || y >= target.height) return;
    if (is_pair_)
      store_at(target, x_ + (is_odd_ ? 1 : 0), y, pair_of(is_odd_ ? right : left, next));
    if (has_rest_) store_rest(target, y, left, right, next);
  }

 private:
  template <class Words>
  __device__ static void store_at(const Target& target, int column, int y, const Words& words) {
    target.memory.store_streaming(column * static_cast<int>(sizeof(Word)), y, words);
  }
  // At the ends of a row, and of a warp: what is in no pair.
  __device__ void store_rest(const Target& target, int y, const Word& left, const Word& right,
                             const Word& next) const {
    const auto store_alone = [&](int column, const Word& word) {
      if (column >= 0 && column < width_) store_at(target, column, y, word);
    };
    if (!is_odd_ || lane_ == 0) store_alone(x_, left);
    if (is_pair_) return;
    store_alone(x_ + 1, right);
    if (is_odd_ && lane_ < 31) store_alone(x_ + 2, next);
  }

  int x_, width_, lane_;
  bool is_odd_, is_pair_, has_rest_;
};

struct NoPlace {
  template <class Target>
  __device__ NoPlace(const Target&, int, int) {}
};
template <class Target>
using CellPlace = std::conditional_t<is_narrow<Target>, CellColumns<Target>, NoPlace>;

template <int N, class Source, class Target>
__global__ void __launch_bounds__(32 * warps, 6)
    double_cells(Source source, Target target, DoubledAxis columns, DoubledAxis rows) {
  // An array's sectors hold an even row and the next one. Where a cell begins with an odd row, its
  // lower one waits for the next cell's upper one.
  constexpr bool array = is_in_array<Target>, narrow = is_narrow<Target>;
  __shared__ Staged<N, array ? 3 : 2> staged_of[narrow ? 1 : warps];
  __shared__ float light[shared_for_loads<Source>];
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  ready_loads(source, light, static_cast<int>(threadIdx.x), 32 * warps);
  ready_stores(target, codes, static_cast<int>(threadIdx.x), 32 * warps);
  if constexpr (shared_for_loads < Source >> 1) __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int first = (static_cast<int>(blockIdx.x) * warps + warp) * cells_across;
  const int begin = static_cast<int>(blockIdx.y) * cell_rows<Target>;
  const int waits = array ? rows.first & 1 : 0;
  const int end = min(begin + cell_rows<Target>, rows.cells) + waits;
  auto& staged = staged_of[narrow ? 0 : warp];
  // Past the source's edges its last texels repeat, and a warp's surplus cells too.
  const int left = source.left + min(max(columns.low + first + lane, 0), source.width - 1);
  const int right = source.left + min(max(columns.low + first + lane + 1, 0), source.width - 1);
  const auto texel_row = [&](int i) {
    return source.top + min(max(rows.low + i, 0), source.height - 1);
  };
  const CellPlace<Target> place(target, columns.first + 2 * (first + lane), lane);
  Pixel<N> t00 = load(source, left, texel_row(begin)), t10 = load(source, right, texel_row(begin));
  Pixel<N> t01 = load(source, left, texel_row(begin + 1));
  Pixel<N> t11 = load(source, right, texel_row(begin + 1));
  for (int i = begin; i < end; ++i) {
    // The next row is under way while this one is worked on.
    const int next = texel_row(min(i + 2, end));
    const auto next_left = fetch(source, left, next), next_right = fetch(source, right, next);
    const int top = rows.first + 2 * i - waits;
    if constexpr (narrow) {
      using Cell = std::conditional_t<is_of_codes<Source>, PositiveDoublingCell, DoublingCell>;
      CellResults<N> results;
      if (!make_results<Cell>(t00, t10, t01, t11, results)) {
#pragma unroll
        for (int c = 0; c < N; ++c)
#pragma unroll
          for (int part = 0; part < 4; ++part)
            results[part >> 1][part & 1].v[c] =
                result_by_definition(t00.v[c], t10.v[c], t01.v[c], t11.v[c], part & 1, part >> 1);
      }
      __syncwarp();
#pragma unroll
      for (int row = 0; row < 2; ++row)
        place.store(target, top + row, target.encoded(results[row][0]),
                    target.encoded(results[row][1]));
    } else {
      make_cell(t00, t10, t01, t11, staged + waits, lane);
      __syncwarp();
      constexpr int across = array ? 16 : 32;
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int row = array ? lane >> 4 : part >> 1;
        const int at = (array ? part : part & 1) * across + (lane & (across - 1));
        const int x = target.left + columns.first + 2 * first + at, y = target.top + top + row;
        if (target.contains(x, y) && (waits == 0 || i > begin))
          target.store_streaming(x, y, staged[row][(at & 1) * right_results + (at >> 1)]);
      }
      __syncwarp();
      if (waits != 0)
        for (const int side : {0, right_results}) staged[0][side + lane] = staged[2][side + lane];
    }
    t00 = t01;
    t10 = t11;
    t01 = decoded(source, next_left);
    t11 = decoded(source, next_right);
  }
}

template <int N>
void double_on_cuda(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                    const Frame& source, const Frame& target) {
  const int across = warps * cells_across;
  with_pixels<N>(card, source, target, [&](const auto& texels, const auto& pixels) {
    constexpr int high = cell_rows<std::decay_t<decltype(pixels)>>;
    const dim3 grid(static_cast<unsigned>((columns.cells + across - 1) / across),
                    static_cast<unsigned>((rows.cells + high - 1) / high));
    double_cells<N><<<grid, 32 * warps, 0, card.stream()>>>(texels, pixels, columns, rows);
  });
  check_launch("double_cells");
}

}  // namespace

std::optional<DoubledAxis> doubled_axis(const std::vector<int>& fixed) {
  const auto fraction = [&](std::size_t i) { return fixed[i] & 255; };
  if (fixed.empty() || (fraction(0) != 64 && fraction(0) != 192)) return std::nullopt;
  for (std::size_t i = 1; i < fixed.size(); ++i)
    if (fixed[i] != fixed[i - 1] + 128) return std::nullopt;
  const int low = fixed.front() >> 8, cells = (fixed.back() >> 8) - low + 1;
  if (cells >= most_blocks_down * cell_rows<PixelTarget<4, RowMemory>>) return std::nullopt;
  return DoubledAxis{low, fraction(0) == 64 ? 0 : -1, cells};
}

void double_on_cuda(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                    const Frame& source, const Frame& target) {
  with_stored_channels(source.format().stored_channels(),
                       [&](auto n) { double_on_cuda<n()>(card, columns, rows, source, target); });
}

}  // namespace cuimg
