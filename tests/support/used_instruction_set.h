// SPDX-License-Identifier: Apache-2.0
// A part of a test on another instruction set than the rest.
#pragma once

#include <vector>

#include "base/instruction_set.h"

namespace cuimg::test {

/// Until the end of the scope all loops of this process use `set`.
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
