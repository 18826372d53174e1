// SPDX-License-Identifier: Apache-2.0
// `cuimg help [TOPIC]`.
#include "base/error.h"
#include "commands.h"

namespace cuimg {
namespace {

struct Help {};

int run_help(const void*, const std::vector<std::string>& operands, const CommonOptions&) {
  if (operands.size() > 1) throw Error("help", "several topics are named", "use one");
  print(operands.empty() ? overview_text(program()) : topic_text(program(), operands.front()));
  return 0;
}

}  // namespace

Command help_command() {
  const Description description =
      describe<Help>("help", "print help on a stage, a command or the common options")
          .example("cuimg help options");
  return {description, "[TOPIC]", {"help"}, run_help, {}, topics};
}

}  // namespace cuimg
