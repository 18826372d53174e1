// SPDX-License-Identifier: Apache-2.0
// Warps from and to 8-bit pictures in sRGB. A card computes them with inexact arithmetic, and uses
// the definition where the difference could matter.
#include <algorithm>

#include "image/srgb_tables.h"
#include "kernels/texture/texture_bilinear.h"
#include "pipeline/execute/execute.h"
#include "same_on_card.h"
#include "stages/pass/stored_form.h"
#include "stages/warp/warp_doubt.h"

namespace cuimg::test {
namespace {

using WarpOfCodes = Card;

// A picture whose codes and alphas are `code` of random numbers.
template <class Code>
Image picture(int width, int height, int channels, const Code& code) {
  std::mt19937 random(static_cast<unsigned>(width * 1000 + height * 10 + channels));
  return picture_of_codes(width, height, channels, [&](int, int, int channel) {
    return code(static_cast<unsigned>(random()), channel == 3);
  });
}

unsigned any_code(unsigned random, bool) { return random >> 24; }
unsigned opaque(unsigned random, bool is_alpha) { return is_alpha ? 255 : random >> 24; }
// Light that differs as much as possible, so that the texture unit loses the darker values.
unsigned extreme(unsigned random, bool) {
  constexpr unsigned codes[] = {0, 1, 2, 3, 20, 128, 254, 255};
  return codes[random >> 29];
}
// Rarely covered, and then hardly.
unsigned hardly_covered(unsigned random, bool is_alpha) {
  return is_alpha ? (random >> 30 == 0 ? random >> 8 & 3 : 0) : random >> 24;
}

void expect_the_same_from_codes(const Queue& card, const std::string& words, const Image& source) {
  const Plan plan = plan_of(parse_chain(words), source.spec(), to_codes());
  if (plan.steps.size() == 3) {
    ASSERT_EQ(layout_on_card(plan).size(), 2u) << words << " is not made from codes";
  }
  expect_the_same(card, words, source, to_codes());
}

// The sizes take turns, so that every warp and every border gets pictures of one texel, of one row
// or column, and of several tiles.
TEST_F(WarpOfCodes, GivesTheSameBytesWithEveryBorder) {
  constexpr std::pair<int, int> sizes[] = {{1, 1}, {9, 1}, {33, 5}, {1, 9}, {2, 2}, {131, 75}};
  int turn = 0;
  for (const char* warp :
       {"rotate --angle 17", "rotate --angle 45 --expand", "affine --matrix 1.3,0.4,-0.2,1.7,-3,2",
        "affine --matrix 1,0,0,1,0.5,0.25", "perspective --corners -30,-10,160,5,150,90,-20,80",
        "undistort --k1 -0.12 --k2 0.01", "rotate --angle -3 + rotate --angle 3"}) {
    for (const char* border :
         {"border", "clamp", "wrap", "mirror", "border --border-color 0.3,0,2,0.5",
          "border --border-color -1,1,1"}) {
      std::string words = warp;
      words.insert(words.find(" --"), " --border " + std::string(border));
      for (const int channels : {3, 4}) {
        const auto& [width, height] = sizes[turn++ % 5];
        for (const auto& [w, h] : {std::pair{width, height}, sizes[5]})
          ASSERT_NO_FATAL_FAILURE(
              expect_the_same_from_codes(queue(), words, picture(w, h, channels, any_code)));
      }
    }
  }
}

TEST_F(WarpOfCodes, GivesTheSameBytesOfEveryKindOfPicture) {
  for (const auto& code : {any_code, opaque, extreme, hardly_covered})
    for (int angle = 1; angle < 360; angle += 47)
      ASSERT_NO_FATAL_FAILURE(expect_the_same_from_codes(
          queue(), "rotate --angle " + std::to_string(angle), picture(150, 110, 4, code)));
}

// All pixels need the definition, because their alphas are halfway between two codes.
TEST_F(WarpOfCodes, GivesTheSameBytesWhereNoPixelIsSure) {
  const Image source = picture(75, 45, 4, [](unsigned random, bool is_alpha) {
    return is_alpha ? 100 + (random >> 31) : random >> 24;
  });
  for (const char* words :
       {"affine --matrix 1,0,0,1,0.5,0", "affine --matrix 1,0,0,1,0.5,0.5 --border wrap"})
    expect_the_same_from_codes(queue(), words, source);
}

// The stages before make floats from codes without changing values, so the warp still reads codes.
TEST_F(WarpOfCodes, GivesTheSameBytesBehindStagesThatChangeNoValue) {
  for (const char* before : {"unpremult + ", "premult + ", "flop + rotate180 + unpremult + ", ""})
    for (const char* border :
         {"--border-color 0.2,0.9033495,7.3,0.75", "--border-color -1,0.5,0.1", "--border clamp"})
      for (const int channels : {3, 4})
        ASSERT_NO_FATAL_FAILURE(
            expect_the_same(queue(),
                            before +
                                std::string("distort --k1 -0.13 --k2 0.28 --k3 -0.15 "
                                            "--focal 31 --center 39.9,29.1 --no-antialias ") +
                                border,
                            picture(37, 45, channels, any_code), to_codes()));
}

TEST(WarpOfCodesLayout, TakesTheConversionsPlacesWhereCodesAreStored) {
  Spec spec = one_layer({0, 0, 64, 64}, PixelType::u8, 4);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  ChainOptions options;
  options.format = "png";
  const std::string perspective = "perspective --corners -30,-10,110,5,90,90,-20,80";
  EXPECT_EQ(layout_on_card(plan_of(parse_chain(perspective), spec, options)),
            (std::vector<std::string>{"card: input: into rows",
                                      "card: convert + perspective + convert: into rows"}));
  // The first stage makes floats in an array for the second one, not codes.
  EXPECT_EQ(layout_on_card(plan_of(parse_chain(perspective + " + " + perspective), spec, options)),
            (std::vector<std::string>{"card: input: into rows", "card: convert: into an array",
                                      "card: perspective: into an array",
                                      "card: perspective + convert: into rows"}));
}

// A colour computed by the card's plain arithmetic, and by the definition.
struct TwoColors {
  float plain, defined;
};
template <class Code>
TwoColors weigh(std::mt19937& random, const Code& code) {
  const PlainBilinear weights(static_cast<int>(random() % 256), static_cast<int>(random() % 256));
  const int counts[] = {weights.w00, weights.w10, weights.w01, weights.w11};
  int covered = 0;
  float sum = 0, colors[4] = {}, alphas[4] = {};
  for (int i = 0; i < 4; ++i) {
    const unsigned color = code(static_cast<unsigned>(random()), false),
                   alpha = code(static_cast<unsigned>(random()), true);
    const float light = srgb8_tables().decode[color];
    const int part = counts[i] * static_cast<int>(alpha);
    covered += part;
    sum = fma(static_cast<float>(part), light, sum);
    if (counts[i] == 0) continue;
    alphas[i] = static_cast<float>(alpha) / 255;
    colors[i] = light * alphas[i];
  }
  const float color = weights(colors[0], colors[1], colors[2], colors[3]);
  const float alpha = weights(alphas[0], alphas[1], alphas[2], alphas[3]);
  if (covered == 0) return {0, 0};
  return {sum * (1 / static_cast<float>(covered)), color / alpha};
}

TEST(StepsOfDoubt, AreNoFewerThanTheDefinitionIsOff) {
  std::mt19937 random(3);
  std::uint32_t most = 0;
  for (const auto& code : {any_code, opaque, extreme, hardly_covered})
    for (int i = 0; i < 200000; ++i) {
      const TwoColors made = weigh(random, code);
      const std::uint32_t a = bits_of(made.plain), b = bits_of(made.defined);
      most = std::max(most, a > b ? a - b : b - a);
    }
  // A card's reciprocal may be off by one more step.
  EXPECT_LE(most + 1, steps_of_doubt);
  EXPECT_GE(most, 8u) << "nothing was cut";
}

TEST(StepsOfDoubt, CoverEveryChangeOfCodes) {
  const std::vector<std::uint32_t> codes = codes_of_bits();
  const std::uint32_t* const encode = srgb8_tables().encode;
  const auto look = [&](std::uint32_t light) {
    const std::uint32_t sum =
        codes[(light >> 16) - Srgb8Tables::first_bucket] + steps_of_doubt + light;
    if (is_in_doubt(sum)) return;
    for (const std::uint32_t other : {light - steps_of_doubt, light + steps_of_doubt})
      ASSERT_EQ(sum >> 16, linear_to_srgb8(encode, float_from_bits(other))) << std::hex << light;
  };
  // Around the start of each bucket, and around the threshold in it.
  for (std::uint32_t i = 1; i < Srgb8Tables::buckets; ++i)
    for (const std::uint32_t middle : {0u, 0x10000u - (encode[i] & 0xffffu)})
      for (std::uint32_t step = 0; step < 400; ++step) {
        const std::uint32_t light = ((Srgb8Tables::first_bucket + i) << 16) + middle + step - 200;
        if (light <= bits_of(most_light)) {
          ASSERT_NO_FATAL_FAILURE(look(light));
        }
      }
}

}  // namespace
}  // namespace cuimg::test
