// SPDX-License-Identifier: Apache-2.0
// Float pixels enlarged twofold by the texture unit's rule, in arithmetic: a thread computes the
// four results of each cell of four texels, down a few rows. The unit itself filters one float4 per
// clock and multiprocessor, which takes longer than writing the target.
#include <algorithm>

#include "device/cuda/cuda_limits.h"
#include "kernels/math/dispatch.h"
#include "kernels/texture/target.h"
#include "kernels/texture/texture_doubling.h"
#include "stages/pass/row_pairs.cuh"
#include "stages/pass/stored_pixels.cuh"
#include "stages/resample/resize_doubled.cuh"

namespace cuimg {
namespace {

constexpr int warps = 4;
constexpr int cells_across = 32;  // of a warp

// Whether a source's texels are decoded from integers: then none is negative, infinite or NaN.
template <class Source>
constexpr bool is_of_codes = false;
template <>
constexpr bool is_of_codes<FormRows<4, FormKind::srgb8>> = true;
template <>
constexpr bool is_of_codes<FormRows<4, FormKind::srgb16>> = true;
// Each lane decodes only the left texel of its cell and receives the right one from the next lane.
// So the last lane has no cell.
template <class Source>
constexpr int cells_of_warp = is_of_codes<Source> ? 31 : cells_across;
// The rows of cells that a thread processes. For an array it processes one more, because half of a
// cell's rows may be stored later.
template <class Source, class Target>
constexpr int cell_rows = is_of_codes<Source>   ? 32
                          : is_in_array<Target> ? 4
                                                : 2;
// A block copies the table of codes, which is only worthwhile if it makes many rows.
template <class Source, int N, FormKind kind>
constexpr int cell_rows<Source, FormTarget<N, kind>> = 32;

// Whether a target's texels are narrow: then each thread stores its cell's results directly.
template <class Target>
constexpr bool is_narrow = false;
template <FormKind kind>
constexpr bool is_narrow<FormTarget<4, kind>> = kind != FormKind::any;

// Shared memory for a row's pixels until the warp stores them together: all left results, then all
// right ones. The gap between them avoids bank conflicts when a quarter warp stores or loads.
constexpr int right_results = cells_across + 4;

template <int N>
using Staged = Pixel<N>[2][right_results + cells_across];

template <int N>
using CellResults = Pixel<N>[4];  // two in the upper row, then two in the lower row

/// @tparam codes whether texels are decoded from integers and results are stored as integers.
template <bool codes, int N>
__device__ bool make_results(const Pixel<N>& t00, const Pixel<N>& t10, const Pixel<N>& t01,
                             const Pixel<N>& t11, CellResults<N>& results) {
  bool holds = true;
  const auto make = [&]<class Cell>(std::type_identity<Cell>, int c) {
    const Cell cell(t00.v[c], t10.v[c], t01.v[c], t11.v[c]);
#pragma unroll
    for (int i = 0; i < 4; ++i) results[i].v[c] = cell.result(i & 1, i >> 1);
  };
#pragma unroll
  for (int c = 0; c < N; ++c) {
    if constexpr (!codes) {
      holds &= CutTexels::holds(t00.v[c], t10.v[c], t01.v[c], t11.v[c]);
      make(std::type_identity<DoublingCell>(), c);
    } else if (c < N - 1) {
      make(std::type_identity<PositiveDoublingCell<false>>(), c);
    } else {
      make(std::type_identity<PositiveDoublingCell<true>>(), c);
    }
  }
  return holds;
}

// The four results of a cell.
template <bool codes, int N>
__device__ void make_cell(const Pixel<N>& t00, const Pixel<N>& t10, const Pixel<N>& t01,
                          const Pixel<N>& t11, CellResults<N>& results) {
  if (make_results<codes>(t00, t10, t01, t11, results)) return;
#pragma unroll
  for (int c = 0; c < N; ++c)
#pragma unroll
    for (int part = 0; part < 4; ++part)
      results[part].v[c] =
          doubled_by_definition(t00.v[c], t10.v[c], t01.v[c], t11.v[c], part & 1, part >> 1);
}

// Two adjacent texels.
struct alignas(8) PairOfBytes {
  std::uint32_t left, right;
};
struct alignas(16) PairOfShorts {
  uint2 left, right;
};
__device__ inline PairOfBytes joined_pair(std::uint32_t left, std::uint32_t right) {
  return {left, right};
}
__device__ inline PairOfShorts joined_pair(const uint2& left, const uint2& right) {
  return {left, right};
}
__device__ inline std::uint32_t from_lane(std::uint32_t word, int lane) {
  return __shfl_sync(0xffffffffu, word, lane);
}
__device__ inline uint2 from_lane(const uint2& words, int lane) {
  return {from_lane(words.x, lane), from_lane(words.y, lane)};
}
// Where a lane stores the rows of its cell: two texels from column x on, counted from the target's
// left. Texels are stored in aligned pairs. If x is odd, which it is for all lanes or for none, a
// pair consists of the lane's right texel and the next lane's left texel.
template <class Target>
class CellColumns {
  using Word = typename Target::Word;

