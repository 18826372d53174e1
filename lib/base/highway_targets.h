// SPDX-License-Identifier: Apache-2.0
// Which instruction sets Highway compiles for; included before Highway. The targets between SSE2
// and AVX2 have no fused multiply-add either, and AVX-512 gains nothing here.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
