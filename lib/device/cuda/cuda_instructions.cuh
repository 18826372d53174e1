// SPDX-License-Identifier: Apache-2.0
// Instructions that CUDA C++ cannot express, and their replacements on cards that lack them.
// tests/oldest_card assembles all of them for the oldest card.
#pragma once

#include "device/cuda/cuda_rows.cuh"

namespace cuimg {

/// Reads four floats and prefetches the 256 bytes around them into the L2 cache: for reads whose
/// neighbours other threads need soon, in an order that is slow for memory.
__device__ inline Pixel<4> load_and_prefetch(const char* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  Pixel<4> pixel;
  asm("ld.global.nc.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(pixel.v[0]), "=f"(pixel.v[1]), "=f"(pixel.v[2]), "=f"(pixel.v[3])
      : "l"(from));
  return pixel;
#else
  return load<4>(reinterpret_cast<const float*>(from));
#endif
}

/// An address as one number: otherwise the compiler would add its parts again at each access.
__device__ inline const char* as_one_number(const char* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+l"(address));
#endif
  return address;
}

/// Makes that many threads of a block wait for each other, at different places in the code, which
/// __syncthreads() does not allow. @tparam barrier 1 to 15: the block's barrier that they use.
template <int threads, int barrier = 1>
__device__ inline void meet() {
#ifdef __CUDA_ARCH__
  asm volatile("bar.sync %0, %1;" ::"n"(barrier), "n"(threads) : "memory");
#else
  __barrier_sync_count(barrier, threads);
#endif
}

}  // namespace cuimg
