// SPDX-License-Identifier: Apache-2.0
// Chains when memory is short: in tiles, with images between the steps in files, and with the same
// pixels.
#include <gtest/gtest.h>

#include "image/scratch.h"
#include "pipeline/execute/card_frames.h"
#include "pipeline/execute/card_tiles.h"
#include "pipeline/execute/host_memory.h"
#include "pipeline/execute/stretches.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

Plan plan_for(const std::string& words, const Spec& spec) {
  return plan_of(parse_chain(words), spec, {.format = "exr", .type = PixelType::f32});
}

TEST(ShortMemory, EveryChainGivesTheSamePixels) {
  Spec spec = spec_of({-3, 5, 240, 310}, PixelType::half, 4);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = noise(spec);
  const TempDir folder;
  for (const char* words :
       {"blur --sigma 2 + rotate --angle 30 + resize --size 10%",
        "rotate --angle 20 --expand + rotate --angle -20 --filter cubic",
        "flip + blur --sigma 3",
        "box --radius 40 + flop + dilate --radius 30",
        "blur --sigma 25 + affine --matrix "
        "0.4,0,0,0.4,0,0",
        "flip + blur --sigma 40,3",
        "box --radius 120,90 + flip",
        "exposure --stops 1 + blur --sigma 60",
        "close --radius 60 + dilate --radius 70 --shape disk",
        "distort --k1 0.1 + perspective --corners 20,10,230,0,240,310,0,280",
        "rotate --angle 7 --border wrap + median --size 5",
        "fixnan + undistort --k1 -0.2 --border mirror",
        "perspective --corners 20,10,230,0,240,310,0,280 + rotate --angle 30",
        "distort --k1 0.3 --border wrap + rotate --angle 40 --border wrap",
        "undistort --k1 0.1 + offset --x 77 --y -50",
        "flip + offset --x -13 --y 155 + flop",
        "rotate --angle 7 + pad --left 500 --right 17 --top 13 --bottom 700 --border wrap",
        "rotate --angle 7 + pad --left 20 --right 600 --top 700 --bottom 3 --border mirror",
        "resize --size 300% + rotate90 + rotate --angle 45",
        "affine --matrix 3,0,0.5,3,-40,-20"}) {
    const Plan plan = plan_for(words, spec);
    const Image expected = run_plan(plan, image, {.whole = true});
    for (const std::uint64_t memory_bytes : {1u << 15, 1u << 19, 1u << 22})
      for (const int threads : {1, 3}) {
        const Scratch scratch(folder.path().string(), memory_bytes);
        EXPECT_TRUE(same_pixels(expected, run_plan(plan, image, {.threads = threads})))
            << words << ", " << memory_bytes << " bytes, " << threads << " threads";
      }
  }
}

// Texture coordinates are floats, which far out are too coarse for 1/256 texel. So tiles count from
// their own first texel.
TEST(ShortMemory, TilesFarFromTheFirstTexelReadTheSame) {
  const TempDir folder;
  for (const Rect& window : {Rect{0, 0, 70'000, 9}, Rect{0, 0, 9, 70'000}}) {
    const Image image = noise(spec_of(window, PixelType::u8, 3));
    for (const char* words : {"affine --matrix 1,0.00001,0.00001,1,0.3,0.7 --raw",
                              "affine --matrix 0.999,0,0,0.999,30,0.1 --border clamp"}) {
      const Plan plan = plan_of(parse_chain(words), image.spec());
      const Image expected = run_plan(plan, image, {.whole = true});
      const Scratch scratch(folder.path().string(), 1 << 19);
      EXPECT_TRUE(same_pixels(expected, run_plan(plan, image, {.threads = 2}))) << words;
    }
  }
}

TEST(ShortMemory, AWarpIsMadeInTilesFromWhatTheyRead) {
  const Plan plan = plan_for(
      "zoneplate --size 20000x20000 + blur --sigma 2 + rotate --angle 30 + resize --size 10%", {});
  const std::vector<Stretch> made =
      stretches(plan.steps, plan.input, {std::uint64_t{300} << 20, 2});
  ASSERT_EQ(made.size(), 1u) << "an image is made between";
  EXPECT_FALSE(made.front().is_whole);
  EXPECT_LT(made.front().tile.width, 2000);
}

