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

/// "resize --size 50% + blur --sigma 2"; "convert" for no stages.
std::string chain_words(Chain chain, bool all = false);

/// An output in the middle of a chain.
struct Tee {
  std::size_t stages = 0;  ///< The number of the chain's stages before it.
  CommonOptions common;    ///< The chain's options, except those of the output; `output` names it.
};

struct Invocation {
  std::vector<BoundStage> stages;  ///< Empty for `convert`.
  std::vector<Tee> tees;           ///< In the order of the chain.
  std::vector<std::string> inputs;
  /// What the last positional or -o named; a sink and --in-place have none, reducers take it by -o
  /// alone. With -o it may be a folder or pattern.
  std::optional<std::string> output;
  bool output_by_option = false;  ///< It came by -o, or by a tee at the chain's end.
  CommonOptions common;
  std::vector<std::string> recipes = {};  ///< Files whose words are among these.
};

/// The same with its tees: "resize --size 50% + tee small.png + flip".
std::string chain_words(const Invocation& invocation, bool all = false);

/// Adds the names that --files-from lists, if it is given. @throws Error.
void add_listed_files(const CommonOptions& common, std::vector<std::string>& inputs);

/// @param words the command line without the program's name.
/// @param table the stages to know.
/// @throws Error naming the stage and the word.
Invocation parse_pipeline(std::span<const std::string> words,
                          std::span<const StageDescription* const> table = stages());

}  // namespace cuimg
