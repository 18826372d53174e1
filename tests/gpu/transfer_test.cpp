// SPDX-License-Identifier: Apache-2.0
// Pixels to the card and back, in every type, channel count and layout; reuse of memory.
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

#include "card.h"
#include "device/cuda/cuda_pinned.h"
#include "device/pinned_pixels.h"
#include "image/pixel_reuse.h"
#include "map_kernels.h"

namespace cuimg {
namespace {

const Rect odd_windows[] = {{0, 0, 1, 1},    {0, 0, 1, 7},        {-5, 3, 7, 1},
                            {2, -9, 33, 17}, {0, 0, 257, 129},    {0, 0, 4096, 3},
                            {0, 0, 3, 4099}, {-100, 50, 701, 903}};

class Transfer : public Card {};

TEST_F(Transfer, EveryTypeAndChannelCountReturnsAsItWent) {
  for (const PixelType type : every_type)
    for (int channels = 1; channels <= 4; ++channels)
      for (const Storage storage : {Storage::array, Storage::pitched})
        for (const Rect& window : odd_windows) {
          const Image image = random_image(window, type, channels);
          const Frame frame = upload(queue(), image, storage);
          EXPECT_EQ(frame.format().storage, storage);
          EXPECT_EQ(frame.region(), window);
          expect_same(download(queue(), frame), image,
                      std::string(name_of(type)) + " x" + std::to_string(channels) +
                          (storage == Storage::array ? " array " : " pitched ") +
                          std::to_string(window.width) + "x" + std::to_string(window.height));
        }
}

TEST_F(Transfer, TheWidestRowFits) {
  for (const int channels : {3, 4}) {
    const Image image = random_image({0, 0, 1 << 17, 2}, PixelType::f32, channels);
    expect_same(download(queue(), upload(queue(), image, Storage::array)), image, "wide");
  }
}

TEST_F(Transfer, ASlowProducersRowsArriveInWhateverStepsTheyCome) {
  const Image image = random_image({0, 0, 2000, 1500}, PixelType::f32, 3);  // 36 MB
  RowProgress ready;
  std::thread producer([&] {
    for (int rows = 0; rows < 1500; rows += 1 + rows % 97) {
      ready.advance(rows);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ready.finish();
  });
  const Frame frame = queue().upload(image, 0, ready, Storage::array);
  producer.join();
  expect_same(download(queue(), frame), image, "slow producer");
  EXPECT_LE(card().ring().slots_made(), PinnedRing::slot_count);
}

TEST_F(Transfer, RowsAreAnnouncedAsTheyArrive) {
  const Image image = random_image({0, 0, 1000, 2000}, PixelType::u16, 4);
  const Frame frame = upload(queue(), image, Storage::pitched);
  Image back(image.spec());
  RowProgress done;
  std::thread consumer([&] {
    for (int y = 0; y < 2000; ++y) {
      done.wait_for(y + 1);
      ASSERT_EQ(std::memcmp(back.row(0, y), image.row(0, y), image.row_bytes(0)), 0) << y;
    }
  });
  queue().download(frame, back, 0, done);
  consumer.join();
}

TEST_F(Transfer, APartGoesToItsPlace) {
  const Image whole = random_image({-10, -10, 100, 80}, PixelType::u8, 3);
  const Image part = random_image({5, 7, 31, 13}, PixelType::u8, 3);
  Image target = random_image({-10, -10, 100, 80}, PixelType::u8, 3);
  RowProgress done;
  queue().download(upload(queue(), part, Storage::array), target, 0, done);
  for (int y = -10; y < 70; ++y)
    for (int i = 0; i < 300; ++i) {
      const int x = i / 3 - 10;
      const bool inside = x >= 5 && x < 36 && y >= 7 && y < 20;
      ASSERT_EQ(target.row(0, y)[i], inside ? part.row(0, y)[i - 45] : whole.row(0, y)[i]);
    }
}

TEST_F(Transfer, ManyThreadsShareOneRing) {
  const Image image = random_image({0, 0, 1500, 1000}, PixelType::half, 4);  // 12 MB each way
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3; ++i)
        expect_same(
            download(queue(), upload(queue(), image, t % 2 ? Storage::array : Storage::pitched)),
            image, "thread " + std::to_string(t));
    });
  for (std::thread& thread : threads) thread.join();
}

