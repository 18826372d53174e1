// SPDX-License-Identifier: Apache-2.0
// The driver API's copy between cards. Its functions are looked up when the program runs: linked to
// libcuda it would not even start where no driver is installed. For nvcc.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "image/error.h"
#include "multi_gpu/cards.h"

namespace cuimg::samples {

class DriverApi {
 public:
  /// The runtime's context on a card, the one that its memory and its streams belong to.
  CUcontext context_on(int card) const {
    CUcontext context = nullptr;
    use_card(card);
    check("cuCtxGetCurrent", get_current_(&context));
    return context;
  }
  /// Waits for nothing. @pre the stream is of the current card.
  void copy(void* to, CUcontext target, const void* from, CUcontext source, std::size_t bytes,
            cudaStream_t stream) const {
    const auto address = [](const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); };
    check("cuMemcpyPeerAsync",
          copy_peer_(address(to), target, address(from), source, bytes, stream));
  }

 private:
  static void check(const char* call, CUresult code) {
    if (code != CUDA_SUCCESS)
      throw Error("multi_gpu/peer_memcpy", std::string(call) + " returns " + std::to_string(code));
  }
  // As CUDA 12.0 has it.
  template <class Function>
  static Function* look_up(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    checked("cudaGetDriverEntryPointByVersion", [&] {
      return cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found);
    });
    if (found != cudaDriverEntryPointSuccess)
      throw Error("multi_gpu/peer_memcpy", std::string("the driver has no ") + name);
    return reinterpret_cast<Function*>(function);
  }
  decltype(cuCtxGetCurrent)* get_current_ = look_up<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent");
  decltype(cuMemcpyPeerAsync)* copy_peer_ =
      look_up<decltype(cuMemcpyPeerAsync)>("cuMemcpyPeerAsync");
};

}  // namespace cuimg::samples
