// SPDX-License-Identifier: Apache-2.0
// Two tiles of one picture in progress at a time: that there are two, that their rows are complete
// in order, that they stay within their memory, and that a failure of one lane ends both.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "device/card_session.h"
#include "device/cuda/cuda_memory.h"
#include "device/cuda/cuda_queue.h"
#include "fake_cudart/fake_cudart.h"
#include "pipeline/execute/card_tiles.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

class CardLanes : public testing::Test {
 protected:
  ~CardLanes() override {
    fake_cuda_watch(nullptr);
    fake_cuda_rules("");
    limit_card_memory(UINT64_MAX);
  }

  static Plan plan(const std::string& chain, const Image& source) {
    return plan_of(parse_chain(chain), source.spec());
  }
  static Image tall_picture() { return noise(spec_of({-3, 5, 40, 1200}, PixelType::u8, 3)); }
  static Image made(const Plan& plan, const Queue& queue, const Image& source, const CardUse& use) {
    Image target(plan.output());
    RowProgress ready, done;
    ready.finish();
    execute(plan, queue, {source, ready, target, done}, use);
    return target;
  }
  // Makes the picture in tiles of a given size.
  static void make_tiles(const Plan& plan, const Queue& queue, const RowFlow& flow,
                         const TileSize& tile, int lanes = most_lanes) {
    run_card_tiles(plan.steps, queue, flow, Layers(flow.target.spec().layers.size(), true), tile,
                   lanes);
  }

  const Queue queue_ = Queue::cuda(0);
};

bool copies_rows(const FakeCudaCall& call) { return call.stream != nullptr; }

