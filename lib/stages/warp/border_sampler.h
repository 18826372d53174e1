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

  /// For readers of a part of the image: pixels outside of it are not there to be read, even where
  /// none is wanted.
  BorderSampler within(const Rect& part) const;
  /// The data window's pixels that appear somewhere in `region`, which may lie outside of it.
  Rect sources(const Rect& region) const;
  /// sources() of a region grown by so many pixels on each side: what a neighbourhood needs.
  Rect sources_around(const Rect& region, int dx, int dy) const;
  /// sources() for a reader that asks the axes for every pixel by itself, without its neighbours: a
  /// region beyond one edge takes what it shows there, and nothing of the other side.
  Rect sources_one_by_one(const Rect& region) const;
  /// Host rows of `region`, every pixel there: copied, or by the rule.
  /// @param source covers sources(region). Any type.
  Frame padded(const Frame& source, const Rect& region) const;
};

}  // namespace cuimg
