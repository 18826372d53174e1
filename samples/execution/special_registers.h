// SPDX-License-Identifier: Apache-2.0
// Registers that give a thread's place and time, for which C++ has no names. For nvcc.
#pragma once

namespace cuimg::samples {

/// The number of the multiprocessor.
__device__ inline unsigned this_multiprocessor() {
  unsigned number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

/// Nanoseconds, the same on all multiprocessors, in steps that depend on the card.
__device__ inline unsigned long long nanoseconds() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

/// The thread's number in its warp.
__device__ inline unsigned this_lane() {
  unsigned number;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(number));
  return number;
}

}  // namespace cuimg::samples
