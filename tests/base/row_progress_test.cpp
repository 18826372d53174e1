// SPDX-License-Identifier: Apache-2.0
// How far a producer runs ahead of the consumers of its rows, and which used rows it frees.
#include "base/row_progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "image/image.h"

namespace cuimg {
namespace {

using namespace std::chrono_literals;

// Makes row after row in its own thread; `made` is the number of rows so far.
struct Producer {
  explicit Producer(RowProgress& progress, int rows)
      : thread([&progress, rows, this] {
          for (int row = 1; row <= rows; ++row) {
            made = row;
            progress.advance(row);
          }
          progress.finish();
          ended = true;
        }) {}
  // Whether the producer reaches `row` and has not gone further a while later.
  bool stays_at(int row) const {
    while (made < row) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(20ms);
    return made == row && !ended;
  }
  std::atomic<int> made{0};
  std::atomic<bool> ended{false};
  std::jthread thread;
};

TEST(RowProgress, WithoutALimitTheProducerNeverWaits) {
  RowProgress progress;
  Producer producer(progress, 100000);
  for (int i = 0; i < 10000 && !producer.ended; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(producer.ended) << "it waits after row " << producer.made;
  progress.abandon();  // otherwise a waiting producer would never end
}

TEST(RowProgress, AProducerStaysNearWhatIsReleased) {
  RowProgress progress;
  progress.keep_near(10, [](int, int) {});
  Producer producer(progress, 100);
  EXPECT_TRUE(producer.stays_at(10));
  progress.release(20);
  EXPECT_TRUE(producer.stays_at(30));
  progress.abandon();
  producer.thread.join();
  EXPECT_EQ(producer.made, 100);
}

TEST(RowProgress, WhatAConsumerWaitsForIsMadeWhateverTheLimit) {
  RowProgress progress;
  progress.keep_near(10, [](int, int) {});
  Producer producer(progress, 100);
  progress.wait_for(60);
  EXPECT_TRUE(producer.stays_at(60));
  progress.wait_for(INT32_MAX);
  EXPECT_EQ(producer.made, 100);
}

TEST(RowProgress, ReleasedRowsAreForgottenManyAtATime) {
  RowProgress progress;
  std::vector<std::pair<int, int>> forgotten;
  progress.keep_near(40, [&](int first, int last) { forgotten.emplace_back(first, last); });
  progress.advance(35);
  for (int row = 1; row <= 35; ++row) progress.release(row);
  progress.release(34);
  EXPECT_EQ(forgotten, (std::vector<std::pair<int, int>>{{0, 10}, {10, 20}, {20, 30}}));
}

TEST(RowProgress, RowsReleasedBeforeTheyAreMadeAreForgottenThen) {
  RowProgress progress;
  std::vector<std::pair<int, int>> forgotten;
  progress.keep_near(40, [&](int first, int last) { forgotten.emplace_back(first, last); });
  progress.release(INT_MAX);
  EXPECT_TRUE(forgotten.empty());  // the producer may be writing to any of them
  for (int row = 1; row <= 25; ++row) progress.advance(row);
  progress.finish();
  EXPECT_EQ(forgotten, (std::vector<std::pair<int, int>>{{0, 10}, {10, 20}, {20, INT_MAX}}));
}

TEST(RowProgress, AFailureReachesEveryThreadThatWaits) {
  RowProgress progress;
  progress.keep_near(10, [](int, int) {});
  std::jthread failing([&] {
    progress.advance(5);
    progress.fail(std::make_exception_ptr(std::runtime_error("bad row")));
  });
  EXPECT_THROW(progress.wait_for(6), std::runtime_error);
  progress.wait_for(5);
}

TEST(Image, ForgetsRowsAndKeepsTheOthers) {
  Spec spec;
  spec.data_window = spec.display_window = {3, -7, 1000, 3000};
  spec.layers = {{"", {"Y"}, PixelType::u8}, {"", {"Z"}, PixelType::f32}};
  Image image(spec);
  for (int layer = 0; layer < 2; ++layer)
    for (int y = -7; y < 2993; ++y)
      std::fill_n(image.row(layer, y), image.row_bytes(layer), std::byte{0x5a});
  image.forget_rows(0, 1500);
  image.forget_rows(1500, INT32_MAX - 5000);
  for (int layer = 0; layer < 2; ++layer) EXPECT_EQ(image.row(layer, 0)[0], std::byte{0});
  Image other(spec);
  std::fill_n(other.row(0, -7), other.row_bytes(0), std::byte{1});
  other.forget_rows(0, 0);
  EXPECT_EQ(other.row(0, -7)[0], std::byte{1});
  for (int y = -7; y < 2993; ++y) std::fill_n(other.row(1, y), other.row_bytes(1), std::byte{0x5a});
  other.forget_rows(0, 1501);
  for (int y = 1501 - 7; y < 2993; ++y) ASSERT_EQ(other.row(1, y)[0], std::byte{0x5a}) << y;
}

}  // namespace
}  // namespace cuimg
