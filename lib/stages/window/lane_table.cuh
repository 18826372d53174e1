// SPDX-License-Identifier: Apache-2.0
// Tables of 8-bit codes in shared memory with a copy for each lane, in a bank of its own, since
// lanes read them at random.
#pragma once

namespace cuimg::detail {

/// Each entry has room for two copies per lane: so a place is found in one step.
template <class T>
using LaneTable = T[256][64];

/// A code's place in a table, in bytes. @param lane the lane's, of code 0.
__device__ inline unsigned place_of_code(unsigned texel, int channel, unsigned lane) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(texel, lane, 0x5504 | channel << 4);
#else
  return (texel >> (8 * channel) & 255u) << 8 | lane;
#endif
}

}  // namespace cuimg::detail
