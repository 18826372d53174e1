// SPDX-License-Identifier: Apache-2.0
// Brings two pictures to a common form, so that they can be compared value by value: checks whether
// size, windows, channels, types and encoding agree, and keeps what they share if options allow
// differences.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "image/image.h"

namespace cuimg {

/// The pixels of a window that are ignored: a byte for each pixel, row by row, which is not 0 if
/// the pixel is ignored. Empty: all pixels count. They are added to Comparison::forgiven; a region
/// outside the window is a warning.
/// @param mask null, or a picture: pixels that are 0 in all channels are ignored.
/// @throws NotComparable also if no pixel is left.
std::vector<std::uint8_t> ignored_pixels(const Rect& window, const IgnoredRegions& regions,
                                         const Image* mask, Comparison& comparison);

/// How far a result is moved to be compared: from the corner of its display window to that of the
/// golden's.
Shift shift_of_result(const Spec& golden, const Spec& result);

/// The two pictures with the same spec; views of the originals unless something had to change.
class AlignedPair {
 public:
  /// Adds reasons for differences that are not allowed, and notes for those that are.
  /// @param limit_pixels as CompareOptions::limit_pixels. @throws NotComparable beyond it.
  AlignedPair(const Image& golden, const Image& result, const Limits& limits,
              std::uint64_t limit_pixels, Comparison& comparison);

  /// Whether the pictures' values can be compared.
  bool comparable() const { return comparable_; }
  const Image& golden() const { return owns_golden_ ? own_golden_ : *golden_; }
  const Image& result() const { return owns_result_ ? own_result_ : *result_; }
  /// The index of a layer in the original golden picture.
  int golden_layer(int layer) const;
  /// The result as a copy that can be changed: forgiven pixels take the golden's values.
  Image& editable_result();

  /// As from ignored_pixels(), for the data window.
  const std::vector<std::uint8_t>& ignored() const { return ignored_; }
  /// Copies the golden's values to ignored pixels. @throws as ignored_pixels().
  void ignore(const IgnoredRegions& regions, const Image* mask, Comparison& comparison);

 private:
  const Image* golden_;
  const Image* result_;
  Image own_golden_, own_result_;
  bool owns_golden_ = false, owns_result_ = false, comparable_ = true;
  std::vector<std::uint8_t> ignored_;
};

}  // namespace cuimg
