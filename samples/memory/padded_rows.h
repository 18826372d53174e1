// SPDX-License-Identifier: Apache-2.0
// Memory with padded rows, filled by memsets and by a kernel, in two dimensions and in three. The
// driver API has memsets that the runtime lacks. For nvcc.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "common/card.h"
#include "common/driver.h"
#include "common/sample.h"

namespace cuimg::samples {

// The address of each row is computed from the row's number. The book's listing moves a pointer on
// by a growing sum instead, and leaves the picture after a few rows.
inline __global__ void fill_volume(cudaPitchedPtr volume, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y), z = static_cast<int>(blockIdx.z);
  if (x >= width) return;
  char* const row = static_cast<char*>(volume.ptr) +
                    (static_cast<std::size_t>(z) * volume.ysize + y) * volume.pitch;
  reinterpret_cast<int*>(row)[x] = (z * height + y) * width + x;
}

inline void rows_and_slices(Report& report) {
  constexpr std::size_t width = 37, height = 11, depth = 5, row_bytes = width * sizeof(int);
  void* memory = nullptr;
  std::size_t pitch = 0;
  checked("cudaMallocPitch", [&] { return cudaMallocPitch(&memory, &pitch, row_bytes, height); });
  const DeviceMemoryHandle plane(memory);
  cudaPitchedPtr volume = {};
  const cudaExtent extent = make_cudaExtent(row_bytes, height, depth);
  checked("cudaMalloc3D", [&] { return cudaMalloc3D(&volume, extent); });
  const DeviceMemoryHandle slices(volume.ptr);
  report.say(text("rows of %zu bytes lie %zu bytes apart, of a volume %zu", row_bytes, pitch,
                  volume.pitch));
  // Fill all bytes with 0x11, then the rows with 0x22: the padding must remain 0x11.
  std::vector<unsigned char> bytes(pitch * height), expected(bytes.size(), 0x11);
  checked("cudaMemset", [&] { return cudaMemset(memory, 0x11, bytes.size()); });
  checked("cudaMemset2D", [&] { return cudaMemset2D(memory, pitch, 0x22, row_bytes, height); });
  checked("cudaMemcpy",
          [&] { return cudaMemcpy(bytes.data(), memory, bytes.size(), cudaMemcpyDeviceToHost); });
  for (std::size_t y = 0; y < height; ++y)
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(y * pitch), row_bytes, 0x22);
  report.check(bytes == expected, "cudaMemset2D fills the rows and not what pads them");
  // The runtime's memsets fill with bytes only. The driver's also fill with 16 or 32 bits, so with
  // floats.
  std::vector<float> floats(width * height);
  check_driver(driver_call<decltype(cuMemsetD2D32)>("cuMemsetD2D32")(
                   reinterpret_cast<CUdeviceptr>(memory), pitch, std::bit_cast<unsigned>(1.5f),
                   width, height),
               "cuMemsetD2D32");
  checked("cudaMemcpy2D", [&] {
    return cudaMemcpy2D(floats.data(), row_bytes, memory, pitch, row_bytes, height,
                        cudaMemcpyDeviceToHost);
  });
  report.check(std::ranges::count(floats, 1.5f) == static_cast<std::ptrdiff_t>(floats.size()),
               "cuMemsetD2D32 fills rows with floats");
  fill_volume<<<dim3(2, height, depth), 32>>>(volume, width, height);
  check_launch("fill_volume");
  std::vector<int> cells(width * height * depth), counted(cells.size());
  std::iota(counted.begin(), counted.end(), 0);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume;
  copy.dstPtr = make_cudaPitchedPtr(cells.data(), row_bytes, row_bytes, height);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  checked("cudaMemcpy3D", [&] { return cudaMemcpy3D(&copy); });
  report.check(cells == counted, "cudaMemcpy3D leaves the padding behind, slice after slice");
}

}  // namespace cuimg::samples
