// SPDX-License-Identifier: Apache-2.0
// Stages that read neighbours, in tiles when memory is short and in bands: the same pixels as from
// the whole picture.
#include <gtest/gtest.h>

#include "image/scratch.h"
#include "support/process.h"
#include "support/stencil_chains.h"

namespace cuimg::test {
namespace {

TEST(StencilParts, GiveThePixelsOfTheWholeOnTheCpu) {
  const TempDir folder;
  for (const Rect& window : stencil_windows)
    for (const auto& [type, channels] :
         {std::pair{PixelType::f32, 4}, std::pair{PixelType::u8, 3}}) {
      const Image image = stencil_picture(window, type, channels);
      for (const std::string& words : stencil_chains()) {
        const Plan plan = plan_of(parse_chain(words), image.spec(), {});
        const Image expected = run_plan(plan, image, {.whole = true});
        EXPECT_TRUE(same_pixels(run_plan(plan, image, {.threads = 2}), expected))
            << words << " in bands, data from " << window.x;
        for (const std::uint64_t memory_bytes : {1u << 15, 1u << 18}) {
          const Scratch scratch(folder.path().string(), memory_bytes);
          EXPECT_TRUE(same_pixels(run_plan(plan, image), expected))
              << words << " in " << memory_bytes << " bytes, data from " << window.x;
        }
      }
    }
}

// Otherwise a corner would need all of the picture.
TEST(StencilParts, OfAMirrorNeedWhatLiesAroundThem) {
  const Spec spec = spec_of({0, 0, 100'000, 100'000}, PixelType::u8, 3);
  for (const char* words : {"blur --sigma 3", "unsharp --sigma 9.5", "box --radius 20", "sobel",
                            "median --size 5", "blur --sigma 60"}) {
    const Plan plan = plan_of(parse_chain(std::string(words) + " --border mirror"), spec, {});
    for (const int at : {0, 99'000}) {
      const Rect read = plan.steps.front().operation->needed({at, at, 1000, 1000});
      EXPECT_LE(read.width, 2000) << words;
      EXPECT_LE(read.height, 2000) << words;
    }
  }
}

}  // namespace
}  // namespace cuimg::test
