// SPDX-License-Identifier: Apache-2.0
// Box filters of 8-bit pictures in sRGB. A card computes them from sums of integers, and uses the
// definition where the difference could matter.
#include <algorithm>
#include <cmath>

#include "image/srgb_tables.h"
#include "kernels/stencil/box_mean.h"
#include "pipeline/execute/execute.h"
#include "same_on_card.h"
#include "stages/filter/box_doubt.h"

namespace cuimg::test {
namespace {

using BoxOfCodes = Card;

constexpr int width = 301, height = 67;

unsigned noise(int x, int y, int c) {
  const auto mixed =
      static_cast<unsigned>(x * 73856093 ^ y * 19349663 ^ c * 83492791) * 2654435761u;
  return (mixed ^ mixed >> 15) * 2246822519u >> 24;
}

struct Extreme {
  const char* name;
  unsigned (*code)(int x, int y, int c);
};
constexpr Extreme extremes[] = {
    {"noise", noise},
    {"opaque noise", [](int x, int y, int c) { return c == 3 ? 255u : noise(x, y, c); }},
    {"a checkerboard", [](int x, int y, int c) { return c == 3 || (x + y) % 2 == 0 ? 255u : 0u; }},
    {"a checkerboard of alpha", [](int x, int y, int c) { return (x + y + c) % 2 ? 255u : 0u; }},
    {"white", [](int, int, int) { return 255u; }},
    {"nothing", [](int, int, int) { return 0u; }},
    {"one bright pixel",
     [](int x, int y, int c) { return c == 3 || (x == 150 && y == 33) ? 255u : 0u; }},
    {"one pixel that is not opaque",
     [](int x, int y, int c) {
       return c == 3 ? (x == 150 && y == 33 ? 254u : 255u) : noise(x, y, c);
     }},
    {"one pixel that is there",
     [](int x, int y, int c) { return c == 3 ? (x == 150 && y == 33 ? 1u : 0u) : noise(x, y, c); }},
    {"hardly any alpha",
     [](int x, int y, int c) { return c == 3 ? noise(x, y, c) / 64 : noise(x, y, c); }},
    {"the darkest codes", [](int x, int y, int c) { return c == 3 ? 255u : noise(x, y, c) / 128; }},
};

TEST_F(BoxOfCodes, GivesTheSameBytesOfExtremePictures) {
  for (const Extreme& extreme : extremes)
    for (const int channels : {3, 4})
      for (const char* words : {"box --radius 5", "box --radius 1", "box --radius 7"})
        ASSERT_NO_FATAL_FAILURE(
            expect_the_same(queue(), words, picture_of_codes(width, height, channels, extreme.code),
                            to_codes(), extreme.name));
}

TEST_F(BoxOfCodes, GivesTheSameBytesOfEverySizeAndRadius) {
  for (int radius = 1; radius <= 7; ++radius)
    for (const auto& [columns, rows] :
         {std::pair{1, 1}, {3, 2}, {1, 40}, {270, 1}, {239, 25}, {241, 46}, {510, 12}})
      for (const char* border : {"clamp", "border", "wrap", "mirror"})
        ASSERT_NO_FATAL_FAILURE(expect_the_same(
            queue(), "box --radius " + std::to_string(radius) + " --border " + border,
            picture_of_codes(columns, rows, 3 + (columns + rows + radius) % 2, noise), to_codes(),
            "noise"));
}

TEST(BoxDoubt, CoversWhatSumsOfIntegersAreOff) {
  const MeanFold mean{1.0 / 15};
  float most = 0;
  for (const Extreme& extreme : extremes)
    for (int turn = 0; turn < 300; ++turn) {
      constexpr int window = 15;
      double color_across = MeanFold::neutral(), alpha_across = MeanFold::neutral();
      std::uint32_t color_sum = 0, alpha_sum = 0;
      for (int x = 0; x < window; ++x) {
        double color_down = MeanFold::neutral(), alpha_down = MeanFold::neutral();
        std::uint32_t column = 1u << (column_bits_lost - 1);
        for (int y = 0; y < window; ++y) {
          const unsigned code = extreme.code(140 + x, turn + y, 0),
                         covered = extreme.code(140 + x, turn + y, 3);
          const float light = srgb8_tables().decode[code];
          const float alpha = static_cast<float>(covered) / 255, color = light * alpha;
          column += whole_light(light) * covered;
          alpha_sum += covered;
          color_down += static_cast<double>(color);
          alpha_down += static_cast<double>(alpha);
        }
        color_sum += column >> column_bits_lost;
        color_across += static_cast<double>(mean.store(color_down));
        alpha_across += static_cast<double>(mean.store(alpha_down));
      }
      if (alpha_sum == 0 || !is_alpha_enough(alpha_sum, window)) continue;
      const float made = place_of_light(static_cast<float>(color_sum),
                                        1 / static_cast<float>(alpha_sum) * per_alpha_scale);
      const float defined = mean.store(color_across) / mean.store(alpha_across);
      most = std::max(most, std::abs(made - place_of_light(defined, 1)));
    }
  // A card's reciprocal may be off by one more step, and a threshold by another one.
  EXPECT_LE(most * 0x1p23f + 2, steps_of_box_doubt);
  EXPECT_GE(most * 0x1p23f, 1) << "nothing was off";
}

TEST(BoxDoubt, CoversEveryChangeOfCodes) {
  const std::uint32_t* const encode = srgb8_tables().encode;
  // The code of light that is some steps off.
  const auto code_at = [&](float place, int steps) -> std::uint32_t {
    return linear_to_srgb8(
        encode, static_cast<float>(static_cast<double>(place) - place_of_black + steps * 0x1p-23));
  };
  constexpr int doubt = steps_of_box_doubt;
  int changes = 0;
  std::uint32_t last_code = 0;
  for (int bucket = 0; bucket < place_buckets; ++bucket) {
    const std::uint32_t entry = place_entry(encode, bucket);
    const std::uint32_t first = (static_cast<std::uint32_t>(bucket) + first_place_bucket) << 16;
    for (std::uint32_t low = 0; low <= 0xffffu; ++low) {
      const float place = float_from_bits(first + low);
      // Sums are not negative, and quotients at most 1 but for their error.
      if (place < place_of_black || place > place_of_light(1, 1) + doubt * 0x1p-23f) continue;
      ASSERT_EQ(place_bucket(place), static_cast<std::uint32_t>(bucket));
      const std::uint32_t sum = sum_of_place(entry, place);
      if (is_place_in_doubt(sum, place)) {
        ASSERT_NE(code_at(place, -doubt - 1), code_at(place, doubt + 1)) << bucket << ' ' << low;
        continue;
      }
      const std::uint32_t code = sum >> 16 & 255u;
      for (const int off : {1 - doubt, doubt - 1})
        ASSERT_EQ(code, code_at(place, off)) << bucket << ' ' << low;
      changes += code != last_code;
      last_code = code;
    }
  }
  EXPECT_EQ(changes, 255);
}

}  // namespace
}  // namespace cuimg::test
