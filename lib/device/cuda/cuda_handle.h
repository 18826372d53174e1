// SPDX-License-Identifier: Apache-2.0
// The owner of every CUDA resource: move-only, freed without reporting errors, and not freed at all
// after the context is broken.
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "device/cuda/cuda_check.h"

namespace cuimg {

/// @tparam T a pointer or an object number; zero means none. @tparam destroy the function that
/// frees it.
template <class T, cudaError_t (*destroy)(T)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T resource) : resource_(resource) {}
  Handle(Handle&& other) noexcept : resource_(std::exchange(other.resource_, T{})) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      resource_ = std::exchange(other.resource_, T{});
    }
    return *this;
  }
  ~Handle() { reset(); }

  T get() const { return resource_; }
  /// The address to which a call writes the new resource: CUIMG_CUDA(cudaMalloc, handle.slot(),
  /// bytes).
  T* slot() {
    reset();
    return &resource_;
  }
  explicit operator bool() const { return resource_ != T{}; }
  void reset() noexcept {
    if (resource_ != T{})
      quietly("destroying a CUDA resource", [this] { return destroy(resource_); });
    resource_ = T{};
  }

 private:
  T resource_{};
};

using StreamHandle = Handle<cudaStream_t, cudaStreamDestroy>;
using EventHandle = Handle<cudaEvent_t, cudaEventDestroy>;
using ArrayHandle = Handle<cudaArray_t, cudaFreeArray>;
using MipmapHandle = Handle<cudaMipmappedArray_t, cudaFreeMipmappedArray>;
using DeviceMemoryHandle = Handle<void*, cudaFree>;
using PinnedMemoryHandle = Handle<void*, cudaFreeHost>;
using TextureHandle = Handle<cudaTextureObject_t, cudaDestroyTextureObject>;
using SurfaceHandle = Handle<cudaSurfaceObject_t, cudaDestroySurfaceObject>;

}  // namespace cuimg
