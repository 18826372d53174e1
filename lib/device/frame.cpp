// SPDX-License-Identifier: Apache-2.0
// Frames over host rows, and the handle to a card's pixels.
#include "device/frame.h"

#include <cstdlib>

#include "image/error.h"

namespace cuimg {

Frame Frame::over_host(const FrameFormat& format, std::byte* first, std::ptrdiff_t pitch) {
  Frame frame;
  frame.format_ = format;
  frame.format_.storage = Storage::host;
  frame.first_ = first;
  frame.pitch_ = pitch;
  return frame;
}

Frame Frame::new_host(const FrameFormat& format) {
  FrameFormat host = format;
  host.storage = Storage::host;
  const std::size_t width = host.region.empty() ? 0 : static_cast<std::size_t>(host.region.width);
  const std::size_t height = host.region.empty() ? 0 : static_cast<std::size_t>(host.region.height);
  const std::size_t row_bytes = width * host.pixel_bytes();
  // Rounded up, so that a vector load of the last pixels stays inside.
  const std::size_t bytes = (row_bytes * height + 64 + 63) / 64 * 64;
  std::shared_ptr<void> memory(std::aligned_alloc(64, bytes), std::free);
  if (memory == nullptr)
    throw Error("memory", "no " + std::to_string(bytes) + " bytes for a frame's pixels");
  Frame frame = over_host(host, static_cast<std::byte*>(memory.get()),
                          static_cast<std::ptrdiff_t>(row_bytes));
  frame.owner_ = std::move(memory);
  return frame;
}

Frame Frame::over_image(const Image& image, int layer) {
  const LayerSpec& spec = image.spec().layers.at(static_cast<std::size_t>(layer));
  const FrameFormat format = {image.spec().data_window, spec.type, spec.channel_count(),
                              Storage::host};
  const std::byte* first = format.region.empty() ? nullptr : image.row(layer, format.region.y);
  return over_host(format, const_cast<std::byte*>(first),
                   static_cast<std::ptrdiff_t>(image.row_bytes(layer)));
}

Frame Frame::on_card(const FrameFormat& format, std::shared_ptr<CudaPixels> pixels) {
  Frame frame;
  frame.format_ = format;
  frame.card_ = std::move(pixels);
  return frame;
}

Frame Frame::cropped(const Rect& part) const {
  Frame frame = *this;
  frame.format_.region = part;
  frame.first_ = part.empty() ? first_ : pixel(part.x, part.y);
  return frame;
}

}  // namespace cuimg