 public:
  /// @param last the lane of the warp's last cell.
  __device__ CellColumns(const Target& target, int x, int lane, int last)
      : x_(x),
        width_(lane <= last ? target.width : 0),
        lane_(lane),
        last_(last),
        is_odd_((x & 1) != 0) {
    const int first = is_odd_ ? x + 1 : x;
    is_pair_ = (!is_odd_ || lane < last) && first >= 0 && first + 1 < width_;
    has_rest_ = lane <= last && (!is_pair_ || (is_odd_ && lane == 0));
  }
  /// All lanes of a warp must call it.
  __device__ void store(const Target& target, int y, const Word& left, const Word& right) const {
    const Word next = is_odd_ ? from_lane(left, lane_ + 1) : right;
    if (y < 0 || y >= target.height) return;
    if (is_pair_)
      store_at(target, x_ + (is_odd_ ? 1 : 0), y, joined_pair(is_odd_ ? right : left, next));
    if (has_rest_) store_rest(target, y, left, right, next);
  }

 private:
  template <class Words>
  __device__ static void store_at(const Target& target, int column, int y, const Words& words) {
    target.memory.store_streaming(column * static_cast<int>(sizeof(Word)), y, words);
  }
  // Stores the texels that are in no pair, at the ends of a row and of a warp.
  __device__ void store_rest(const Target& target, int y, const Word& left, const Word& right,
                             const Word& next) const {
    const auto store_alone = [&](int column, const Word& word) {
      if (column >= 0 && column < width_) store_at(target, column, y, word);
    };
    if (!is_odd_ || lane_ == 0) store_alone(x_, left);
    if (is_pair_) return;
    store_alone(x_ + 1, right);
    if (is_odd_ && lane_ < last_) store_alone(x_ + 2, next);
  }

