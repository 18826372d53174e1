// SPDX-License-Identifier: Apache-2.0
// Which instruction sets Highway compiles for, and how one is chosen; included before Highway.
#pragma once

#include "base/instruction_set.h"

/// CUIMG_DISPATCH: the copy of a function for the instruction set in use. Not by Highway's library,
/// which would not know of CUIMG_CPU and whose start measures the timer for 5 ms.
#if defined(__x86_64__)
// The targets between SSE2 and AVX2 have no fused multiply-add either, and AVX-512 gains nothing
// here.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#define CUIMG_DISPATCH(function) (uses_avx2() ? N_AVX2::function : HWY_STATIC_DISPATCH(function))
#else
// The baseline alone, which on aarch64 is NEON: copies for SVE would never be called.
#define HWY_COMPILE_ONLY_STATIC
#define CUIMG_DISPATCH(function) HWY_STATIC_DISPATCH(function)
#endif
