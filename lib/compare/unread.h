// SPDX-License-Identifier: Apache-2.0
// Differences of two files that no pixel shows: content that readers leave out, and different
// stored samples that give the same pixels.
#pragma once

#include <string>

#include "compare/comparison.h"
#include "compare/limits.h"
#include "io/codec.h"

namespace cuimg {

/// Of what files hold and readers leave out only the description can be compared.
/// @param part a prefix of reasons: which part it is, where files have several.
void compare_left_out(const Decoder& golden, const Decoder& result, const DecodeOptions& decode,
                      bool may_differ, bool equal_bytes, const std::string& part,
                      Comparison& comparison);

/// Pixels that are equal may be made of samples that are not. Under a limit that lets other pixels
/// differ these may.
void compare_stored(const Decoder& golden, const Decoder& result, const Limits& limits,
                    const std::string& part, Comparison& comparison);

}  // namespace cuimg
