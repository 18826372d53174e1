// SPDX-License-Identifier: Apache-2.0
// Pixel memory of an image.
#include "image/image.h"

#include <cstdlib>

#include "image/error.h"

namespace cuimg {

void Image::Free::operator()(std::byte* memory) const { std::free(memory); }

Image::Image(Spec spec) : spec_(std::move(spec)) {
  for (int i = 0; i < static_cast<int>(spec_.layers.size()); ++i) {
    // Rounded up, so that a vector load of the last pixels stays inside.
    const std::size_t rows = row_bytes(i) * static_cast<std::size_t>(spec_.data_window.height);
    const std::size_t size = (rows + 64 + 63) / 64 * 64;
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, size));
    if (memory == nullptr)
      throw Error("memory", "no " + std::to_string(size) + " bytes for an image's pixels");
    planes_.emplace_back(memory);
  }
}

std::size_t Image::row_bytes(int layer) const {
  return spec_.layers[static_cast<std::size_t>(layer)].pixel_bytes() *
         static_cast<std::size_t>(spec_.data_window.width);
}

std::byte* Image::row(int layer, int y) {
  return planes_[static_cast<std::size_t>(layer)].get() +
         row_bytes(layer) * static_cast<std::size_t>(y - spec_.data_window.y);
}

const std::byte* Image::row(int layer, int y) const {
  return const_cast<Image*>(this)->row(layer, y);
}

}  // namespace cuimg
