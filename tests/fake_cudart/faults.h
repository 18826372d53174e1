// SPDX-License-Identifier: Apache-2.0
// Common code of tests with failing cards: each case is a separate process on the fake runtime.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>

#include "device/cuda/cuda_queue.h"
#include "device/queue.h"
#include "fake_cudart.h"

namespace cuimg {

inline Image small_image(int channels, PixelType type = PixelType::u8, int width = 5,
                         int height = 4) {
  Spec spec;
  spec.data_window = spec.display_window = {0, 0, width, height};
  LayerSpec layer;
  layer.type = type;
  for (int c = 0; c < channels; ++c) layer.channels.push_back(std::string(1, "RGBA"[c]));
  spec.layers = {layer};
  Image image(spec);
  for (int y = 0; y < height; ++y)
    for (std::size_t i = 0; i < image.row_bytes(0); ++i)
      image.row(0, y)[i] = static_cast<std::byte>(static_cast<std::size_t>(y) * 37 + i);
  return image;
}

inline void round_trip(const Queue& queue, Storage storage, int channels = 4, int height = 4) {
  const Image image = small_image(channels, PixelType::u8, 5, height);
  Image back(image.spec());
  RowProgress ready, done;
  ready.finish();
  queue.download(queue.upload(image, 0, ready, storage), back, 0, done);
  done.wait_for(height);
  for (int y = 0; y < height; ++y)
    for (std::size_t i = 0; i < image.row_bytes(0); ++i)
      if (back.row(0, y)[i] != image.row(0, y)[i]) throw Error("test", "the pixels differ");
}

// Each case runs in its own process, because a broken context stays broken. The work's error is
// printed to standard error, where the test looks for it. At the end no CUDA resource may exist.
class Faults : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "cuimg_faults_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static void run(const char* rules, const std::function<void()>& work) {
    fake_cuda_rules(rules);
    try {
      work();
      std::cerr << "done";
    } catch (const DeviceError& error) {
      std::cerr << "DeviceError " << error.code() << ": " << error.what();
    } catch (const std::exception& error) {
      std::cerr << "other error: " << error.what();
    }
    if (device_usable() && fake_cuda_live_resources() != 0)
      std::cerr << "; " << fake_cuda_live_resources() << " resources leaked";
    std::cerr << std::endl;
    std::_Exit(0);
  }
  static void open_and_transfer() {
    const Queue queue = Queue::cuda(0);
    round_trip(queue, Storage::array);
    round_trip(queue, Storage::pitched);
  }
  std::string folder_;
};

}  // namespace cuimg

#define EXPECT_OUTCOME(rules, work, text) \
  EXPECT_EXIT(run(rules, work), testing::ExitedWithCode(0), text)
