// SPDX-License-Identifier: Apache-2.0
// Runs a part of a test with another instruction set.
#pragma once

#include <vector>

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

/// All that this processor supports, from the baseline to its best.
inline std::vector<InstructionSet> usable_instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set :
       {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (set <= native_instruction_set()) sets.push_back(set);
  return sets;
}

}  // namespace cuimg::test
