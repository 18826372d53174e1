// SPDX-License-Identifier: Apache-2.0
// Pictures reduced to exactly half their size: the sums over rows, for any pixels.
#pragma once

#include <algorithm>
#include <type_traits>

#include "stages/resample/cuda_tap_sums.cuh"
#include "stages/resample/fetched_rows.cuh"
#include "stages/resample/open_ranges.cuh"
#include "stages/resample/resize_tiles.cuh"

namespace cuimg {

inline constexpr int halved_group = 4;  // target rows that are completed between two barriers
/// Blocks of a tile for the rows near the top and the bottom edge, one each. They are slow, so they
/// start first.
inline constexpr int halved_edges = 2;

struct HalvedTable {
  const int* start;
  const int* taps;
  const float* weights;
  int first, end, stride;
  HalvedAxis axis;
};

struct Halving {
  HalvedTable columns, rows;
  int low, high;  ///< Target rows [low, high) are whole groups, with all of their taps.
  int strip;      ///< The number of these rows that a block computes.
};

template <bool clamped>
using PartialSum = std::conditional_t<clamped, CardClampedTapSum<4>, TapSum<4>>;

/// The sums over rows for one source column of a strip. Source rows are added in pairs: pair j is
/// the last one of the strip's target row j, and the first one of row j + pairs - 1.
/// @tparam Column an x, or another type that fetch_rows() and decode_rows() accept.
template <int pairs, class Source, class Column>
struct OpenRows {
  const Source& source;
  const HalvedTable& rows;
  Column x;
  int begin;  ///< The strip's first target row.

