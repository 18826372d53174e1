// SPDX-License-Identifier: Apache-2.0
// Runs a part of a test with another instruction set.
#pragma once

#include "base/instruction_set.h"

namespace cuimg::test {

/// Makes all loops of this process use `set` until the end of the scope.
class UsedInstructionSet {
 public:
  explicit UsedInstructionSet(InstructionSet set) : before_(instruction_set()) {
    use_instruction_set(set);
  }
  ~UsedInstructionSet() { use_instruction_set(before_); }
  UsedInstructionSet(const UsedInstructionSet&) = delete;
  UsedInstructionSet& operator=(const UsedInstructionSet&) = delete;

 private:
  InstructionSet before_;
};

}  // namespace cuimg::test
