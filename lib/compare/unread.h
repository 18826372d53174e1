// SPDX-License-Identifier: Apache-2.0
// Differences of two files that no pixel shows: content that readers leave out, and different
// stored samples that give the same pixels.
#pragma once

#include <string>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "io/codec.h"

namespace cuimg {

/// For content that readers leave out, only its description can be compared.
/// @param part a prefix for reasons: the part, if files have several.
void compare_left_out(const Decoder& golden, const Decoder& result, const DecodeOptions& decode,
                      bool may_differ, bool equal_bytes, const std::string& part,
                      Comparison& comparison);

/// Equal pixels may come from different samples. With a limit that allows pixels to differ, samples
/// may differ too.
void compare_stored(const Decoder& golden, const Decoder& result, const Limits& limits,
                    const std::string& part, Comparison& comparison);

}  // namespace cuimg
