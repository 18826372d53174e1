// SPDX-License-Identifier: Apache-2.0
// The kernel that adds up the forces between bodies. For nvcc.
#pragma once

namespace cuimg::samples {

constexpr int tile = 128;            // threads of a block, and bodies that it loads together
constexpr float softening2 = 1e-4f;  // avoids infinite forces between bodies at the same place

/// Computes the forces on `count` bodies from `first` on. `all` contains x, y, z and mass of
/// `bodies` bodies. Each tile has its own sum, because two short sums round less than a long one.
inline __global__ void pull(float3* forces, const float4* all, int bodies, int first, int count) {
  __shared__ float4 others[tile];
  const int mine = static_cast<int>(blockIdx.x * tile + threadIdx.x);
  // Threads past the end take part in the loads.
  const float4 self = all[first + min(mine, count - 1)];
  float3 force = {0, 0, 0};
  for (int begin = 0; begin < bodies; begin += tile) {
    const int other = begin + static_cast<int>(threadIdx.x);
    // Elements past the end have no mass, so they exert no force.
    others[threadIdx.x] = other < bodies ? all[other] : float4{0, 0, 0, 0};
    __syncthreads();
    float3 part = {0, 0, 0};
#pragma unroll 8
    for (int i = 0; i < tile; ++i) {
      const float x = others[i].x - self.x, y = others[i].y - self.y, z = others[i].z - self.z;
      const float near = rsqrtf(fmaf(z, z, fmaf(y, y, fmaf(x, x, softening2))));
      const float strength = others[i].w * (near * near * near);
      part = {fmaf(strength, x, part.x), fmaf(strength, y, part.y), fmaf(strength, z, part.z)};
    }
    force = {force.x + part.x, force.y + part.y, force.z + part.z};
    __syncthreads();
  }
  if (mine < count) forces[mine] = force;
}

}  // namespace cuimg::samples
