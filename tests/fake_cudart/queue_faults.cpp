// SPDX-License-Identifier: Apache-2.0
// Every way in which a card can fail, through the Queue: the error gives the reason, nothing leaks,
// and nothing is called after the context broke (the fake runtime would abort).
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "device/card_session.h"
#include "faults.h"

namespace cuimg {
namespace {

TEST_F(Faults, WithoutFaultsPixelsTravelAndNothingLeaks) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
}

TEST_F(Faults, NoDriver) {
  EXPECT_OUTCOME("cudaGetDeviceCount=35", open_and_transfer,
                 "^DeviceError 35: cudaGetDeviceCount: CUDA driver version is insufficient.*\n$");
}

TEST_F(Faults, NoCard) {
  EXPECT_OUTCOME("cudaGetDeviceCount=100", open_and_transfer,
                 "^DeviceError 100: cudaGetDeviceCount: no CUDA-capable device is detected");
}

TEST_F(Faults, NoSuchCard) {
  EXPECT_OUTCOME(
      "", [] { Queue::cuda(3); }, "^DeviceError 0: cuda:3: no such card; there is one");
}

TEST_F(Faults, CardBusy) {
  EXPECT_OUTCOME("cudaSetDevice=46", open_and_transfer, "^DeviceError 46: cudaSetDevice: .*busy");
}

TEST_F(Faults, CardTooOld) {
  EXPECT_OUTCOME("capability=7.0", open_and_transfer,
                 "^DeviceError 0: cuda:0: Fake card has compute capability 7.0, too old");
}

TEST_F(Faults, NoCodeForTheCard) {
  EXPECT_OUTCOME("cudaFuncGetAttributes=209", open_and_transfer, "^DeviceError 209: .*\n$");
}

TEST_F(Faults, OutOfMemoryAtEveryAllocation) {
  // The first run fills the self-check's cache, so that later runs get as far as the frames.
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  for (const char* call : {"cudaMalloc", "cudaMallocArray", "cudaCreateTextureObject"})
    EXPECT_OUTCOME(
        (std::string(call) + "=2").c_str(), ([] {
          const Queue queue = Queue::cuda(0);
          round_trip(queue, Storage::pitched);
          const Frame frame = queue.allocate({{0, 0, 9, 9}, PixelType::f32, 4, Storage::array});
          frame.card().texture({});
        }),
        std::string("^DeviceError 2: ") + call + ": out of memory .*\n$");
}

TEST_F(Faults, OutOfMemoryAtTheThirdAllocation) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  EXPECT_OUTCOME("cudaMalloc=2:3", ([] {
                   const Queue queue = Queue::cuda(0);
                   const FrameFormat format = {{0, 0, 64, 64}, PixelType::f32, 4, Storage::pitched};
                   const Frame first = queue.allocate(format), second = queue.allocate(format);
                   std::cerr << "two are there, ";
                   queue.allocate(format);
                 }),
                 "^two are there, DeviceError 2: cudaMalloc: out of memory .*\n$");
}

TEST_F(Faults, MemoryThatLiesIdleIsGivenBackBeforeGivingUp) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  EXPECT_OUTCOME("", ([] {
                   const Queue queue = Queue::cuda(0);
                   { queue.allocate({{0, 0, 64, 64}, PixelType::f32, 4, Storage::pitched}); }
                   fake_cuda_rules("cudaMalloc=2");
                   try {
                     queue.allocate({{0, 0, 999, 64}, PixelType::f32, 4, Storage::pitched});
                   } catch (const DeviceError&) {
                     if (fake_cuda_calls("cudaFree") == 1 && fake_cuda_calls("cudaMalloc") == 2)
                       std::cerr << "freed and tried again, ";
                   }
                 }),
                 "^freed and tried again, done\n$");
}

TEST_F(Faults, NoPinnedMemory) {
  EXPECT_OUTCOME("cudaMallocHost=2", open_and_transfer, "^DeviceError 2: cudaMallocHost: .*\n$");
}

TEST_F(Faults, LittlePinnedMemoryIsEnough) {
  EXPECT_OUTCOME("cudaMallocHost=2:2", open_and_transfer, "^done\n$");
}

// Two lanes share a ring, and the other lane uses all of the memory that could be pinned.
TEST_F(Faults, WhereNoMoreCanBePinnedASlotIsWaitedFor) {
  EXPECT_OUTCOME("cudaMallocHost=2:2", ([] {
                   const Queue queue = Queue::cuda(0);
                   PinnedRing& ring = queue.card().ring();
                   std::optional<PinnedRing::Lease> held = ring.acquire();
                   std::thread other([&] {
                     const PinnedRing::Lease lease = ring.acquire();
                     std::cerr << "another, ";
                   });
                   std::this_thread::sleep_for(std::chrono::milliseconds(20));
                   std::cerr << "one, ";
                   held.reset();
                   other.join();
                 }),
                 "^one, another, done\n$");
}

