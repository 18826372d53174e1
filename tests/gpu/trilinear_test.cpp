// SPDX-License-Identifier: Apache-2.0
// Warps between the levels of a mipmapped array give the same bytes on a card and on the processor.
#include <cmath>

#include "card.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

using Trilinear = Card;

// Floats over many powers of two and zeros; in every third picture NaN and infinities.
Image picture(int width, int height, int channels, unsigned seed) {
  std::mt19937 random(seed);
  return image_of(one_layer({3, -2, width, height}, PixelType::f32, channels),
                  [&](int, int, int, int) -> float {
                    const unsigned kind = static_cast<unsigned>(random() % 2000);
                    if (kind == 0 && seed % 3 == 0) return std::nanf("");
                    if (kind == 1 && seed % 3 == 0) return HUGE_VALF;
                    const float value = static_cast<float>(random() % 65536) * 0x1p-16f - 0.3f;
                    if (kind < 40) return kind % 2 == 0 ? -0.0f : value * 0x1p-140f;
                    return std::ldexp(value, static_cast<int>(random() % 40) - 20);
                  });
}

TEST_F(Trilinear, GivesTheSameBytes) {
  const Queue cpu = Queue::cpu();
  unsigned seed = 1;
  for (const char* border : {"clamp", "wrap", "mirror", "border"})
    for (const char* words :
         {"affine --matrix 0.3,0.05,-0.1,0.4,9,5", "affine --matrix 0.02,0,0,0.9,-3,0",
          "perspective --corners 40,9,55,10,140,90,-20,80 --border-color 1,2,-3,4",
          "undistort --k1 0.9 --k2 0.3", "rotate --angle 30"})
      for (const int channels : {4, 1, 2, 3}) {
        const int width = seed % 2 == 0 ? 128 : 97, height = seed % 4 < 2 ? 64 : 75;
        const Image source = picture(width, height, channels, seed++);
        const std::string all = words + std::string(" --raw --filter trilinear --border ") + border;
        const Plan plan = plan_of(parse_chain(all), source.spec(), {});
        ChainOptions options;
        options.queue = &cpu;
        const Image expected = run_plan(plan, source, options);
        options.queue = &queue();
        ASSERT_TRUE(same_pixels(run_plan(plan, source, options), expected))
            << all << ", " << width << 'x' << height << " of " << channels;
      }
}

TEST_F(Trilinear, StoredFormsGiveTheSameBytes) {
  const Queue cpu = Queue::cpu();
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half})
    for (const int channels : {1, 3, 4}) {
      const Image source = noise(spec_of({0, 0, 93, 61}, type, channels));
      const Plan plan =
          plan_of(parse_chain("affine --filter trilinear --matrix 0.3,0.05,-0.1,0.4,9,5"),
                  source.spec(), {.format = type == PixelType::half ? "exr" : "png"});
      ChainOptions options;
      options.queue = &cpu;
      const Image expected = run_plan(plan, source, options);
      options.queue = &queue();
      ASSERT_TRUE(same_pixels(run_plan(plan, source, options), expected))
          << name_of(type) << " of " << channels;
    }
}

TEST_F(Trilinear, TheCardPassesItsOwnCheckOfLevels) {
  EXPECT_TRUE(card().filters_levels_exactly());
}

}  // namespace
}  // namespace cuimg::test
