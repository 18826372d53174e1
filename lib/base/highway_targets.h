// SPDX-License-Identifier: Apache-2.0
// Selects the instruction sets for which Highway compiles, and the one that runs; included before
// Highway. A file that defines CUIMG_HIGHWAY_AVX512 before is also compiled for AVX-512.
#pragma once

#include "base/instruction_set.h"

/// CUIMG_DISPATCH: the copy of a function for the instruction set in use. It does not use Highway's
/// library, which would ignore CUIMG_CPU and which measures the timer for 5 ms at start.
#if defined(__x86_64__)
// SSSE3 and SSE4 have no fused multiply-add, as SSE2 has none, and AVX3_DL adds nothing that these
// loops use: more copies would be compiled and none would be faster.
#if defined(CUIMG_HIGHWAY_AVX512)
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#define CUIMG_DISPATCH(function)    \
  (uses_avx512() ? N_AVX3::function \
   : uses_avx2() ? N_AVX2::function \
                 : HWY_STATIC_DISPATCH(function))
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#define CUIMG_DISPATCH(function) (uses_avx2() ? N_AVX2::function : HWY_STATIC_DISPATCH(function))
#endif
#else
// Only the baseline, which is NEON on aarch64: copies for SVE would never be called.
#define HWY_COMPILE_ONLY_STATIC
#define CUIMG_DISPATCH(function) HWY_STATIC_DISPATCH(function)
#endif
