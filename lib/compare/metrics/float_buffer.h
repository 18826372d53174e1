// SPDX-License-Identifier: Apache-2.0
// Floats of a picture, in the same kind of memory as an image: in huge pages, reused from earlier
// buffers, and not cleared, so that each thread that fills a part touches its pages first.
#pragma once

#include <cstddef>

#include "image/pixel_memory.h"

namespace cuimg {

class FloatBuffer {
 public:
  /// Makes room for that many. Earlier content is lost, and nothing is cleared. @throws Error.
  void resize(std::size_t count) {
    memory_ = allocate_pixels(count * sizeof(float), "a metric's");
    count_ = count;
  }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  float* data() { return reinterpret_cast<float*>(memory_.get()); }
  const float* data() const { return reinterpret_cast<const float*>(memory_.get()); }
  float& operator[](std::size_t i) { return data()[i]; }
  float operator[](std::size_t i) const { return data()[i]; }
  const float* begin() const { return data(); }
  const float* end() const { return data() + count_; }

 private:
  PixelMemory memory_;
  std::size_t count_ = 0;
};

}  // namespace cuimg
