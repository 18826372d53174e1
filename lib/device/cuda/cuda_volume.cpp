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
  CUIMG_CUDA(cudaMalloc3DArray, array_.slot(), &channels, extent, cudaArrayDefault);

  cudaMemcpy3DParms copy = {};
  // The copy only reads.
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels), side * format.bytes(), side, side);
  copy.dstArray = array_.get();
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CUIMG_CUDA(cudaMemcpy3DAsync, &copy, queue.stream());

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_.get();
  cudaTextureDesc description = {};
  for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.readMode = cudaReadModeElementType;
  CUIMG_CUDA(cudaCreateTextureObject, texture_.slot(), &resource, &description, nullptr);
}

// A queued kernel may still read through the texture.
CudaVolume::~CudaVolume() {
  set_current_card(queue_->device());
  CUIMG_CUDA_QUIETLY(cudaSetDevice, queue_->device());
  CUIMG_CUDA_QUIETLY(cudaStreamSynchronize, queue_->stream());
}

}  // namespace cuimg
