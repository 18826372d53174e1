// SPDX-License-Identifier: Apache-2.0
// `cuimg compare --show`: a pair in the terminal, with golden, result and difference side by side.
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

  /// The first layer that differs, colour before others, as text that ends with a line end: a
  /// caption and the pictures. Pictures that one side lacks are left out. The difference is that of
  /// the stored values: the largest among a pixel's channels, and among the pixels below a pixel of
  /// the terminal. Empty if neither side has a picture. May be called by several threads.
  std::string text_of(const Comparison& comparison, const DecodedPair& decoded) const;

 private:
  Protocol protocol_;
  ShownSpace space_;
  int threads_;
};

}  // namespace cuimg
