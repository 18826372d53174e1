// SPDX-License-Identifier: Apache-2.0
// Copies that a stream makes directly from or to an image's memory. The image may only be destroyed
// or read after they are complete.
#pragma once

#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_handle.h"

namespace cuimg {

/// The destructor waits if wait() was not reached.
class CopiesUnderWay {
 public:
  /// @throws DeviceError.
  explicit CopiesUnderWay(cudaStream_t stream) : stream_(stream) {
    // A blocking wait, because other images need the cores.
    CUIMG_CUDA(cudaEventCreateWithFlags, passed_.slot(),
               cudaEventDisableTiming | cudaEventBlockingSync);
  }
  ~CopiesUnderWay() {
    if (!is_over_) CUIMG_CUDA_QUIETLY(cudaStreamSynchronize, stream_);
  }
  CopiesUnderWay(const CopiesUnderWay&) = delete;
  CopiesUnderWay& operator=(const CopiesUnderWay&) = delete;

  /// Waits for everything queued on the stream so far. @throws DeviceError.
  void wait() {
    CUIMG_CUDA(cudaEventRecord, passed_.get(), stream_);
    CUIMG_CUDA(cudaEventSynchronize, passed_.get());
    is_over_ = true;
  }

 private:
  cudaStream_t stream_;
  EventHandle passed_;
  bool is_over_ = false;
};

}  // namespace cuimg
