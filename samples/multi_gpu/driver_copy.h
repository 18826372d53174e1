// SPDX-License-Identifier: Apache-2.0
// The driver API's copy between cards. For nvcc.
#pragma once

#include <cstddef>

#include "common/driver.h"
#include "multi_gpu/cards.h"

namespace cuimg::samples {

class DriverApi {
 public:
  /// The runtime's context on a card. Memory and streams of the runtime belong to it.
  CUcontext context_on(int card) const {
    CUcontext context = nullptr;
    use_card(card);
    check_driver(get_current_(&context), "cuCtxGetCurrent");
    return context;
  }
  /// Starts the copy and does not wait for it. @pre the stream belongs to the current card.
  void copy(void* to, CUcontext target, const void* from, CUcontext source, std::size_t bytes,
            cudaStream_t stream) const {
    const auto address = [](const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); };
    check_driver(copy_peer_(address(to), target, address(from), source, bytes, stream),
                 "cuMemcpyPeerAsync");
  }

 private:
  decltype(cuCtxGetCurrent)* get_current_ =
      driver_call<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent");
  decltype(cuMemcpyPeerAsync)* copy_peer_ =
      driver_call<decltype(cuMemcpyPeerAsync)>("cuMemcpyPeerAsync");
};

}  // namespace cuimg::samples
