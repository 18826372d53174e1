// SPDX-License-Identifier: Apache-2.0
// The platform macros: they mark a function that compiles for the host and, under nvcc, for the
// card.
#pragma once

#if defined(__CUDACC__)
#define CUIMG_HD __host__ __device__
/// Before a template that calls any given function, including host functions.
#define CUIMG_CALLS_ANY _Pragma("nv_exec_check_disable")
#else
#define CUIMG_HD
#define CUIMG_CALLS_ANY
#endif