  int x_, width_, lane_, last_;
  bool is_odd_, is_pair_, has_rest_;
};

struct NoPlace {
  template <class Target>
  __device__ NoPlace(const Target&, int, int, int) {}
};
template <class Target>
using CellPlace = std::conditional_t<is_narrow<Target>, CellColumns<Target>, NoPlace>;

// The two neighbouring texels of a cell in one row, not yet decoded.
template <class Source>
struct CellTexels {
  FetchedTexel<Source> left, right;
};
template <class Source>
__device__ CellTexels<Source> fetch_cell_row(const Source& source, int left, int right, int y) {
  if constexpr (is_of_codes<Source>)
    return {fetch(source, left, y), {}};
  else
    return {fetch(source, left, y), fetch(source, right, y)};
}
// @param next the lane of the cell to the right.
template <class Source, int N>
__device__ void decode_cell_row(const Source& source, const CellTexels<Source>& texels, int next,
                                Pixel<N>& left, Pixel<N>& right) {
  left = decoded(source, texels.left);
  if constexpr (is_of_codes<Source>) {
#pragma unroll
    for (int c = 0; c < N; ++c) right.v[c] = __shfl_sync(0xffffffffu, left.v[c], next);
  } else {
    right = decoded(source, texels.right);
  }
}
// Stores pairs of rows into an array. Each lane passes the results of the cell that part_of_lane()
// assigns to it. All lanes of a warp must call it. @param store is called with a pixel, the
// distance of its cell from the lane's cell, its column in the cell, and its row.
template <int N, class Store>
__device__ void store_cells_in_array(CellResults<N>& results, const Store& store) {
#pragma unroll
  for (int column = 0; column < 2; ++column) exchange<16>(results[column], results[2 + column]);
  const int row = (static_cast<int>(threadIdx.x) & 31) / 16;
#pragma unroll
  for (int half = 0; half < 2; ++half)
    exchange_words(results[2 * half], results[2 * half + 1],
                   [&](const Pixel<N>& pixel, int distance, int column) {
                     store(pixel, distance + 16 * (half - row), column, row);
                   });
}

template <int N, class Source, class Target>
__global__ void __launch_bounds__(32 * warps, is_in_array<Target> ? 5 : 6)
    double_cells(Source source, Target target, DoubledAxis columns, DoubledAxis rows) {
  // An array's sectors contain an even row and the next one. If cells begin with an odd row, the
  // lower row of a cell is stored together with the upper row of the next one.
  constexpr bool array = is_in_array<Target>, narrow = is_narrow<Target>;
  constexpr bool is_staged = !array && !narrow;
  __shared__ Staged<N> staged_of[is_staged ? warps : 1];
  __shared__ float light[shared_for_loads<Source>];
  __shared__ std::uint32_t codes[shared_for_stores<Target>];
  ready_loads(source, light, static_cast<int>(threadIdx.x), 32 * warps);
  ready_stores(target, codes, static_cast<int>(threadIdx.x), 32 * warps);
  if constexpr (shared_for_loads < Source >> 1) __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int first = (static_cast<int>(blockIdx.x) * warps + warp) * cells_of_warp<Source>;
  constexpr int high = cell_rows<Source, Target>;
  const int begin = static_cast<int>(blockIdx.y) * high;
  const int waits = array ? rows.first & 1 : 0;
  const int end = min(begin + high, rows.cells) + waits;
  auto& staged = staged_of[is_staged ? warp : 0];
  const int cell = array ? part_of_lane(lane) : lane;  // index among the warp's cells
  const int lane_to_right = array ? lane_of_part(cell + 1 & 31) : lane + 1;
  // Beyond the source's edges its last texels are repeated, also for cells that a warp has too
  // many.
  const int left = source.left + min(max(columns.low + first + cell, 0), source.width - 1);
  const int right = source.left + min(max(columns.low + first + cell + 1, 0), source.width - 1);
  const auto texel_row = [&](int i) {
    return source.top + min(max(rows.low + i, 0), source.height - 1);
  };
  const CellPlace<Target> place(target, columns.first + 2 * (first + lane), lane,
                                cells_of_warp<Source> - 1);
  const auto texels_of = [&](int i) { return fetch_cell_row(source, left, right, texel_row(i)); };
  Pixel<N> t00, t10, t01, t11;
  decode_cell_row(source, texels_of(begin), lane_to_right, t00, t10);
  decode_cell_row(source, texels_of(begin + 1), lane_to_right, t01, t11);
  [[maybe_unused]] Pixel<N> waiting[2] = {};  // the lower row of the previous cell
  for (int i = begin; i < end; ++i) {
    // The next row is loaded while this one is processed.
    const auto next_texels = texels_of(min(i + 2, end));
    const int top = rows.first + 2 * i - waits;
    CellResults<N> results;
    make_cell<is_of_codes<Source> && narrow>(t00, t10, t01, t11, results);
    if constexpr (narrow) {
      typename EncodedFor<Target>::type texels[4];
      encode_all<is_of_codes<Source>>(target, results, texels);
      __syncwarp();
#pragma unroll
      for (int row = 0; row < 2; ++row)
        place.store(target, top + row, texels[2 * row], texels[2 * row + 1]);
    } else if constexpr (array) {
      if (waits != 0)
#pragma unroll
        for (int column = 0; column < 2; ++column) {
          const Pixel<N> lower = results[2 + column];
          results[2 + column] = results[column];
          results[column] = waiting[column];
          waiting[column] = lower;
        }
      store_cells_in_array<N>(
          results, [&](const Pixel<N>& pixel, int distance, int column, int row) {
            const int of = cell + distance;
            const int x = target.left + columns.first + 2 * (first + of) + column;
            const int y = target.top + top + row;
            if (of < cells_of_warp<Source> && target.contains(x, y) && (waits == 0 || i > begin))
              target.store_streaming(x, y, pixel);
          });
    } else {
#pragma unroll
      for (int part = 0; part < 4; ++part)
        staged[part >> 1][(part & 1) * right_results + lane] = results[part];
      __syncwarp();
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int at = (part & 1) * 32 + lane, row = part >> 1;
        const int x = target.left + columns.first + 2 * first + at, y = target.top + top + row;
        if (target.contains(x, y))
          target.store_streaming(x, y, staged[row][(at & 1) * right_results + (at >> 1)]);
      }
      __syncwarp();
    }
    t00 = t01;
    t10 = t11;
    decode_cell_row(source, next_texels, lane_to_right, t01, t11);
  }
}

template <int N>
void launch_doubled(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                    const Frame& source, const Frame& target) {
  const auto run = [&](const auto& texels, const auto& pixels) {
    using Source = std::decay_t<decltype(texels)>;
    constexpr int across = warps * cells_of_warp<Source>;
    constexpr int high = cell_rows<Source, std::decay_t<decltype(pixels)>>;
    const dim3 grid(static_cast<unsigned>((columns.cells + across - 1) / across),
                    static_cast<unsigned>((rows.cells + high - 1) / high));
    double_cells<N><<<grid, 32 * warps, 0, card.stream()>>>(texels, pixels, columns, rows);
    check_launch("double_cells");
  };
  // Integers take long to decode, so they have separate kernels. Halves do not: they may be NaN,
  // whose bits must not change.
  if constexpr (N == 4)
    if (is_decoded_into_array(source, target))
      return with_array_target<N>(target, [&](const auto& pixels) {
        with_kind<N>(kind_of(source), [&](auto kind) {
          constexpr FormKind decoded = kind() == FormKind::half ? FormKind::any : kind();
          run(form_rows<N, decoded>(card, source), pixels);
        });
      });
  with_pixels<N>(card, source, target, run);
}

}  // namespace

std::optional<DoubledAxis> doubled_axis(const std::vector<int>& fixed) {
  const auto fraction = [&](std::size_t i) { return fixed[i] & 255; };
  if (fixed.empty() || (fraction(0) != 64 && fraction(0) != 192)) return std::nullopt;
  for (std::size_t i = 1; i < fixed.size(); ++i)
    if (fixed[i] != fixed[i - 1] + 128) return std::nullopt;
  const int low = fixed.front() >> 8, cells = (fixed.back() >> 8) - low + 1;
  if (cells >= most_blocks_down * cell_rows<CudaRows<float, 4>, PixelTarget<4, RowMemory>>)
    return std::nullopt;
  return DoubledAxis{low, fraction(0) == 64 ? 0 : -1, cells};
}

void double_on_cuda(CudaQueue& card, const DoubledAxis& columns, const DoubledAxis& rows,
                    const Frame& source, const Frame& target) {
  with_stored_channels(source.format().stored_channels(), [&](auto n) {
    if constexpr (n() > 1)
      launch_doubled<n()>(card, columns, rows, source, target);
    else
      double_grey_on_cuda(card, columns, rows, source, target);
  });
}

}  // namespace cuimg
