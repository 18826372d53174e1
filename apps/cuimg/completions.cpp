// SPDX-License-Identifier: Apache-2.0
// `cuimg completions SHELL`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "commands.h"

namespace cuimg {
namespace {

struct Completions {};

int run_completions(const void*, const std::vector<std::string>& operands, const CommonOptions&) {
  if (operands.size() != 1)
    throw Error("completions", operands.empty() ? "no SHELL" : "several shells are named",
                fmt::format("use one of {}", fmt::join(completion_shells(), ", ")));
  print(completion_script(program(), operands.front()));
  return 0;
}

}  // namespace

Command completions_command() {
  const Description description =
      describe<Completions>("completions",
                            fmt::format("print the completion script for a shell: {}",
                                        fmt::join(completion_shells(), ", ")))
          .example("source <(cuimg completions bash)");
  return {description,     "SHELL", {"help"},
          run_completions, {},      [](const Program&) {
            return completion_shells(); }};
}

}  // namespace cuimg
