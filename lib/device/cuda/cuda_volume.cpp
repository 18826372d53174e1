// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_volume.h"

namespace cuimg {

CudaVolume::CudaVolume(CudaQueue& queue, const float* texels, int size)
    : queue_(queue.shared_from_this()) {
  constexpr TexelFormat format{PixelType::f32, 4};
  const auto side = static_cast<std::size_t>(size);
  const cudaExtent extent = make_cudaExtent(side, side, side);
  const cudaChannelFormatDesc channels = format.description();
  queue.make_current();
  cudaArray_t array = nullptr;
  checked("cudaMalloc3DArray",
          [&] { return cudaMalloc3DArray(&array, &channels, extent, cudaArrayDefault); });
  array_ = ArrayHandle(array);

  cudaMemcpy3DParms copy = {};
  // The copy reads only.
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels), side * format.bytes(), side, side);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  checked("cudaMemcpy3DAsync", [&] { return cudaMemcpy3DAsync(&copy, queue.stream()); });

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  checked("cudaCreateTextureObject",
          [&] { return cudaCreateTextureObject(&object, &resource, &description, nullptr); });
  texture_ = TextureHandle(object);
}

// A queued kernel may still read through the texture.
CudaVolume::~CudaVolume() {
  set_current_card(queue_->device());
  quietly("cudaSetDevice", [this] { return cudaSetDevice(queue_->device()); });
  quietly("cudaStreamSynchronize", [this] { return cudaStreamSynchronize(queue_->stream()); });
}

}  // namespace cuimg
