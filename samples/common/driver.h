// SPDX-License-Identifier: Apache-2.0
// The driver's own functions. They are looked up at run time: a program linked to libcuda would not
// even start without a driver. For nvcc.
#pragma once

#include <cuda.h>

#include "common/card.h"
#include "common/sample.h"

namespace cuimg::samples {

/// A function of the driver in its form for CUDA 12.0. @throws Error if there is none.
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
