// SPDX-License-Identifier: Apache-2.0
// The memory that a process uses on a card, and images that need more.
#include "device/cuda/cuda_memory.h"

#include <atomic>
#include <thread>
#include <vector>

#include "device/card_session.h"
#include "parity_cases.h"
#include "pipeline/run/execution.h"

namespace cuimg::test {
namespace {

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;

FrameFormat floats(int width, int height) {
  return {{0, 0, width, height}, PixelType::f32, 4, Storage::pitched};
}

class CardMemoryTest : public Card {
 protected:
  ~CardMemoryTest() override { limit_card_memory(UINT64_MAX); }

  // Allows `more` bytes beyond what other queues of the process already use.
  void limit(std::uint64_t more) const { limit_card_memory(memory().used_bytes() + more); }
  CardMemory& memory() const { return CardMemory::of(card().device()); }
  void expect_made_within(const std::string& chain, const Image& source,
                          const std::vector<std::uint64_t>& shares);
};

TEST_F(CardMemoryTest, CountsWhatFramesTakeAndWhatLiesIdle) {
  card().pool().trim();
  const std::size_t before = memory().used_bytes();
  {
    const Frame frame = queue().allocate(floats(512, 512));
    EXPECT_GE(memory().used_bytes(), before + 4 * megabyte);
  }
  EXPECT_GE(memory().used_bytes(), before + 4 * megabyte) << "kept for the next frame";
  card().pool().trim();
  EXPECT_EQ(memory().used_bytes(), before);
}

TEST_F(CardMemoryTest, AllocationsBeyondTheLimitFail) {
  limit(6 * megabyte);
  const Frame fits = queue().allocate(floats(512, 512));
  try {
    queue().allocate(floats(512, 512));
    FAIL() << "8 MB in 6";
  } catch (const DeviceError& error) {
    EXPECT_TRUE(error.lacks_room());
    EXPECT_NE(std::string(error.what()).find("limit"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(queue().allocate(floats(128, 128)));
}

TEST_F(CardMemoryTest, AQueueGivesBackWhatLiesIdleToAnother) {
  const Queue other = Queue::cuda(0);
  card().pool().trim();
  limit(6 * megabyte);
  other.allocate(floats(512, 512));
  EXPECT_NO_THROW(queue().allocate(floats(512, 400)));
}

// In fractions of the memory that the whole image needs.
void CardMemoryTest::expect_made_within(const std::string& chain, const Image& source,
                                        const std::vector<std::uint64_t>& shares) {
  const Plan plan = plan_of(parse_chain(chain), source.spec(), {});
  const Image expected = run_plan(plan, source);
  const std::uint64_t whole = whole_bytes_on_card(plan);
  card().pool().trim();
  for (const std::uint64_t share : shares) {
    limit(whole / share);
    // With no limit given, the estimate is too high, and the run corrects it.
    for (const std::uint64_t card_bytes : {whole / share, UINT64_MAX})
      for (const bool is_alone : {false, true}) {
        ChainOptions options;
        options.queue = &queue();
        options.card_bytes = card_bytes;
        options.alone_on_card = is_alone;
        const Made made = made_on(queue(), plan, source, options);
        ASSERT_TRUE(made.image) << chain << " in " << whole / share << ": " << made.error;
        EXPECT_TRUE(same_pixels(*made.image, expected)) << chain << " in " << whole / share;
      }
    limit_card_memory(UINT64_MAX);
  }
}

TEST_F(CardMemoryTest, ImagesThatAreLargerAreMadeInTilesWithinIt) {
  const Image source = random_image({-7, 3, 151, 97}, PixelType::half, 3);
  for (const char* chain :
       {"blur --sigma 3", "rotate --angle 20", "resize --size 40% + sobel", "resize --size 50%",
        "resize --size 200% --filter linear", "resize --size 50% --filter triangle --border mirror",
        "resize --size 60x60 --fill --filter linear", "resize --size 300% --clamp-ringing + box",
        "median --size 5 + undistort --k1 -0.1", "flip + resize --size 150% --filter linear"}) {
    expect_made_within(chain, source, {2, 5, 16});
  }
}

// A tile reads far more than it makes, and texels beyond the picture's edge must be made.
TEST_F(CardMemoryTest, LargeGaussiansAreMadeInTilesWithinIt) {
  const Image source = random_image({-7, 3, 400, 360}, PixelType::half, 3);
  for (const char* chain : {"blur --sigma 26", "unsharp --sigma 40,2"})
    expect_made_within(chain, source, {2});
}

TEST_F(CardMemoryTest, AnImageThatLacksItSaysWhatHelps) {
  const Image source = random_image({0, 0, 99, 70}, PixelType::half, 3);
  const Plan plan = plan_of(parse_chain("blur --sigma 2"), source.spec(), {});
  const auto said = [&](std::optional<ByteCount> given) {
    CommonOptions common;
    common.device.kind = DeviceChoice::Kind::cuda;
    common.max_card_memory = given;
    CardChoice choice(1, 2);
    CardShares cards{{}};
    const ImageTrace trace;
    Image target(plan.output());
    RowProgress ready, done;
    ready.finish();
    RunReport report;
    try {
      execute_where_asked(plan, {common, choice, cards, trace}, {source, ready, target, done},
                          report);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  card().pool().trim();
  limit(0);
  const std::string limited = said(ByteCount{1000}), full = said({});
  EXPECT_TRUE(limited.starts_with("--device: ")) << limited;
  EXPECT_TRUE(limited.ends_with(
      ": raise --max-card-memory, or use --device auto, which then takes the CPU"))
      << limited;
  EXPECT_TRUE(full.ends_with(": use --device auto, which then takes the CPU")) << full;
  EXPECT_EQ(full.find("without a card"), std::string::npos) << full;
}

// undistort reads its whole input. One image needs more than half of the memory limit, so two do
// not fit together.
TEST_F(CardMemoryTest, ImagesThatHaveRoomOnlyAloneWaitForEachOther) {
  const Image source = random_image({0, 0, 300, 200}, PixelType::f32, 4);
  const Plan plan = plan_of(parse_chain("undistort --k1 -0.1"), source.spec(), {});
  const Image expected = run_plan(plan, source);
  const std::uint64_t room = source.spec().pixel_bytes() * 8 / 5;
  card().pool().trim();
  limit(room);
  CommonOptions common;
  common.device.kind = DeviceChoice::Kind::cuda;
  constexpr int images = 12, threads = 4;
  CardChoice choice(images, threads);
  CardShares cards({}, room);
  const ImageTrace trace;
  std::atomic<int> begun = 0;
  const auto work = [&] {
    while (begun++ < images) {
      Image target(plan.output());
      RowProgress ready, done;
      ready.finish();
      RunReport report;
      EXPECT_NO_THROW(execute_where_asked(plan, {common, choice, cards, trace},
                                          {source, ready, target, done}, report));
      EXPECT_TRUE(same_pixels(target, expected));
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
}

TEST_F(CardMemoryTest, APartOfAnImageIsCopiedToACardAsItLies) {
  for (const PixelType type : every_type)
    for (const int channels : {1, 2, 3, 4}) {
      const Image image = random_image({-7, 3, 61, 37}, type, channels);
      RowProgress ready;
      ready.finish();
      const Rect part = {5, 9, 31, 20};
      for (const Storage storage : {Storage::pitched, Storage::array}) {
        const Frame frame = queue().upload(image, 0, part, ready, storage);
        const Image back = download(queue(), frame);
        const std::size_t pixel = image.spec().layers[0].pixel_bytes();
        for (int y = part.y; y < part.bottom(); ++y)
          ASSERT_EQ(std::memcmp(back.row(0, y), image.row(0, y) + 12 * pixel, 31 * pixel), 0)
              << name_of(type) << ", " << channels << " channels, row " << y;
      }
    }
}

}  // namespace
}  // namespace cuimg::test
