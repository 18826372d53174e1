// SPDX-License-Identifier: Apache-2.0
// Differences of two files that no pixel shows: content that readers leave out, and different
// stored samples that give the same pixels.
#pragma once

#include <string>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "io/codec.h"

namespace cuimg {

/// A part that both files have, opened in both.
struct OpenedPart {
  Decoder& golden;
  Decoder& result;
  int number;  ///< In the golden.
  std::string name;
  std::string prefix;  ///< For reasons: names the part, if files have several.
};

/// For content that readers leave out, only its description can be compared.
void compare_left_out(const OpenedPart& part, const DecodeOptions& decode, bool may_differ,
                      bool equal_bytes, Comparison& comparison);

/// Equal pixels may come from different samples. With a limit that allows pixels to differ, samples
/// may differ too.
void compare_stored(const OpenedPart& part, const Limits& limits, Comparison& comparison);

}  // namespace cuimg
