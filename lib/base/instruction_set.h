// SPDX-License-Identifier: Apache-2.0
// Loops compiled twice: for plain x86-64, and for AVX2 with FMA if the processor has it. A few that
// gain much by it also have a version for AVX-512. The compiler does not contract operations, and
// both fma() and the plain operations round in the same way in all versions, so the bits are the
// same. Every choice between them is made here. On aarch64 there is only one set.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/environment.h"

namespace cuimg {

enum class InstructionSet : std::uint8_t {
  baseline,  ///< Supported by every processor of the architecture: SSE2, or NEON on aarch64.
  avx2,      ///< AVX2, FMA, F16C, BMI and BMI2.
  avx512,    ///< Also AVX-512 F, CD, BW, DQ, VL and VBMI.
};
std::string_view name_of(InstructionSet set);

/// The best set that this processor supports.
InstructionSet native_instruction_set();

/// The set that the variable CUIMG_CPU requests: `baseline`, or `native`, which is the default.
/// @throws Error for any other value.
InstructionSet wanted_instruction_set(const Environment& environment = process_environment());

/// The set in use in this process: wanted_instruction_set() at the first call.
/// @throws Error as that function does.
InstructionSet instruction_set();

/// For tests: use `set` from now on. @throws Error if the processor does not support it.
void use_instruction_set(InstructionSet set);

inline bool uses_avx2() { return instruction_set() >= InstructionSet::avx2; }
inline bool uses_avx512() { return instruction_set() >= InstructionSet::avx512; }

template <class Loop>
#if defined(__x86_64__)
__attribute__((target("avx2,fma,f16c"), flatten))
#endif
void run_avx2(const Loop& loop) {
  loop();
}

/// Calls `loop` compiled for the set in use, with all its calls inlined.
template <class Loop>
void with_best_instructions(const Loop& loop) {
  if (uses_avx2())
    run_avx2(loop);
  else
    loop();
}

}  // namespace cuimg
