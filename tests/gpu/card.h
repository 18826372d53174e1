// SPDX-License-Identifier: Apache-2.0
// Common code of the tests on a card: they are skipped if there is none.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>

#include "device/cuda/cuda_queue.h"
#include "device/queue.h"

namespace cuimg {

inline constexpr PixelType every_type[] = {PixelType::u8, PixelType::u16, PixelType::half,
                                           PixelType::f32, PixelType::u32};

class Card : public testing::Test {
 protected:
  void SetUp() override {
    const DeviceList list = list_devices(false);
    if (list.devices.empty()) GTEST_SKIP() << list.problem;
    queue_ = std::make_unique<Queue>(Queue::cuda(0));
  }
  const Queue& queue() const { return *queue_; }
  CudaQueue& card() const { return queue_->card(); }

 private:
  std::unique_ptr<Queue> queue_;
};

inline Spec one_layer(const Rect& window, PixelType type, int channels) {
  Spec spec;
  spec.data_window = spec.display_window = window;
  LayerSpec layer;
  layer.type = type;
  for (int c = 0; c < channels; ++c) layer.channels.push_back(std::string(1, "RGBA"[c]));
  spec.layers = {layer};
  return spec;
}

/// Random bits, including NaN, infinities and denormals.
inline Image random_image(const Rect& window, PixelType type, int channels) {
  Image image(one_layer(window, type, channels));
  std::mt19937 random(static_cast<unsigned>(window.width * 31 + window.height * 7 + channels));
  for (int y = window.y; y < window.bottom(); ++y)
    for (std::size_t i = 0; i < image.row_bytes(0); ++i)
      image.row(0, y)[i] = static_cast<std::byte>(random() & 0xff);
  return image;
}

inline void expect_same(const Image& a, const Image& b, const std::string& what) {
  const Rect window = a.spec().data_window;
  for (int y = window.y; y < window.bottom(); ++y)
    ASSERT_EQ(std::memcmp(a.row(0, y), b.row(0, y), a.row_bytes(0)), 0) << what << ", row " << y;
}

inline Frame upload(const Queue& queue, const Image& image, Storage storage) {
  RowProgress ready;
  ready.finish();
  return queue.upload(image, 0, ready, storage);
}

inline Image download(const Queue& queue, const Frame& frame) {
  Image image(one_layer(frame.region(), frame.format().type, frame.format().channels));
  RowProgress done;
  queue.download(frame, image, 0, done);
  done.wait_for(frame.region().height);
  return image;
}

}  // namespace cuimg
