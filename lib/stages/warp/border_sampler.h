// SPDX-License-Identifier: Apache-2.0
// An image extended beyond its edges, for stages that use neighbouring pixels: by the border's rule
// where the data window meets the display window, by zero elsewhere.
#pragma once

#include "image/spec.h"
#include "kernels/texture/border.h"
#include "options/values.h"
#include "stages/stage.h"

namespace cuimg {

struct BorderSampler {
  BorderAxis columns, rows;

  BorderSampler(const Spec& input, Border border);
  BorderSampler(const BorderAxis& of_columns, const BorderAxis& of_rows)
      : columns(of_columns), rows(of_rows) {}

  /// For readers of a part of the image: pixels outside the part are not available, even if they
  /// would not be used.
  BorderSampler within(const Rect& part) const;
  /// The pixels of the data window that appear somewhere in `region`, which may lie outside the
  /// window.
  Rect sources(const Rect& region) const;
  /// sources() of a region that is grown by this many pixels on each side, for a neighbourhood.
  Rect sources_around(const Rect& region, int dx, int dy) const;
  /// sources() for a reader that looks up every pixel separately, without its neighbours: a region
  /// beyond one edge needs only the pixels that appear there, and nothing from the opposite side.
  Rect sources_one_by_one(const Rect& region) const;
  /// Host rows of `region` in which every pixel is filled: copied, or by the border's rule.
  /// @param source covers sources(region). Any type.
  Frame padded(const Frame& source, const Rect& region) const;
};

}  // namespace cuimg
