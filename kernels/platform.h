// SPDX-License-Identifier: Apache-2.0
// The one platform macro: marks a function that compiles for the host and, under nvcc, for the
// card.
#pragma once

#if defined(__CUDACC__)
#define CUIMG_HD __host__ __device__
#else
#define CUIMG_HD
#endif