  static constexpr bool any_nan = is_of_kind<Source>;  // whether results may contain any NaN
  using Fetched = FetchedBy<Source, Column>;
  __device__ int source_row(int pair) const {
    return 2 * (begin + pair) + rows.axis.offset + 2 * (pairs - 1);
  }
};

/// For rows with all of their taps: weights are constants, and no row is outside the source.
template <int pairs, bool clamped, class Source, class Column>
struct WholeRows : OpenRows<pairs, Source, Column> {
  using Sum = TapSum<4>;
  static constexpr bool has_ranges = clamped;  ///< OpenRanges has them, not the sums.
  template <int count>
  __device__ void fetch_from(
      int y, typename OpenRows<pairs, Source, Column>::Fetched (&texels)[count]) const {
    fetch_rows(
        this->source, this->x, [&](int i) { return y + i; }, texels);
  }
  __device__ void add(Sum& sum, int, int tap, int, const Pixel<4>& a, const Pixel<4>& b) const {
    sum.add(this->rows.axis.weights[tap], a);
    sum.add(this->rows.axis.weights[tap + 1], b);
  }
  /// The sum over columns replaces a NaN by the canonical one.
  __device__ static Pixel<4> mixed(const Sum& sum) { return sum.sum; }
};

/// For rows near an edge, with the taps that the table lists.
template <int pairs, bool clamped, class Source, class Column>
struct PartialRows : OpenRows<pairs, Source, Column> {
  using Sum = PartialSum<clamped>;
  static constexpr bool has_ranges = false;
  template <int count>
  __device__ void fetch_from(
      int y, typename OpenRows<pairs, Source, Column>::Fetched (&texels)[count]) const {
    const int top = this->source.top, last = top + this->source.height - 1;
    fetch_rows(
        this->source, this->x, [&](int i) { return min(max(y + i, top), last); }, texels);
  }
  __device__ void add(Sum& sum, int row, int, int y, const Pixel<4>& a, const Pixel<4>& b) const {
    const HalvedTable& t = this->rows;
    const int at = this->begin + row - t.first;
    if (this->begin + row >= t.end) return;
    const int k = y - __ldg(t.start + at), taps = __ldg(t.taps + at);
    const float* weights = t.weights + static_cast<std::ptrdiff_t>(at) * t.stride;
    if (k >= 0 && k < taps) sum.add(__ldg(weights + k), a);
    if (k + 1 >= 0 && k + 1 < taps) sum.add(__ldg(weights + k + 1), b);
  }
  __device__ static Pixel<4> mixed(const Sum& sum) { return sum.result(); }
};

/// Computes the target rows of a strip up to `end`.
/// @param has_column whether the thread processes a column of the source.
/// @param mix has buffers for two groups of rows. place(buffer, row) is where the thread writes its
/// column of a row, and mix(buffer, y, rows) computes the target's rows from y on from a buffer.
template <int pairs, bool clamped, class Rows, class Mix>
__device__ void halve_strip(const Rows& rows, bool has_column, const Mix& mix, int end) {
  constexpr int group = halved_group;
  using Sum = typename Rows::Sum;
  using Fetched = typename Rows::Fetched;
  constexpr int carried = pairs - 1;
  Sum sums[carried + group];
  [[maybe_unused]] OpenRanges<pairs, group> ranges;
  if (has_column && carried > 0) {
    // Pairs of rows above the strip that are taps of its first rows.
    Fetched fetched[carried > 0 ? 2 * carried : 1];
    Pixel<4> texels[carried > 0 ? 2 * carried : 1];
    rows.fetch_from(rows.source_row(-carried), fetched);
    decode_rows(rows.source, rows.x, fetched, texels);
#pragma unroll
    for (int i = 0; i < carried; ++i)
#pragma unroll
      for (int row = 0; row <= i; ++row)
        rows.add(sums[row], row, 2 * (i - row), rows.source_row(i - carried), texels[2 * i],
                 texels[2 * i + 1]);
    if constexpr (Rows::has_ranges)
#pragma unroll
      for (int i = 0; i < carried; ++i)
        ranges.begin(i, TexelRange<4>::of(texels[2 * i], texels[2 * i + 1]));
  }
  // A group's texels are loaded while the columns of the previous group are weighed.
  Fetched next[2 * group];
  if (has_column) rows.fetch_from(rows.source_row(0), next);
  int buffer = 0;
  for (int row = 0; rows.begin + row < end; row += group, buffer ^= 1) {
    if (has_column) {
      Pixel<4> texels[2 * group];
      decode_rows(rows.source, rows.x, next, texels);
#pragma unroll
      for (int i = 0; i < group; ++i) {
#pragma unroll
        for (int open = i; open < i + pairs; ++open)
          rows.add(sums[open], row + open, 2 * (i - open + pairs - 1), rows.source_row(row + i),
                   texels[2 * i], texels[2 * i + 1]);
        Pixel<4>& made = mix.place(buffer, i);
        if constexpr (Rows::has_ranges)
          made =
              ranges.close(i, TexelRange<4>::of(texels[2 * i], texels[2 * i + 1])).limited(sums[i]);
        else
          made = Rows::mixed(sums[i]);
      }
      if constexpr (Rows::has_ranges) ranges.next_group();
#pragma unroll
      for (int i = 0; i < carried + group; ++i) sums[i] = i < carried ? sums[i + group] : Sum{};
      if (rows.begin + row + group < end) rows.fetch_from(rows.source_row(row + group), next);
    }
    // After this barrier no thread reads the other buffer any more.
    __syncthreads();
    mix.mix(buffer, rows.begin + row, end - rows.begin - row);
  }
}

inline HalvedTable table_of(const AxisTable& table, const HalvedAxis& axis,
                            const DeviceTable<int>& start, const DeviceTable<int>& taps,
                            const DeviceTable<float>& weights) {
  return {start.data(), taps.data(), weights.data(), table.first, table.first + table.size(),
          table.stride, axis};
}

/// Which rows the blocks of a tile compute. @param strip the number of rows of a block.
inline Halving halving_of(const HalvedTable& columns, const HalvedTable& rows, int strip) {
  // Strips begin at even rows, because an array's sectors are two rows high.
  const int above = (std::max(rows.axis.low - rows.first, 0) + 1) / 2 * 2;
  const int low = std::min(rows.first + above, rows.end);
  const int whole = std::max(std::min(rows.axis.high, rows.end) - low, 0);
  return {columns, rows, low, low + whole / halved_group * halved_group, strip};
}

/// halve_on_cuda() for one channel, without clamping. @throws DeviceError.
bool halve_grey_on_cuda(CudaQueue& card, const HalvedTable& columns, const HalvedTable& rows,
                        const Frame& source, const Frame& target);

}  // namespace cuimg
