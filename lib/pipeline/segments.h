// SPDX-License-Identifier: Apache-2.0
// Words that begin a segment of a chain but are not stages: they do not change pixels.
#pragma once

#include <span>
#include <string_view>

#include "options/description.h"

namespace cuimg {

/// The empty pipeline as a command: decodes, converts, encodes.
const Description& convert_command();
/// An output in the middle of a chain.
const Description& tee_segment();

struct PlainSegment {
  const Description& (*description)();
  std::string_view usage;       ///< Lines.
  bool follows_others = false;  ///< Whether it may follow a `+`.
};
/// Both of them, in the order in which help lists them.
std::span<const PlainSegment> plain_segments();

}  // namespace cuimg
