// SPDX-License-Identifier: Apache-2.0
// Frames over host memory.
#include "device/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace cuimg {
namespace {

TEST(Frame, AddressesPixelsAbsolutely) {
  const Frame frame = Frame::new_host({{-4, 10, 5, 3}, PixelType::u16, 3, Storage::pitched});
  EXPECT_EQ(frame.format().storage, Storage::host);
  EXPECT_EQ(frame.pitch(), 5 * 3 * 2);
  EXPECT_EQ(frame.pixel(-4, 11) - frame.pixel(-4, 10), frame.pitch());
  EXPECT_EQ(frame.pixel(0, 12) - frame.pixel(-4, 10), 2 * frame.pitch() + 4 * 6);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame.pixel(-4, 10)) % 64, 0u);
}

TEST(Frame, CroppingKeepsAddresses) {
  const Frame frame = Frame::new_host({{0, 0, 9, 9}, PixelType::f32, 4, Storage::host});
  const Frame part = frame.cropped({2, 3, 4, 5});
  EXPECT_EQ(part.pixel(2, 3), frame.pixel(2, 3));
  EXPECT_EQ(part.pixel(5, 7), frame.pixel(5, 7));
  EXPECT_EQ(part.region(), (Rect{2, 3, 4, 5}));
}

TEST(Frame, CopiesShareTheirPixels) {
  Frame copy;
  {
    const Frame frame = Frame::new_host({{0, 0, 2, 2}, PixelType::f32, 1, Storage::host});
    *frame.pixel_as<float>(1, 1) = 3.5f;
    copy = frame;
  }
  EXPECT_EQ(*copy.pixel_as<float>(1, 1), 3.5f);
}

TEST(Frame, FramesAliveTogetherHaveMemoryOfTheirOwnThoughBlocksAreReused) {
  std::vector<Frame> alive;
  for (int i = 0; i < 40; ++i) {
    const int size = 1 + i * 37 % 700;
    const Frame frame = Frame::new_host({{0, 0, size, size}, PixelType::f32, 4, Storage::host});
    for (int y = 0; y < size; ++y)
      std::fill_n(frame.pixel_as<float>(0, y), 4 * size, static_cast<float>(i));
    if (i % 3 != 0) alive.push_back(frame);  // the others are freed immediately
    if (i % 8 == 7) alive.erase(alive.begin(), alive.begin() + 2);
  }
  float before = -1;
  for (const Frame& frame : alive) {
    const int size = frame.region().width;
    const float first = *frame.pixel_as<float>(0, 0);
    EXPECT_GT(first, before);
    EXPECT_EQ(size, 1 + static_cast<int>(first) * 37 % 700);
    for (int y = 0; y < size; ++y) {
      EXPECT_EQ(*frame.pixel_as<float>(0, y), first);
      EXPECT_EQ(frame.pixel_as<float>(size - 1, y)[3], first);
    }
    before = first;
  }
}

TEST(Frame, OutlivesTheThreadThatMadeIt) {
  Frame frame;
  std::thread([&] {
    frame = Frame::new_host({{0, 0, 300, 300}, PixelType::f32, 4, Storage::host});
    std::fill_n(frame.pixel_as<float>(0, 0), 300 * 300 * 4, 2.0f);
  }).join();
  EXPECT_EQ(frame.pixel_as<float>(299, 299)[3], 2.0f);
}

TEST(Frame, ThreeChannelsLieAsFourOnACardOnly) {
  EXPECT_EQ((FrameFormat{{}, PixelType::half, 3, Storage::host}).pixel_bytes(), 6u);
  EXPECT_EQ((FrameFormat{{}, PixelType::half, 3, Storage::array}).pixel_bytes(), 8u);
  EXPECT_EQ((FrameFormat{{}, PixelType::u8, 2, Storage::pitched}).pixel_bytes(), 2u);
}

TEST(Frame, MayBeEmpty) {
  const Frame frame = Frame::new_host({{3, 3, 0, 5}, PixelType::f32, 4, Storage::host});
  EXPECT_TRUE(frame.empty());
  EXPECT_TRUE(frame.cropped({3, 3, 0, 0}).empty());
  EXPECT_TRUE(Frame().empty());
}

}  // namespace
}  // namespace cuimg
