// SPDX-License-Identifier: Apache-2.0
// Parses chains given as text, for programs that use the library.
#pragma once

#include <string_view>
#include <vector>

#include "pipeline/bound_stage.h"
#include "pipeline/run/apply.h"

namespace cuimg {

/// A parsed chain for apply().
struct ParsedChain {
  std::vector<BoundStage> stages;
  ApplyOptions options;  ///< The options in the text; the codec is null.
};

/// @param words as on a command line, without files: "resize --size 50% + blur --sigma 2 --raw".
/// Quotes and comments are as in recipes.
/// @throws Error with the stage and the word, also for options that apply() cannot use.
ParsedChain parse_chain(std::string_view words);

}  // namespace cuimg
