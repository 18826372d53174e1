// SPDX-License-Identifier: Apache-2.0
// The driver's own calls. They are looked up when the program runs: linked to libcuda it would not
// even start where no driver is installed. For nvcc.
#pragma once

#include <cuda.h>

#include "common/card.h"
#include "common/sample.h"

namespace cuimg::samples {

/// A function of the driver's as CUDA 12.0 has it. @throws Error when there is none.
template <class Function>
Function* driver_call(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  checked("cudaGetDriverEntryPointByVersion", [&] {
    return cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found);
  });
  if (found != cudaDriverEntryPointSuccess) throw Error(name, "the driver has no such call");
  return reinterpret_cast<Function*>(function);
}

inline void check_driver(CUresult code, const char* call) {
  if (code != CUDA_SUCCESS) throw Error(call, text("CUresult %d", static_cast<int>(code)));
}

}  // namespace cuimg::samples
