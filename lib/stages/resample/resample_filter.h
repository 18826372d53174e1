// SPDX-License-Identifier: Apache-2.0
// The reconstruction filters of resize.
#pragma once

#include <span>
#include <string_view>

namespace cuimg {

/// A symmetric filter over distances in pixels of the coarser grid.
struct ResampleFilter {
  std::string_view name;
  double support;  ///< Zero at this distance and beyond.
  /// Called with |x| < support; not normalised. Null: a texel's weight is the part of it that the
  /// pixel covers.
  double (*value)(double x);
  bool negative_lobes;       ///< May overshoot; depth channels use `triangle` instead.
  std::string_view formula;  ///< For the help.
  std::string_view alias = {};
};

/// Every filter except `point` and `linear`, which read texels differently.
std::span<const ResampleFilter> resample_filters();

}  // namespace cuimg
