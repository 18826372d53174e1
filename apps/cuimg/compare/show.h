// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --show`: a pair in the terminal, golden, result and difference next to each other.
#pragma once

#include <string>

#include "apps/cuimg/shown_picture.h"
#include "compare/comparison.h"
#include "compare/decoded_pair.h"

namespace cuimg {

/// Draws pairs on one terminal.
class PairDrawing {
 public:
  /// @param protocol `automatic` asks the terminal.
  PairDrawing(Protocol protocol, int threads);

  /// The first layer that differs, colour before others, as text that ends its line: a caption and
  /// the pictures. What is missing on one side is left out. The difference is that of the stored
  /// values, the largest of a pixel's channels, and of what lies below a pixel of the terminal.
  /// Empty where neither side has a picture. May be called by several threads.
  std::string text_of(const Comparison& comparison, const DecodedPair& decoded) const;

 private:
  Protocol protocol_;
  ShownSpace space_;
  int threads_;
};

}  // namespace cuimg
