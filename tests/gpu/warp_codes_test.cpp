// SPDX-License-Identifier: Apache-2.0
// Warps from 8-bit pictures in sRGB to such pictures, which a card makes by arithmetic that is not
// exact, and by the definition where that might show.
#include "card.h"
#include "support/images.h"

namespace cuimg::test {
namespace {

using WarpOfCodes = Card;

// Codes and alphas by `code`, of random numbers.
template <class Code>
Image picture(int width, int height, int channels, const Code& code) {
  std::mt19937 random(static_cast<unsigned>(width * 1000 + height * 10 + channels));
  Spec spec = one_layer({0, 0, width, height}, PixelType::u8, channels);
  spec.color = {Curve::srgb, 1.0f, false, {}};
  Image image(spec);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width * channels; ++x)
      reinterpret_cast<std::uint8_t*>(image.row(0, y))[x] =
          static_cast<std::uint8_t>(code(static_cast<unsigned>(random()), x % channels == 3));
  return image;
}

unsigned any_code(unsigned random, bool) { return random >> 24; }
unsigned opaque(unsigned random, bool is_alpha) { return is_alpha ? 255 : random >> 24; }
// Whose light differs as much as light can, so that the texture unit cuts the darker.
unsigned extreme(unsigned random, bool) {
  constexpr unsigned codes[] = {0, 1, 2, 3, 20, 128, 254, 255};
  return codes[random >> 29];
}
// Seldom anything, and nearly nothing.
unsigned hardly_covered(unsigned random, bool is_alpha) {
  return is_alpha ? (random >> 30 == 0 ? random >> 8 & 3 : 0) : random >> 24;
}

void expect_the_same(const Queue& card, const std::string& words, const Image& source) {
  const Queue cpu = Queue::cpu();
  ChainOptions options;
  options.format = "png";
  options.type = PixelType::u8;
  const Plan plan = plan_of(parse_chain(words), source.spec(), options);
  options.queue = &cpu;
  const Image expected = run_plan(plan, source, options);
  options.queue = &card;
  const Rect& window = source.spec().data_window;
  ASSERT_TRUE(same_pixels(run_plan(plan, source, options), expected))
      << words << ", " << window.width << 'x' << window.height << " of "
      << source.spec().layers[0].channels.size();
}

TEST_F(WarpOfCodes, GivesTheSameBytesWithEveryBorder) {
  for (const char* warp :
       {"rotate --angle 17", "rotate --angle 45 --expand", "affine --matrix 1.3,0.4,-0.2,1.7,-3,2",
        "affine --matrix 1,0,0,1,0.5,0.25", "perspective --corners -30,-10,160,5,150,90,-20,80",
        "undistort --k1 -0.12 --k2 0.01", "rotate --angle -3 + rotate --angle 3"})
    for (const char* border : {"border", "clamp", "wrap", "mirror",
                               "border --border-color 0.3,0,2,0.5", "border --border-color -1,1,1"})
      for (const int channels : {3, 4})
        for (const auto& [width, height] :
             {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 2}, {33, 5}, {131, 75}}) {
          std::string words = warp;
          words.insert(words.find(" --"), " --border " + std::string(border));
          ASSERT_NO_FATAL_FAILURE(
              expect_the_same(queue(), words, picture(width, height, channels, any_code)));
        }
}

TEST_F(WarpOfCodes, GivesTheSameBytesOfEveryKindOfPicture) {
  for (const auto& code : {any_code, opaque, extreme, hardly_covered})
    for (int angle = 1; angle < 360; angle += 31)
      ASSERT_NO_FATAL_FAILURE(expect_the_same(queue(), "rotate --angle " + std::to_string(angle),
                                              picture(243, 187, 4, code)));
}

// All pixels are made by the definition: alphas lie halfway between two codes.
TEST_F(WarpOfCodes, GivesTheSameBytesWhereNoPixelIsSure) {
  const Image source = picture(150, 90, 4, [](unsigned random, bool is_alpha) {
    return is_alpha ? 100 + (random >> 31) : random >> 24;
  });
  for (const char* words :
       {"affine --matrix 1,0,0,1,0.5,0", "affine --matrix 1,0,0,1,0.5,0.5 --border wrap"})
    expect_the_same(queue(), words, source);
}

}  // namespace
}  // namespace cuimg::test
