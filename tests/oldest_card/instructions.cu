// SPDX-License-Identifier: Apache-2.0
// Assembled for the oldest card that nvcc supports: instructions in PTX are only compiled on the
// user's card, so errors in them would otherwise appear only there.
#include "device/cuda/cuda_instructions.cuh"

namespace cuimg {

__global__ void every_instruction(const char* from, float* to) {
  meet<32>();
  meet<32, 2>();
  const Pixel<4> pixel = load_and_prefetch(from);
  for (int c = 0; c < 4; ++c) to[c] = pixel.v[c];
}

}  // namespace cuimg
