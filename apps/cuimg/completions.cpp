// SPDX-License-Identifier: Apache-2.0
// `cuimg completions SHELL`.
#include "base/error.h"
#include "commands.h"

namespace cuimg {
namespace {

struct Completions {};

int run_completions(const void*, const std::vector<std::string>& operands, const CommonOptions&) {
  if (operands.size() != 1)
    throw Error("completions", operands.empty() ? "no SHELL" : "several shells are named",
                "use bash, zsh or fish");
  print(completion_script(program(), operands.front()));
  return 0;
}

}  // namespace

Command completions_command() {
  const Description description =
      describe<Completions>("completions", "completion script for bash, zsh or fish")
          .example("source <(cuimg completions bash)");
  return {description, "SHELL", {"help"}, run_completions, {"bash", "zsh", "fish"}};
}

}  // namespace cuimg