TEST_F(Faults, ALaunchThatBreaksTheContextEndsTheUseOfCuda) {
  for (const char* code : {"700", "710", "718", "719"})
    EXPECT_OUTCOME((std::string("launch=") + code).c_str(), open_and_transfer,
                   std::string("^DeviceError ") + code + ": sample_texture: .*\n$");
}

TEST_F(Faults, TheThirdLaunchFails) {
  EXPECT_OUTCOME("launch=719:3", open_and_transfer, "^DeviceError 719: sample_texture: .*\n$");
}

TEST_F(Faults, AfterABrokenContextEveryUseSaysWhy) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  EXPECT_OUTCOME(
      "widen_kernel=719,kernels=skip", ([] {
        const CardSession session;
        const Queue queue = Queue::cuda(0);
        const Frame frame = queue.allocate({{0, 0, 9, 9}, PixelType::f32, 4, Storage::array});
        frame.card().texture({});
        try {
          round_trip(queue, Storage::array, 3);
        } catch (const DeviceError& error) {
          std::cerr << error.code() << ", ";
        }
        try {
          queue.synchronize();
        } catch (const DeviceError& error) {
          std::cerr << error.code() << ", ";
        }
        warm_up_cuda(0);
        if (!list_devices(true).problem.empty()) std::cerr << "listed, ";
        Queue::cuda(0);
      }),
      "^719, 719, listed, DeviceError 719: widen: .*\n$");
}

TEST_F(Faults, AnErrorThatArrivesWithALaterCallBreaksTheContextToo) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  for (const char* call : {"cudaEventSynchronize", "cudaMemcpy2DAsync", "cudaEventRecord"})
    EXPECT_OUTCOME((std::string(call) + "=700").c_str(), open_and_transfer,
                   std::string("^DeviceError 700: ") + call + ": .*\n$");
}

TEST_F(Faults, ALaunchThatOnlyFailsLeavesTheCardUsable) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  EXPECT_OUTCOME("", ([] {
                   const Queue queue = Queue::cuda(0);
                   try {
                     round_trip(queue, Storage::array, 3);  // needs a kernel, which fails to launch
                   } catch (const DeviceError& error) {
                     std::cerr << error.code() << ", ";
                   }
                   round_trip(queue, Storage::array, 4);
                 }),
                 "^209, done\n$");
}

TEST_F(Faults, AFailedDecoderEndsTheUpload) {
  EXPECT_OUTCOME("", ([] {
                   const Queue queue = Queue::cuda(0);
                   RowProgress ready;
                   ready.advance(2);
                   ready.fail(std::make_exception_ptr(Error("decoder", "truncated")));
                   queue.upload(small_image(4), 0, ready, Storage::array);
                 }),
                 "^other error: decoder: truncated\n$");
}

