// SPDX-License-Identifier: Apache-2.0
// A weighed resize on a card, cut into tiles: what the kernels that mix rows and columns in one
// pass share, and their tables.
#pragma once

#include <optional>

#include "kernels/texture/texture_cuda.h"
#include "stages/resample/resize_cuda.h"

namespace cuimg {

inline constexpr int tile_columns = 128;  // source columns of a block, one a thread

/// Target columns [begin, end) and the source columns [left, left + span) they read.
struct Tile {
  int begin, end, left, span;
};

/// Target rows [begin, begin + count) and the source rows [low, high) they read.
struct RowGroup {
  int begin, count, low, high;
  int first_weight;  ///< Index into TileTables::row_masks of source row `low`.
};

/// An axis whose target pixels read 2x + offset .. + taps, all with the same weights: a picture
/// made exactly half as large. Outside [low, high), near the edges, taps are missing or folded.
struct HalvedAxis {
  static constexpr int most_taps = 12;
  int low, high, offset, taps;
  float weights[most_taps];
};

/// An axis whose target pixels 2c + p read c + offset + p .. + taps, each of the two with the same
/// weights everywhere: a picture made exactly twice as large. Outside [low, high) likewise.
struct EnlargedAxis {
  static constexpr int most_taps = 6;
  int low, high, offset, taps;
  float weights[2][most_taps];
};

/// All of a weighed layer's tables. Without tiles the passes run one after the other.
struct WeighedTables {
  std::size_t tile_count, group_count;
  std::optional<HalvedAxis> halved_columns, halved_rows;
  std::optional<EnlargedAxis> enlarged_columns, enlarged_rows;
  DeviceTable<Tile> tiles;
  DeviceTable<RowGroup> groups;
  /// For each source row of each group: which of the group's target rows it reaches, and its
  /// weight in each.
  DeviceTable<unsigned> row_masks;
  DeviceTable<float> group_weights;
  DeviceTable<int> column_start, column_taps;
  DeviceTable<float> transposed_column_weights;  ///< Weight k of all columns, then weight k + 1.
  DeviceTable<int> row_start, row_taps;
  DeviceTable<float> column_weights, row_weights;
};

std::shared_ptr<const WeighedTables> make_weighed_tables(CudaQueue& card, const AxisTable& columns,
                                                         const AxisTable& rows, int group_rows);

/// One channel or four made exactly half as large. @returns false, having done nothing, where the
/// layer is not: another scale, channel count, or number of taps. @throws DeviceError.
bool halve_on_cuda(CudaQueue& card, const ResizePlan::Layer& layer, bool clamped,
                   const WeighedTables& tables, const Frame& source, const Frame& target);

/// The same for one channel or four made exactly twice as large.
bool enlarge_on_cuda(CudaQueue& card, const ResizePlan::Layer& layer, const WeighedTables& tables,
                     const Frame& source, const Frame& target);

}  // namespace cuimg
