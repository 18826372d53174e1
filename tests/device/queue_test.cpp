// SPDX-License-Identifier: Apache-2.0
// Work on the CPU's threads: order, failures, IEEE floating point.
#include "device/queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/threads.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace cuimg {
namespace {

TEST(CpuQueue, RunsEveryItemOnce) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> runs(1000);
    Queue::cpu(threads).for_each(1000, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& count : runs) ASSERT_EQ(count, 1);
  }
}

TEST(CpuQueue, DoesNothingForNoItems) {
  Queue::cpu(2).for_each(0, [](int) { FAIL(); });
  Queue::cpu(2).for_each(-3, [](int) { FAIL(); });
}

TEST(CpuQueue, StartsItemsInAscendingOrder) {
  const Queue queue = Queue::cpu(4);
  std::mutex mutex;
  std::vector<int> started;
  queue.for_each(500, [&](int i) {
    std::lock_guard lock(mutex);
    started.push_back(i);
  });
  // When an item is recorded, all items before it have been taken, but three threads may not have
  // recorded theirs yet.
  for (std::size_t k = 0; k < started.size(); ++k) EXPECT_LE(started[k], static_cast<int>(k) + 3);
  const Queue one = Queue::cpu(1);
  started.clear();
  one.for_each(100, [&](int i) { started.push_back(i); });
  std::vector<int> ascending(100);
  std::iota(ascending.begin(), ascending.end(), 0);
  EXPECT_EQ(started, ascending);
}

TEST(CpuQueue, ThrowsTheFirstFailureAndStartsNothingMore) {
  for (const int threads : {1, 3}) {
    std::atomic<int> runs{0};
    try {
      Queue::cpu(threads).for_each(100000, [&](int i) {
        ++runs;
        if (i == 5) throw std::runtime_error("item 5");
        // Meanwhile the thread of item 5 may have to wait for a processor.
        std::this_thread::sleep_for(std::chrono::microseconds(10));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "item 5");
    }
    EXPECT_LT(runs, 100000);
  }
}

TEST(CpuQueue, RunsInsideItsOwnItems) {
  const Queue queue = Queue::cpu(3);
  std::atomic<int> runs{0};
  queue.for_each(4, [&](int) { queue.for_each(50, [&](int) { ++runs; }); });
  EXPECT_EQ(runs, 200);
}

TEST(CpuQueue, LetsOneCallWaitForTheRowsOfAnother) {
  // The items of a filter wait for rows that the items of a decoder make on the same queue.
  const Queue queue = Queue::cpu(2);
  RowProgress rows;
  std::atomic<int> filtered{0};
  std::thread filter([&] {
    queue.for_each(8, [&](int i) {
      rows.wait_for(i + 1);
      ++filtered;
    });
  });
  std::mutex mutex;
  int made = 0;
  queue.for_each(8, [&](int) {
    std::lock_guard lock(mutex);
    rows.advance(++made);
  });
  filter.join();
  EXPECT_EQ(filtered, 8);
}

#if defined(__x86_64__)
using FloatControl = unsigned;
constexpr FloatControl flushes = 0x8040u;  // flush to zero, denormals are zero
FloatControl float_control() { return _mm_getcsr(); }
void set_float_control(FloatControl control) { _mm_setcsr(control); }
#elif defined(__aarch64__)
using FloatControl = std::uint64_t;
constexpr FloatControl flushes = 0x1000000u;
FloatControl float_control() {
  FloatControl control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
void set_float_control(FloatControl control) { asm volatile("msr fpcr, %0" : : "r"(control)); }
#endif

#if defined(__x86_64__) || defined(__aarch64__)
TEST(CpuQueue, KeepsDenormalsWhateverTheCallerHasSet) {
  const FloatControl before = float_control();
  set_float_control(before | flushes);
  std::atomic<int> kept{0};
  for (const int threads : {1, 4})
    Queue::cpu(threads).for_each(64, [&](int) {
      volatile float smallest_normal = 0x1p-126f;
      volatile float half = smallest_normal * 0.5f;
      if (half + half == smallest_normal) ++kept;
    });
  EXPECT_EQ(float_control() & flushes, flushes) << "the caller's setting is restored";
  set_float_control(before);
  EXPECT_EQ(kept, 128);
}
#endif

// oneTBB would print a warning about contradictory limits.
TEST(CpuQueue, OfDifferentSizesNothingIsPrinted) {
  testing::internal::CaptureStderr();
  const int most = 4 * hardware_threads();
  const Queue small = Queue::cpu(most / 2 + 1), large = Queue::cpu(most);
  std::atomic<int> runs = 0;
  for (const Queue* queue : {&large, &small, &large}) queue->for_each(1000, [&](int) { ++runs; });
  EXPECT_EQ(runs, 3000);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(CpuQueue, NamesItself) {
  EXPECT_EQ(Queue::cpu(1).name(), "cpu (1 thread)");
  EXPECT_EQ(Queue::cpu(3).name(), "cpu (3 threads)");
  EXPECT_GE(Queue::cpu().threads(), 1);
}

Image numbered_image(const Rect& window, int channels) {
  Spec spec;
  spec.data_window = spec.display_window = window;
  LayerSpec layer;
  for (int c = 0; c < channels; ++c) layer.channels.push_back(std::string(1, "RGBA"[c]));
  spec.layers = {layer};
  Image image(spec);
  float number = 0;
  for (int y = window.y; y < window.bottom(); ++y)
    for (int i = 0; i < window.width * channels; ++i)
      reinterpret_cast<float*>(image.row(0, y))[i] = number++;
  return image;
}

TEST(CpuQueue, UploadsAViewAndDownloadsIntoRows) {
  const Queue queue = Queue::cpu(2);
  const Rect window{-3, 5, 7, 4};
  const Image image = numbered_image(window, 3);
  RowProgress ready, done;
  ready.finish();
  const Frame frame = queue.upload(image, 0, ready, Storage::array);
  EXPECT_EQ(frame.pixel(-3, 5), image.row(0, 5)) << "no copy";
  Image copy(image.spec());
  queue.download(frame, copy, 0, done);
  done.wait_for(4);
  for (int y = 5; y < 9; ++y)
    EXPECT_EQ(std::memcmp(copy.row(0, y), image.row(0, y), image.row_bytes(0)), 0);
}

}  // namespace
}  // namespace cuimg