TEST_F(Faults, TheSelfCheckFindsAFormatThatDiffersInOneBit) {
  for (const char* type : {"u8", "u16", "half", "float", "levels"}) {
    std::filesystem::remove_all(folder_);
    const auto print = [] {
      const Queue queue = Queue::cuda(0);
      for (PixelType t : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
        if (!queue.card().filters_exactly(t)) std::cerr << name_of(t) << " differs, ";
      if (!queue.card().filters_levels_exactly()) std::cerr << "levels differs, ";
    };
    const std::string expected = std::string("^") + type + " differs, done\n$";
    EXPECT_OUTCOME((std::string("differ=") + type).c_str(), print, expected);
    // The second run uses the remembered result, although the card would now agree.
    EXPECT_OUTCOME("", print, expected);
  }
}

TEST_F(Faults, TheSelfCheckIsAskedOncePerCardAndDriver) {
  const auto count = [] {
    Queue::cuda(0);
    std::cerr << fake_cuda_calls("launch") << " launches, ";
  };
  EXPECT_OUTCOME("", count, "^36 launches, done\n$");
  EXPECT_OUTCOME("", count, "^0 launches, done\n$");
  for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/cuimg"))
    std::filesystem::resize_file(entry.path(), 30);
  EXPECT_OUTCOME("", count, "^36 launches, done\n$") << "a damaged answer is asked for again";
}

TEST_F(Faults, AFolderThatCannotBeWrittenOnlyMeansAskingAgain) {
  setenv("XDG_CACHE_HOME", "/proc/none", 1);
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
}

TEST_F(Faults, DevicesAreListedWithTheirProblems) {
  const auto list = [] {
    const DeviceList devices = list_devices(true);
    std::cerr << devices.problem << "|";
    for (const DeviceInfo& info : devices.devices)
      std::cerr << info.name << " " << info.exact_formats.size() << " exact " << info.problem;
    std::cerr << "|";
  };
  EXPECT_OUTCOME("", list, "^\\|Fake card 4 exact \\|done\n$");
  EXPECT_OUTCOME("capability=6.1", list, "^\\|Fake card 0 exact .*too old");
  EXPECT_OUTCOME("cudaGetDeviceCount=100", list, "^cudaGetDeviceCount: no CUDA-capable");
  EXPECT_OUTCOME("cudaDriverGetVersion=35", list, "^cudaDriverGetVersion: .*insufficient");
}

TEST_F(Faults, TheRingIsReusedAndNeverLarge) {
  EXPECT_OUTCOME("", ([] {
                   const Queue queue = Queue::cuda(0);
                   const Image image = small_image(4, PixelType::f32, 2048, 1200);  // 38 MB
                   Image back(image.spec());
                   RowProgress ready, done;
                   ready.finish();
                   const Frame frame = queue.upload(image, 0, ready, Storage::pitched);
                   queue.download(frame, back, 0, done);
                   if (std::memcmp(back.row(0, 1199), image.row(0, 1199), 2048 * 16) != 0)
                     std::cerr << "the last row differs, ";
                   if (queue.card().ring().slots_made() <= PinnedRing::slot_count)
                     std::cerr << "within the ring, ";
                 }),
                 "^within the ring, done\n$");
}

TEST_F(Faults, FramesOfOneSizeShareMemoryAndTextures) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  EXPECT_OUTCOME(
      "", ([] {
        const Queue queue = Queue::cuda(0);
        for (int i = 0; i < 10; ++i)
          for (const Storage storage : {Storage::array, Storage::pitched}) {
            const Frame frame = queue.allocate({{i, 0, 33, 21}, PixelType::half, 4, storage});
            frame.card().texture({});
          }
        std::cerr << fake_cuda_calls("cudaMalloc") << fake_cuda_calls("cudaMallocArray")
                  << fake_cuda_calls("cudaCreateTextureObject") << ", ";
      }),
      "^112, done\n$");
}

// Kernels in other streams may still read a frame through any of its textures.
TEST_F(Faults, TexturesLastAsLongAsTheirFrame) {
  EXPECT_OUTCOME("", open_and_transfer, "^done\n$");
  EXPECT_OUTCOME(
      "", ([] {
        const Queue queue = Queue::cuda(0);
        const auto read = [&](int samplers) {
          const int before = fake_cuda_calls("cudaDestroyTextureObject");
          const Frame frame = queue.allocate({{0, 0, 33, 21}, PixelType::half, 4, Storage::array});
          for (int i = 0; i < samplers; ++i) {
            Sampler sampler;
            sampler.border[0] = static_cast<float>(i);
            frame.card().texture(sampler);
          }
          std::cerr << fake_cuda_calls("cudaDestroyTextureObject") - before << ", ";
        };
        read(20);
        read(20);
        read(1);
      }),
      "^0, 20, 20, done\n$");
}

// The fake cards have a gigabyte, of which half may be kept in free blocks.
TEST_F(Faults, WhatLiesIdleOnACardIsBoundedForItsQueuesTogether) {
  EXPECT_OUTCOME(
      "", ([] {
        const Queue first = Queue::cuda(0), second = Queue::cuda(0);
        const FrameFormat format = {{0, 0, 4096, 3000}, PixelType::f32, 4, Storage::pitched};
        std::size_t idle_of_first = 0;
        { const Frame a = first.allocate(format), b = first.allocate(format); }
        for (int i = 0; i < 3; ++i) {
          const Frame frame = second.allocate(format);
          idle_of_first = first.allocate(format).card().queue().pool().statistics().idle_bytes;
        }
        const int before = fake_cuda_calls("cudaMalloc");
        const Frame frame = second.allocate(format);
        const std::size_t idle = frame.card().queue().pool().statistics().idle_bytes;
        std::cerr << fake_cuda_calls("cudaMalloc") - before << " made, " << (idle_of_first >> 20)
                  << " and " << (idle >> 20) << " MB idle, ";
      }),
      "^1 made, 192 and 0 MB idle, done\n$");
}

}  // namespace
}  // namespace cuimg
