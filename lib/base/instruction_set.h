// SPDX-License-Identifier: Apache-2.0
// Loops compiled twice: for plain x86-64, and for AVX2 with FMA where the processor has it. The
// compiler contracts nothing, and both fma() and the plain operations round alike in either, so the
// bits are the same.
#pragma once

namespace cuimg {

#if defined(__x86_64__)
inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("f16c");
  return has;
}
template <class Loop>
__attribute__((target("avx2,fma,f16c"), flatten)) void run_avx2(const Loop& loop) {
  loop();
}
#else
inline bool has_avx2() { return false; }
template <class Loop>
void run_avx2(const Loop&) {}
#endif

/// Calls `loop` compiled for the instructions that are there, all it calls inlined.
template <class Loop>
void with_best_instructions(const Loop& loop) {
  if (has_avx2())
    run_avx2(loop);
  else
    loop();
}

}  // namespace cuimg