// The first copy back waits until another stream has copied something to the card.
class Meeting {
 public:
  void see(const FakeCudaCall& call) {
    if (!copies_rows(call)) return;
    std::unique_lock lock(mutex_);
    if (call.to_card) {
      came_in_.insert(call.stream);
      changed_.notify_all();
    } else if (!is_over_) {
      const auto other_came = [&] {
        return std::ranges::any_of(came_in_, [&](const void* s) { return s != call.stream; });
      };
      they_met_ = changed_.wait_for(lock, std::chrono::seconds(60), other_came) || they_met_;
      is_over_ = true;
    }
  }
  bool they_met() const { return they_met_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<const void*> came_in_;
  bool is_over_ = false, they_met_ = false;
};

TEST_F(CardLanes, OneTileComesToTheCardBeforeAnotherHasGoneBack) {
  const Image source = tall_picture();
  const Plan steps = plan("exposure --stops 1 + blur --sigma 1", source);
  const Image expected = execute(steps, Queue::cpu(2), source);
  for (const bool in_bands : {true, false}) {
    Meeting meeting;
    fake_cuda_watch([&](const FakeCudaCall& call) { meeting.see(call); });
    Image target(steps.output());
    RowProgress ready, done;
    ready.finish();
    const RowFlow flow = {source, ready, target, done};
    if (in_bands)
      execute(steps, queue_, flow, {UINT64_MAX, true, 0});
    else
      make_tiles(steps, queue_, flow, {20, 400});
    fake_cuda_watch(nullptr);
    EXPECT_TRUE(meeting.they_met()) << in_bands;
    EXPECT_TRUE(same_pixels(target, expected)) << in_bands;
  }
}

TEST_F(CardLanes, OneTileAndASmallPictureAndOneOfSeveralNeedNoSecondStream) {
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  const int streams = fake_cuda_calls("cudaStreamCreateWithFlags");
  made(steps, queue_, source, {});
  made(steps, queue_, source, {.is_alone = true});
  made(steps, queue_, source, {whole_bytes_on_card(steps) / 4, false, 0});
  Image target(steps.output());
  RowProgress ready, done;
  ready.finish();
  make_tiles(steps, queue_, {source, ready, target, done}, {40, 1200});
  EXPECT_EQ(fake_cuda_calls("cudaStreamCreateWithFlags"), streams);
  for (int run = 0; run < 3; ++run) made(steps, queue_, source, {UINT64_MAX, true, 0});
  EXPECT_EQ(fake_cuda_calls("cudaStreamCreateWithFlags"), streams + 1) << "it is kept";
}

TEST_F(CardLanes, RowsAreCompleteInTheirOrderWhicheverLaneIsFirst) {
  const Image source = noise(spec_of({2, -9, 70, 150}, PixelType::u8, 3));
  const Plan steps = plan("blur --sigma 1", source);
  const Image expected = execute(steps, Queue::cpu(2), source);
  for (unsigned seed = 1; seed <= 6; ++seed) {
    std::atomic<unsigned> random = seed;
    fake_cuda_watch([&](const FakeCudaCall& call) {
      if (copies_rows(call))
        std::this_thread::sleep_for(std::chrono::microseconds((random += 7919) * 31 % 3000));
    });
    Image target(steps.output()), seen(steps.output());
    RowProgress ready, done;
    ready.finish();
    done.keep_near(40, [](int, int) {});
    std::thread user([&] {
      const int top = target.spec().data_window.y;
      for (int row = 0; row < target.spec().data_window.height; ++row) {
        done.wait_for(row + 1);
        std::memcpy(seen.row(0, top + row), target.row(0, top + row), target.row_bytes(0));
        done.release(row + 1);
      }
    });
    make_tiles(steps, queue_, {source, ready, target, done}, {32, 16});
    done.finish();
    user.join();
    fake_cuda_watch(nullptr);
    EXPECT_TRUE(same_pixels(seen, expected)) << seed;
  }
}

TEST_F(CardLanes, ASourceThatIsReadWholeIsCopiedOnce) {
  const Image source = noise(spec_of({0, 0, 61, 300}, PixelType::u8, 1));
  const Plan steps = plan("undistort --k1 -0.1", source);
  const Rect all = steps.steps.back().operation->output().data_window;
  ASSERT_EQ(
      needed_regions(steps.steps, source.spec().data_window, {all.x, all.y, all.width, 20}).front(),
      source.spec().data_window);
  const Image expected = execute(steps, Queue::cpu(2), source);
  std::atomic<std::size_t> copied_in = 0;
  Meeting meeting;
  fake_cuda_watch([&](const FakeCudaCall& call) {
    if (copies_rows(call) && call.to_card) copied_in += call.bytes;
  });
  Image target(steps.output());
  RowProgress ready, done;
  ready.finish();
  make_tiles(steps, queue_, {source, ready, target, done}, {all.width, 20});
  fake_cuda_watch(nullptr);
  EXPECT_EQ(copied_in, source.spec().pixel_bytes());
  EXPECT_TRUE(same_pixels(target, expected));
}

// A large picture alone: copied directly from its memory, while its kernels are first loaded with a
// corner of it.
TEST_F(CardLanes, APictureThatIsPinnedIsMadeOfTheSamePixels) {
  for (const char* const chain : {"exposure --stops 1 + blur --sigma 1", "resize --size 70%",
                                  "undistort --k1 -0.1", "blur --sigma 60"}) {
    const Image source = noise(spec_of({-3, 5, 1100, 1100}, PixelType::f32, 4));
    const Plan steps = plan(chain, source);
    const int pinned = fake_cuda_calls("cudaHostRegister");
    const Image result = made(steps, queue_, source, {.is_alone = true});
    EXPECT_EQ(fake_cuda_calls("cudaHostRegister"), pinned + 2) << chain;
    EXPECT_TRUE(same_pixels(result, execute(steps, Queue::cpu(2), source))) << chain;
  }
}

// Counts memory in use, without free blocks that are kept for the next tiles.
TEST_F(CardLanes, BothTilesTogetherHaveRoomInWhatTheImageMayTake) {
  const Image source = noise(spec_of({0, 0, 1800, 1800}, PixelType::f32, 4));
  const Plan steps = plan("blur --sigma 0.3", source);
  const Image expected = execute(steps, Queue::cpu(2), source);
  const std::uint64_t room = whole_bytes_on_card(steps) / 2;
  const CardMemory& memory = CardMemory::of(0);
  const std::size_t before = memory.used_bytes() - memory.idle_bytes();
  std::atomic<std::size_t> most = 0;
  std::mutex mutex;
  std::set<const void*> streams;
  fake_cuda_watch([&](const FakeCudaCall& call) {
    const std::lock_guard lock(mutex);
    most = std::max<std::size_t>(most, memory.used_bytes() - memory.idle_bytes() - before);
    if (copies_rows(call)) streams.insert(call.stream);
  });
  const Image result = made(steps, queue_, source, {room, true, 0});
  fake_cuda_watch(nullptr);
  EXPECT_EQ(streams.size(), 2u);
  EXPECT_LE(most, room);
  EXPECT_TRUE(same_pixels(result, expected));
}

// There is memory for one band but not for two: the second one waits and is not split.
TEST_F(CardLanes, ATileThatFindsNoMemoryIsMadeWhenNoOtherIsUnderWay) {
  const Image source = noise(spec_of({0, 0, 200, 400}, PixelType::u8, 3));
  const std::string chain = "exposure --stops 1 + blur --sigma 1";
  const Image expected = execute(plan(chain, source), Queue::cpu(2), source);
  const CardMemory& memory = CardMemory::of(0);
  const auto copies_out = [&](std::uint64_t more, int lanes) {
    // There are no free blocks whose memory could be used.
    const Queue queue = Queue::cuda(0);
    const Plan steps = plan(chain, source);
    const std::size_t before = memory.used_bytes();
    if (more != UINT64_MAX) limit_card_memory(before + more);
    std::atomic<int> copies = 0;
    fake_cuda_watch([&](const FakeCudaCall& call) {
      if (copies_rows(call) && !call.to_card) ++copies;
    });
    Image target(steps.output());
    RowProgress ready, done;
    ready.finish();
    make_tiles(steps, queue, {source, ready, target, done}, {200, 100}, lanes);
    fake_cuda_watch(nullptr);
    limit_card_memory(UINT64_MAX);
    EXPECT_TRUE(same_pixels(target, expected)) << more;
    return std::pair(copies.load(), memory.used_bytes() - before);
  };
  const auto [bands, taken_by_one] = copies_out(UINT64_MAX, 1);
  EXPECT_EQ(bands, 4);
  EXPECT_GT(copies_out(UINT64_MAX, most_lanes).second, taken_by_one);
  EXPECT_EQ(copies_out(taken_by_one, most_lanes).first, 4);
  EXPECT_GT(copies_out(taken_by_one / 3, most_lanes).first, 4) << "in parts";
}

TEST_F(CardLanes, WorkOnTheirOwnQueuesCard) {
  fake_cuda_rules("devices=2");
  const Queue other = Queue::cuda(1);
  fake_cuda_rules("devices=2 cudaMalloc@0=2 cudaMemcpy2DAsync@0=46");
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  Meeting meeting;
  fake_cuda_watch([&](const FakeCudaCall& call) { meeting.see(call); });
  EXPECT_TRUE(same_pixels(made(steps, other, source, {UINT64_MAX, true, 0}),
                          execute(steps, Queue::cpu(2), source)));
  EXPECT_TRUE(meeting.they_met());
}

TEST_F(CardLanes, WithoutASecondStreamOneLaneMakesAll) {
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  fake_cuda_rules("cudaStreamCreateWithFlags=2");
  EXPECT_TRUE(same_pixels(made(steps, queue_, source, {UINT64_MAX, true, 0}),
                          execute(steps, Queue::cpu(2), source)));
}

TEST_F(CardLanes, TheStepsOfBothStreamsAreTimed) {
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  Queue queue = Queue::cuda(0);
  for (int image = 0; image < 2; ++image) {
    queue.keep_times();
    Meeting meeting;
    fake_cuda_watch([&](const FakeCudaCall& call) { meeting.see(call); });
    made(steps, queue, source, {UINT64_MAX, true, 0});
    fake_cuda_watch(nullptr);
    const std::vector<StepTime> times = queue.take_times();
    int copies_in[2] = {0, 0};
    for (const StepTime& time : times)
      if (time.step == copy_to_card_name) ++copies_in[time.stream];
    EXPECT_EQ(copies_in[0] + copies_in[1], 5) << "bands of 256 rows";
    EXPECT_GT(copies_in[0], 0);
    EXPECT_GT(copies_in[1], 0);
    EXPECT_TRUE(std::ranges::is_sorted(times, {}, &StepTime::begin));
  }
}

TEST_F(CardLanes, AFailureOfOneEndsBothAndRowsThatWereCompleteAreMade) {
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  const Image expected = execute(steps, Queue::cpu(2), source);
  for (int call = 1; call <= 9; ++call) {
    fake_cuda_rules(("cudaMemcpy2DAsync=46:" + std::to_string(call)).c_str());
    Image target(steps.output());
    RowProgress ready, done;
    ready.finish();
    EXPECT_THROW(execute(steps, queue_, {source, ready, target, done}, {UINT64_MAX, true, 0}),
                 DeviceError);
    const int rows = done.wait_for(0);
    const int top = target.spec().data_window.y;
    for (int row = 0; row < rows; ++row)
      ASSERT_EQ(
          std::memcmp(target.row(0, top + row), expected.row(0, top + row), target.row_bytes(0)), 0)
          << call << ", row " << row;
    EXPECT_LT(rows, 1200) << call;
  }
  fake_cuda_rules("");
  EXPECT_TRUE(same_pixels(made(steps, queue_, source, {UINT64_MAX, true, 0}), expected)) << "anew";
}

// One lane fails while the other waits for rows that are still being decoded.
TEST_F(CardLanes, AFailureWaitsForNoMoreRowsThanTheOtherTileReads) {
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  fake_cuda_rules("cudaMemcpy2DAsync=46:2");
  Image target(steps.output());
  RowProgress ready, done;
  std::thread decoder([&] { ready.advance(600); });  // of 1200, enough for the first two bands
  EXPECT_THROW(execute(steps, queue_, {source, ready, target, done}, {UINT64_MAX, true, 0}),
               DeviceError);
  decoder.join();
}

TEST_F(CardLanes, WhatTheDecoderFailsWithEndsBoth) {
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  Image target(steps.output());
  RowProgress ready, done;
  std::thread decoder([&] {
    ready.advance(300);
    done.wait_for(100);
    ready.fail(std::make_exception_ptr(Error("in.exr", "cut short")));
  });
  EXPECT_THROW(execute(steps, queue_, {source, ready, target, done}, {UINT64_MAX, true, 0}), Error);
  decoder.join();
  EXPECT_LT(done.wait_for(0), 300);
}

TEST_F(CardLanes, AUserOfTheRowsThatLeavesKeepsNobodyWaiting) {
  const Image source = tall_picture();
  const Plan steps = plan("blur --sigma 1", source);
  Image target(steps.output());
  RowProgress ready, done;
  ready.finish();
  done.keep_near(64, [](int, int) {});
  std::thread user([&] {
    done.wait_for(1);
    done.abandon();
  });
  execute(steps, queue_, {source, ready, target, done}, {UINT64_MAX, true, 0});
  user.join();
  EXPECT_TRUE(same_pixels(target, execute(steps, Queue::cpu(2), source)));
}

}  // namespace
}  // namespace cuimg::test