TEST(ShortMemory, WhatIsReadInOrderNeedsNoWholeSource) {
  const Spec spec = spec_of({0, 0, 20'000, 20'000}, PixelType::u8, 3);
  const std::uint64_t memory_bytes = std::uint64_t{300} << 20;
  EXPECT_TRUE(row_order(plan_for("blur --sigma 2", spec), memory_bytes, 2).source);
  EXPECT_TRUE(row_order(plan_for("resize --size 10%", spec), memory_bytes, 2).source);
  EXPECT_FALSE(row_order(plan_for("flip", spec), memory_bytes, 2).source);
  EXPECT_FALSE(row_order(plan_for("rotate --angle 3", spec), memory_bytes, 2).source);
}

TEST(ShortMemory, ALargeHaloIsNotMadeAgainAndAgain) {
  const Spec spec = spec_of({0, 0, 20'000, 20'000}, PixelType::u8, 1);
  // Each tile of the second blur would need thousands of rows and columns of the first one.
  const Plan plan = plan_for("blur --sigma 200 + blur --sigma 200", spec);
  EXPECT_GT(stretches(plan.steps, spec, {std::uint64_t{64} << 20, 2}).size(), 1u);
}

TEST(ShortMemory, TwoTilesOfACardHaveRoomTogether) {
  const Spec spec = spec_of({0, 0, 20'000, 20'000}, PixelType::u8, 3);
  for (const char* words : {"blur --sigma 2", "rotate --angle 30", "resize --size 50%"})
    for (const std::uint64_t megabytes : {100, 500}) {
      const Plan plan = plan_for(words, spec);
      const std::uint64_t room = megabytes << 20;
      EXPECT_EQ(stretches(plan.steps, spec, {room, 2, true}).front().lanes, 1);
      const std::vector<Stretch> made = stretches(plan.steps, spec, {room, 2, true, 2});
      ASSERT_EQ(made.size(), 1u) << words;
      EXPECT_EQ(made.front().lanes, 2) << words;
      const TileSize tile = made.front().tile;
      const Rect window = window_of(Steps(plan.steps));
      const Rect middle =
          intersection({std::max(0, (window.width - tile.width) / 2),
                        std::max(0, (window.height - tile.height) / 2), tile.width, tile.height},
                       window);
      const Regions regions = needed_regions(plan.steps, spec.data_window, middle);
      EXPECT_LE(2 * static_cast<std::uint64_t>(bytes_on_card(plan.steps, spec, regions)), room)
          << words;
    }
}

// The number of times that the tiles of all stretches read their stretch's input.
double times_read(const Plan& plan, const Room& room) {
  double read = 0, there = 0;
  const Steps steps(plan.steps);
  for (const Stretch& stretch : stretches(steps, plan.input, room)) {
    const Steps together = steps.subspan(stretch.first, stretch.count);
    const Rect window = window_of(together);
    const TileSize tile = stretch.is_whole ? TileSize{window.width, window.height} : stretch.tile;
    for (int y = window.y; y < window.bottom(); y += tile.height)
      for (int x = window.x; x < window.right(); x += tile.width)
        read += static_cast<double>(
            cost_of(together, intersection({x, y, tile.width, tile.height}, window))
                .source.pixels());
    there += static_cast<double>(window.pixels());
  }
  return read / there;
}

// Stages that read far are made in tiles that are large compared with the area they read, or as a
// whole, from images in files.
TEST(ShortMemory, WhatLiesAroundTilesIsReadFewTimes) {
  const Spec spec = spec_of({0, 0, 12'000, 9'000}, PixelType::half, 3);
  for (const std::uint64_t megabytes : {100, 200, 800})
    for (const char* words :
         {"box --radius 30", "box --radius 100", "box --radius 300", "box --radius 3000",
          "box --radius 3000,0", "blur --sigma 30", "blur --sigma 200", "blur --sigma 1000",
          "unsharp --sigma 500", "erode --radius 100", "dilate --radius 1000", "close --radius 500",
          "median --size 31", "box --radius 900 + blur --sigma 300"})
      EXPECT_LT(times_read(plan_for(words, spec), {megabytes << 20, 2}), 5)
          << words << " in " << megabytes << " MB";
}

TEST(ShortMemory, RowsThatWaitForLaterOnesCount) {
  const Spec spec = spec_of({0, 0, 1000, 1000}, PixelType::u8, 1);
  EXPECT_EQ(source_bytes_held(plan_for("flip", spec)), 1000u * 1000u);
  EXPECT_LT(source_bytes_held(plan_for("blur --sigma 2", spec)), 1000u * 100u);
}

}  // namespace
}  // namespace cuimg::test
