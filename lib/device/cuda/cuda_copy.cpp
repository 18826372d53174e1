// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_copy.h"

namespace cuimg {
namespace {

Frame allocate_pitched(CudaQueue& queue, FrameFormat format) {
  format.storage = Storage::pitched;
  return Frame::on_card(format, queue.allocate(format));
}

std::size_t row_bytes(const Frame& frame) {
  return static_cast<std::size_t>(frame.region().width) * frame.format().pixel_bytes();
}

}  // namespace

Frame pitched_copy(CudaQueue& queue, const Frame& frame) {
  if (frame.format().storage == Storage::pitched) return frame;
  Frame copy = allocate_pitched(queue, frame.format());
  CUIMG_CUDA(cudaMemcpy2DFromArrayAsync, copy.card().data(), copy.card().pitch_bytes(),
             frame.card().array(), 0, 0, row_bytes(frame),
             static_cast<std::size_t>(frame.region().height), cudaMemcpyDeviceToDevice,
             queue.stream());
  return copy;
}

Frame enlarged_copy(CudaQueue& queue, const Frame& frame, const Rect& region) {
  Frame copy = allocate_pitched(queue, frame.format().over(region));
  CudaPixels& to = copy.card();
  CUIMG_CUDA(cudaMemset2DAsync, to.data(), to.pitch_bytes(), 0, row_bytes(copy),
             static_cast<std::size_t>(region.height), queue.stream());
  const Rect& r = frame.region();
  char* const corner = static_cast<char*>(to.data()) +
                       static_cast<std::size_t>(r.y - region.y) * to.pitch_bytes() +
                       static_cast<std::size_t>(r.x - region.x) * copy.format().pixel_bytes();
  CUIMG_CUDA(cudaMemcpy2DAsync, corner, to.pitch_bytes(), frame.card().data(),
             frame.card().pitch_bytes(), row_bytes(frame), static_cast<std::size_t>(r.height),
             cudaMemcpyDeviceToDevice, queue.stream());
  return copy;
}

}  // namespace cuimg