// Blocks that an earlier image used are pinned and copied directly.
TEST_F(Transfer, PixelsThatWereAnotherImagesReturnAsTheyWent) {
  const PixelReuse reuse;
  const Rect window = {-20, 30, 1201, 903}, inside = {5, 47, 1003, 806};
  for (int round = 0; round < 3; ++round)
    for (const int channels : {1, 3, 4})
      for (const Storage storage : {Storage::array, Storage::pitched}) {
        const Image image = random_image(window, PixelType::u16, channels);
        const std::string what = std::to_string(round) + " x" + std::to_string(channels);
        // Earlier images had pixels of this size.
        if (storage == Storage::pitched) {
          EXPECT_TRUE(is_pinned(image.memory(0), 0)) << what;
        }
        expect_same(download(queue(), upload(queue(), image, storage)), image, what);
        RowProgress ready, done;
        ready.finish();
        Image back(image.spec());
        for (int y = window.y; y < window.bottom(); ++y)
          std::memset(back.row(0, y), 0x5a, back.row_bytes(0));
        queue().download(queue().upload(image, 0, inside, ready, storage), back, 0, done);
        done.wait_for(inside.bottom() - window.y);
        for (int y = window.y; y < window.bottom(); ++y)
          for (std::size_t i = 0; i < back.row_bytes(0); ++i) {
            const int x = window.x + static_cast<int>(i) / (2 * channels);
            ASSERT_EQ(back.row(0, y)[i],
                      inside.contains(Rect{x, y, 1, 1}) ? image.row(0, y)[i] : std::byte{0x5a})
                << what << " at " << x << ", " << y;
          }
      }
}

// Done only for an image that is alone, whatever else is copied meanwhile.
TEST_F(Transfer, PixelsThatArePinnedForOneImageReturnAsTheyWent) {
  for (const int channels : {1, 3, 4}) {
    const Image image = random_image({-20, 30, 1601, 1203}, PixelType::half, channels);
    Image back(image.spec());
    std::thread pinning([&] {
      pin_pixels(queue(), image, 0);
      pin_pixels(queue(), back, 0);
    });
    const Image first = download(queue(), upload(queue(), image, Storage::array));
    pinning.join();
    EXPECT_TRUE(is_pinned(image.memory(0), 0)) << channels;
    EXPECT_TRUE(is_pinned(back.memory(0), 0)) << channels;
    RowProgress done;
    queue().download(upload(queue(), image, Storage::pitched), back, 0, done);
    expect_same(first, image, "meanwhile");
    expect_same(back, image, std::to_string(channels));
  }
}

TEST_F(Transfer, SmallPixelsAndRowsThatAreForgottenAreNotPinned) {
  const Image small = random_image({0, 0, 100, 100}, PixelType::u8, 4);
  const Image some_rows(one_layer({0, 0, 2000, 2000}, PixelType::f32, 1), Held::some_rows);
  for (const Image* const image : {&small, &some_rows}) {
    pin_pixels(queue(), *image, 0);
    EXPECT_FALSE(is_pinned(image->memory(0), 0));
  }
}

// @returns the system's policy for placing memory pages, MPOL_..., if it is known.
std::optional<int> placement_of(const std::byte* memory) {
  int mode = 0;
  const long failed = syscall(SYS_get_mempolicy, &mode, nullptr, 0, memory, MPOL_F_ADDR);
  return failed == 0 ? std::optional(mode) : std::nullopt;
}

TEST_F(Transfer, PinnedPixelsLieNearTheCard) {
  int node = -1;
  ASSERT_EQ(cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, 0), cudaSuccess);
  if (node < 0) GTEST_SKIP() << "the card is near no memory";
  Image mine({.data_window = {0, 0, 1024, 1024}, .layers = {{"", {"Y"}, PixelType::f32}}});
  const auto begin = (reinterpret_cast<std::uintptr_t>(mine.row(0, 0)) + 4095) / 4096 * 4096;
  const unsigned long nodes = 1ul << node;
  if (syscall(SYS_mbind, begin, 1 << 20, MPOL_PREFERRED, &nodes, 65ul, 0) != 0)
    GTEST_SKIP() << "the system lets nobody place memory";
  const PixelReuse reuse;
  for (int round = 0; round < 2; ++round) {
    const Image image = random_image({0, 0, 1201, 903}, PixelType::u16, 4);
    if (round == 0) continue;
    ASSERT_TRUE(is_pinned(image.memory(0), 0));
    EXPECT_EQ(placement_of(image.row(0, 400)), MPOL_PREFERRED);
  }
}

TEST_F(Transfer, TwoQueuesOfOneCardWorkSideBySide) {
  const Queue other = Queue::cuda(0);
  const Image image = random_image({0, 0, 999, 777}, PixelType::f32, 3);
  std::thread beside([&] {
    for (int i = 0; i < 4; ++i)
      expect_same(download(other, upload(other, image, Storage::array)), image, "other queue");
  });
  for (int i = 0; i < 4; ++i)
    expect_same(download(queue(), upload(queue(), image, Storage::pitched)), image, "this queue");
  beside.join();
}

