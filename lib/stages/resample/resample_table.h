// SPDX-License-Identifier: Apache-2.0
// One axis of a resize as a table: the source texels that an output pixel mixes, and their weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "options/values.h"
#include "stages/resample/resample_filter.h"

namespace cuimg {

/// One axis of the mapping from the display window to the resized one. All values are in pixels,
/// absolute.
struct AxisGeometry {
  int origin = 0;                   ///< The display window's low edge before,
  int out_origin = 0;               ///< and after; it differs if a part is cut out.
  int in_size = 1;                  ///< The display window's length before,
  int out_size = 1;                 ///< and after.
  int data_low = 0, data_high = 1;  ///< The input's data window on this axis, high exclusive.

  /// The output's data window on this axis: the input's, scaled and rounded outward.
  std::pair<int, int> output_range() const;
  /// The source coordinate that is read: itself inside the data window, and outside it as in
  /// kernels/texture/border.h, where nothing is zero. With wrap, if both ends of the data window
  /// reach those of the display window, the coordinate is returned unchanged; the caller takes it
  /// modulo the data window.
  std::optional<std::int64_t> source(std::int64_t i, Border border) const;
  static constexpr int nothing = INT32_MIN;
  /// The texel that contains output pixel `x`'s centre, inside the data window, or `nothing`.
  int nearest(int x, Border border) const;
  /// The texture unit's fixed-point coordinate of output pixel `x`'s centre: 1/256 texels from
  /// the centre of the texel at absolute coordinate 0, rounded as the unit rounds.
  std::int64_t fixed_point(int x) const;
};

/// Output pixels [low, high) whose weights repeat: output x + `outputs` has the weights of output
/// x, for texels `inputs` further on. This happens if the ratio of sizes is simple, such as 3 to 2.
/// `outputs` is 0 if weights do not repeat within 8 pixels.
struct AxisPeriod {
  int low = 0, high = 0;
  int outputs = 0, inputs = 0;
};

/// For output pixels first .. first + size(): the sum over k of weight[k] * source[start + k].
/// Weights are multiples of 2^-23; they sum to exactly 1 wherever no tap is dropped.
struct AxisTable {
  int first = 0;
  std::vector<int> start;      ///< Absolute source coordinate of the first tap.
  std::vector<int> taps;       ///< The number of taps; may be 0 if all of them are outside.
  std::vector<float> weights;  ///< `stride` for each output pixel.
  int stride = 0;              ///< The largest number of taps.
  /// Only for Border::wrap: some start + k are outside the data window and must be reduced modulo
  /// its size.
  bool wraps = false;
  /// Whether it is part of a table that mixes texels, even if this part does not.
  bool is_part_of_mixing = false;
  AxisPeriod period = {};

  /// The table for output pixels [from, to).
  AxisTable part(int from, int to) const;
  int size() const { return static_cast<int>(start.size()); }
  const float* weights_of(int x) const {
    return weights.data() + static_cast<std::size_t>(x - first) * static_cast<std::size_t>(stride);
  }
  int start_of(int x) const { return start[static_cast<std::size_t>(x - first)]; }
  int taps_of(int x) const { return taps[static_cast<std::size_t>(x - first)]; }
  /// Whether every output pixel equals its source pixel, so that there is nothing to compute.
  bool is_identity() const;
  /// Source coordinates [low, high) that outputs [from, to) read. Empty if they read none.
  std::pair<int, int> reach(int from, int to) const;
};

/// @param antialias widens the filter by in/out if that is above 1.
/// @param low, high the output pixels for which it is made, high exclusive.
AxisTable make_axis_table(const AxisGeometry& geometry, int low, int high,
                          const ResampleFilter& filter, bool antialias, Border border);

}  // namespace cuimg
