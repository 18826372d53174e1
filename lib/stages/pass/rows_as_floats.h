// SPDX-License-Identifier: Apache-2.0
// Rows in host memory as floats, one at a time: a loop that reads and makes rows in order converts
// each while it is in the cache, instead of a whole frame of floats before and another after.
#pragma once

#include <optional>
#include <vector>

#include "device/frame.h"
#include "image/row_convert.h"

namespace cuimg {

/// The width of a frame of floats for rows of that many pixels: all rows are aligned to the largest
/// vectors, since loads across lines of the cache take twice as long, and three floats after a row
/// may be read.
int aligned_width(int pixels);

/// The rows of a source, which may store another type (Frame::seen_as_floats).
class SourceRows {
 public:
  /// @param together consecutive rows are read together.
  SourceRows(const Frame& source, int together);

  /// The pixel at x, y and those after it in the row, until row y + together is requested. Three
  /// floats after the row's last one may be read.
  const float* at(int x, int y) {
    if (!stored_) return source_.pixel_as<float>(x, y);
    if (const int kept = kept_row(y); row_at_[static_cast<std::size_t>(kept)] != y) convert(y);
    return floats_.pixel_as<float>(x, kept_row(y));
  }

 private:
  int kept_row(int y) const { return (y - source_.region().y) % floats_.region().height; }
  void convert(int y);

  const Frame source_;
  std::optional<RowFormat> stored_;
  Frame floats_;             ///< The rows that are kept, if they are stored in another type.
  std::vector<int> row_at_;  ///< The row of the source that each of them holds.
};

/// The rows of a target, likewise.
class TargetRows {
 public:
  explicit TargetRows(const Frame& target);

  const Frame& frame() const { return target_; }
  /// The floats of row `place` of the two that can be made together, if it becomes row y.
  float* floats(int y, int place = 0) {
    return stored_ ? floats_.pixel_as<float>(target_.region().x, place)
                   : target_.pixel_as<float>(target_.region().x, y);
  }
  /// Call it when they are complete.
  void store(int y, int place = 0);

 private:
  const Frame target_;
  std::optional<RowFormat> stored_;
  Frame floats_;
};

}  // namespace cuimg
