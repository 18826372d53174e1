// SPDX-License-Identifier: Apache-2.0
// A weighed resize on a card, divided into tiles: declarations that the kernels for rows and
// columns in one pass share, and their tables.
#pragma once

#include <optional>

#include "kernels/texture/texture_cuda.h"
#include "stages/resample/resize_cuda.h"

namespace cuimg {

inline constexpr int tile_columns = 128;  // source columns of a block, one for each thread

/// Target columns [begin, end), and the source columns [left, left + span) that they read.
struct Tile {
  int begin, end, left, span;
};

/// Target rows [begin, begin + count), and the source rows [low, high) that they read.
struct RowGroup {
  int begin, count, low, high;
  int first_weight;  ///< Index into TileTables::row_masks of source row `low`.
};

/// An axis that is reduced to exactly half its size: target pixel x reads `taps` source pixels from
/// 2x + offset on, always with the same weights. Outside [low, high), near the edges, some taps are
/// missing or added to others.
struct HalvedAxis {
  static constexpr int most_taps = 12;
  int low, high, offset, taps;
  float weights[most_taps];
};

/// An axis that is enlarged exactly twofold: target pixel 2c + p reads `taps` source pixels from
/// c + offset + p on, with weights that only depend on p. Outside [low, high) as for HalvedAxis.
struct EnlargedAxis {
  static constexpr int most_taps = 6;
  int low, high, offset, taps;
  float weights[2][most_taps];
};

/// All tables of a weighed layer. Without tiles, rows and columns are separate passes.
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

/// Reduces one or four channels to exactly half their size. @returns false, having done nothing,
/// for another scale, number of channels, or number of taps. @throws DeviceError.
bool halve_on_cuda(CudaQueue& card, const ResizePlan::Layer& layer, bool clamped,
                   const WeighedTables& tables, const Frame& source, const Frame& target);

/// The same for enlarging exactly twofold.
bool enlarge_on_cuda(CudaQueue& card, const ResizePlan::Layer& layer, const WeighedTables& tables,
                     const Frame& source, const Frame& target);

}  // namespace cuimg
