// SPDX-License-Identifier: Apache-2.0
// `cuimg stages`: the table of stages, for people, programs and the README.
#include "base/error.h"
#include "commands.h"

namespace cuimg {
namespace {

struct Stages {
  bool markdown = false;
};

int run_stages(const void* values, const std::vector<std::string>& operands,
               const CommonOptions& common) {
  expect_no_operands("stages", operands);
  const bool markdown = static_cast<const Stages*>(values)->markdown;
  if (markdown && common.json) throw Error("stages", "--json and --markdown are given", "use one");
  print(markdown      ? stages_markdown(program())
        : common.json ? stages_json(program())
                      : stages_text(program()));
  return 0;
}

}  // namespace

Command stages_command() {
  const Description description =
      describe<Stages>("stages", "list all stages, with --json including their parameters")
          .param("markdown", &Stages::markdown, "print the README's table");
  return {description,
          "",
          {"json", "help"},
          run_stages,
          {with_own_help("json", "print one object with all stages and the common options")}};
}

}  // namespace cuimg
