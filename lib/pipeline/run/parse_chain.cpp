// SPDX-License-Identifier: Apache-2.0
// Parses a chain given as text: the words of a command line between the program's name and its
// files.
#include "pipeline/run/parse_chain.h"

#include <string>

#include "base/contains.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "pipeline/grammar.h"
#include "pipeline/recipe.h"
#include "pipeline/segments.h"

namespace cuimg {
namespace {

const std::string place = "chain";

// Options of the program, which reads and writes files, would have no effect.
void refuse_options_of_files(const CommonOptions& given) {
  constexpr std::string_view taken[] = {"type", "raw", "background", "layers", "cryptomatte"};
  for (const Parameter& parameter : common_options().parameters)
    if (parameter.name != "output" && !contains(taken, parameter.name) &&
        !parameter.is_default(&given))
      throw Error(place, "--" + parameter.name + " is for files", "leave it out");
}

}  // namespace

ParsedChain parse_chain(std::string_view text) {
  const FloatEnvironment environment;  // stages compute with their parameters when they are bound
  std::vector<std::string> words = recipe_words(text, place);
  if (words.empty()) throw Error(place, "it has no stage");
  for (std::size_t i = 1; i < words.size(); ++i)
    if (words[i - 1] == "+" && words[i] == tee_segment().name)
      throw Error(place, "tee writes a file", "leave it out");
  for (std::size_t i = 0; i < words.size(); ++i)
    if (const StageDescription* const stage =
            i == 0 || words[i - 1] == "+" ? find_stage(words[i]) : nullptr;
        stage != nullptr && stage->kind == Kind::sink)
      throw Error(place, stage->name + " gives no image", "leave it out");
  // The grammar parses a whole command line. File names are added at places where no option can
  // take them as its value.
  const std::string input = "<input>", output = "<output>";
  const StageDescription* const first = find_stage(words.front());
  const bool takes_files = first == nullptr || first->kind != Kind::source;
  words.insert(words.front().starts_with('@') ? words.end() : words.begin() + 1, {"-o", output});
  words.emplace_back("--");
  if (takes_files) words.push_back(input);
  Invocation made = parse_pipeline(words);
  if (made.output != output) throw Error(place, "-o is for files", "leave it out");
  if (takes_files && made.inputs.front() != input)
    throw Error(place, made.inputs.front() + " is not an option",
                "leave it out: a chain names no files");
  const CommonOptions& common = made.common;
  refuse_options_of_files(common);
  return {std::move(made.stages),
          {nullptr, common.type, common.raw, common.background.rgb, common.layers,
           common.cryptomatte == MatteChoice::refuse}};
}

}  // namespace cuimg