TEST_F(Transfer, TablesLargerThanASlotTravel) {
  std::vector<int> values(1 << 21);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 2654435761u);
  EXPECT_EQ((DeviceTable<int>(card(), std::span<const int>(values)).to_host()), values);
  EXPECT_TRUE(DeviceTable<int>(card(), 0).to_host().empty());
}

TEST_F(Transfer, MemoryAndArraysAreUsedAgain) {
  const FrameFormat rows = {{0, 0, 640, 480}, PixelType::f32, 4, Storage::pitched};
  FrameFormat array = rows;
  array.storage = Storage::array;
  { const Frame a = queue().allocate(rows), b = queue().allocate(array); }
  const auto before = card().pool().statistics();
  for (int i = 0; i < 20; ++i) const Frame a = queue().allocate(rows), b = queue().allocate(array);
  const auto after = card().pool().statistics();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.reuses, before.reuses + 40);
  EXPECT_EQ(after.idle_bytes, before.idle_bytes);
  card().pool().trim();
  EXPECT_EQ(card().pool().statistics().idle_bytes, 0u);
}

TEST_F(Transfer, FramesThatOutliveTheirQueueKeepIt) {
  const Image image = random_image({0, 0, 65, 43}, PixelType::u8, 3);
  Frame frame;
  std::shared_ptr<CudaQueue> kept;
  {
    const Queue passing = Queue::cuda(0);
    frame = upload(passing, image, Storage::array);
    kept = passing.card().shared_from_this();
  }
  EXPECT_EQ(&frame.card().queue(), kept.get());
  expect_same(download(queue(), frame), image, "outlived");
}

TEST_F(Transfer, AFrameTooLargeForATextureIsRefused) {
  EXPECT_THROW(queue().allocate({{0, 0, 1, 1 << 17}, PixelType::u8, 1, Storage::array}),
               DeviceError);
  const Frame rows = queue().allocate({{0, 0, 1, 1 << 17}, PixelType::u8, 1, Storage::pitched});
  EXPECT_THROW(rows.card().texture({}), DeviceError);
}

TEST_F(Transfer, MoreMemoryThanThereIsIsAnErrorAndTheCardStaysUsable) {
  try {
    std::vector<Frame> frames;
    for (int i = 0; i < 1000; ++i)
      frames.push_back(
          queue().allocate({{0, 0, 1 << 17, 1 << 16}, PixelType::u8, 1, Storage::pitched}));
    FAIL() << "eight terabytes";
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.code(), 2);
  }
  const Image image = random_image({0, 0, 33, 17}, PixelType::f32, 4);
  expect_same(download(queue(), upload(queue(), image, Storage::array)), image, "after");
}

TEST_F(Transfer, RowsAreMappedInAbsoluteCoordinates) {
  const Rect window{-40, 11, 1001, 99};
  Image image(one_layer(window, PixelType::f32, 2));
  for (int y = window.y; y < window.bottom(); ++y)
    for (int i = 0; i < window.width * 2; ++i)
      reinterpret_cast<float*>(image.row(0, y))[i] = static_cast<float>(y * 3 + i);
  const Frame source = upload(queue(), image, Storage::pitched);
  const Frame target = queue().allocate(source.format());
  add_x(source.card(), target.card());
  const Image result = download(queue(), target);
  for (int y = window.y; y < window.bottom(); ++y)
    for (int x = window.x; x < window.right(); ++x) {
      const std::size_t i = static_cast<std::size_t>(x - window.x) * 2;
      const auto* before = reinterpret_cast<const float*>(image.row(0, y));
      const auto* after = reinterpret_cast<const float*>(result.row(0, y));
      ASSERT_EQ(after[i], before[i] + static_cast<float>(x));
      ASSERT_EQ(after[i + 1], before[i + 1]);
    }
}

TEST_F(Transfer, StepsAreTimedByEvents) {
  card().keep_step_times(true);
  const Image image = random_image({0, 0, 512, 512}, PixelType::f32, 4);
  {
    const StepTimer timer = card().time_step("upload");
    upload(queue(), image, Storage::array);
  }
  const std::vector<StepTime> times = card().take_step_times();
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0].step, "upload");
  EXPECT_GT(times[0].milliseconds, 0.0);
  EXPECT_TRUE(card().take_step_times().empty());
}

}  // namespace
}  // namespace cuimg
