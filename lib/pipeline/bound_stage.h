// SPDX-License-Identifier: Apache-2.0
// A stage with its values, and the inputs and outputs of a chain of stages.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "stages/description.h"

namespace cuimg {

struct BoundStage {
  const StageDescription* description = nullptr;
  std::shared_ptr<const void> parameters;
  bool is_measured = false;  ///< Whether the description's measure() made the parameters.
  std::string recipe = {};   ///< The file that contains the stage; empty for the command line.

  Kind kind() const {
    return description->kind_given ? description->kind_given(parameters.get()) : description->kind;
  }
  /// @throws Error if the values do not suit any input.
  void check() const {
    if (description->check) description->check(parameters.get());
  }
  /// @throws Error if the values do not suit the input.
  std::unique_ptr<Operation> prepare(const Spec& input, const StageContext& context) const {
    check();
    return description->prepare(parameters.get(), input, context);
  }
  /// As on a command line; defaults are omitted unless `all`.
  std::string words(bool all = false) const { return description->words(parameters.get(), all); }
};

/// A stage with values in its own struct: `bind(*find_stage("resize"), Resize{...})`.
/// @param values in the struct for which the description was made. @throws std::logic_error for
/// another struct; Error for a value that the stage's option would refuse.
template <class Struct>
BoundStage bind(const StageDescription& description, Struct values) {
  if (!description.describes<Struct>())
    throw std::logic_error(description.name + ": bound to the values of another stage");
  description.check_values(&values);
  return {&description, std::make_shared<const Struct>(std::move(values)), false};
}

/// @name The inputs and outputs of a chain. A chain without stages takes one INPUT and gives an
/// OUTPUT.
/// @{
using Chain = std::span<const BoundStage>;
/// Whether its first stage is not a source.
bool takes_input(Chain chain);
/// Whether its first stage takes all INPUTs.
bool reduces(Chain chain);
/// A file that a stage's option names: a second image, a map, a table, a kernel.
struct FileOfStage {
  std::string path;
  std::string stage;   ///< "over"
  std::string option;  ///< "--with"
  bool is_certain;     ///< Whether the option's text can only be a file's name.
  std::string recipe;  ///< The file that contains the option; empty for the command line.

  /// The place in an error about the file: "over: --with bg.exr", after the recipe's name.
  std::string place() const {
    return (recipe.empty() ? "" : recipe + ": ") + stage + ": " + option + " " + path;
  }
};
/// All of them; for a text that may be something else than a name, the text.
std::vector<FileOfStage> files_of(Chain chain);
/// The chain with the names that files_of() lists replaced by others, in that order.
std::vector<BoundStage> with_files(Chain chain, std::span<const std::string> paths);
/// The last stage, if it prints a report instead of giving an image; otherwise null.
const BoundStage* sink_of(Chain chain);
/// @}

}  // namespace cuimg
