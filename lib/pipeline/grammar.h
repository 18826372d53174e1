// SPDX-License-Identifier: Apache-2.0
// Parses words to a chain of stages: `STAGE [options] [+ STAGE [options]]... INPUT OUTPUT`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/bound_stage.h"
#include "pipeline/options.h"
#include "stages/registry.h"

namespace cuimg {

/// "resize --size 50% + blur --sigma 2"; "convert" if there are no stages.
std::string chain_words(Chain chain, bool all = false);

/// An output in the middle of a chain.
struct Tee {
  std::size_t stages = 0;  ///< The number of the chain's stages before it.
  /// The chain's options, except those for its output; `output` is the tee's OUT.
  CommonOptions common;
};

struct Invocation {
  std::vector<BoundStage> stages;  ///< Empty for `convert`.
  std::vector<Tee> tees;           ///< In the chain's order.
  std::vector<std::string> inputs;
  /// The last positional file, or -o; absent for a sink and with --in-place; reducers only accept
  /// -o. With -o it may be a folder or pattern.
  std::optional<std::string> output;
  bool output_by_option = false;  ///< Whether it was given by -o, or by a tee at the chain's end.
  CommonOptions common;
  std::vector<std::string> recipes = {};  ///< The files from which some of the words come.
};

/// The same with its tees: "resize --size 50% + tee small.png + flip".
std::string chain_words(const Invocation& invocation, bool all = false);

/// Adds the names that --files-from lists, if it is given. @throws Error.
void add_listed_files(const CommonOptions& common, std::vector<std::string>& inputs);

/// @param words the command line without the program's name.
/// @param table the known stages.
/// @throws Error with the stage and the word.
Invocation parse_pipeline(std::span<const std::string> words,
                          std::span<const StageDescription* const> table = stages());

}  // namespace cuimg
