// SPDX-License-Identifier: Apache-2.0
// Copies that a stream makes directly from or to an image's memory: the image may be destroyed or
// read only after them.
#pragma once

#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_handle.h"

namespace cuimg {

/// Its destructor waits where wait() was not reached.
class CopiesUnderWay {
 public:
  /// @throws DeviceError.
  explicit CopiesUnderWay(cudaStream_t stream) : stream_(stream) {
    // Blocking: other images need the cores meanwhile.
    CUIMG_CUDA(cudaEventCreateWithFlags, passed_.slot(),
               cudaEventDisableTiming | cudaEventBlockingSync);
  }
  ~CopiesUnderWay() {
    if (!is_over_) CUIMG_CUDA_QUIETLY(cudaStreamSynchronize, stream_);
  }
  CopiesUnderWay(const CopiesUnderWay&) = delete;
  CopiesUnderWay& operator=(const CopiesUnderWay&) = delete;

  /// For all that was queued on the stream until now. @throws DeviceError.
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
