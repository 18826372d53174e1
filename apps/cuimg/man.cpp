// SPDX-License-Identifier: Apache-2.0
// `cuimg man`.
#include "commands.h"

namespace cuimg {
namespace {

struct Man {};

int run_man(const void*, const std::vector<std::string>& operands, const CommonOptions&) {
  expect_no_operands("man", operands);
  print(man_page(program()));
  return 0;
}

}  // namespace

Command man_command() {
  const Description description =
      describe<Man>("man", "print the manual page, in troff").example("cuimg man | man -l -");
  return {description, "", {"help"}, run_man};
}

}  // namespace cuimg
