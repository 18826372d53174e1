// SPDX-License-Identifier: Apache-2.0
// Parameters for which a card has special kernels, which random parameters rarely select, over
// pictures larger than one of their tiles.
#include <cmath>

#include "same_on_card.h"

namespace cuimg::test {
namespace {

using FastPath = Card;

// Floats over many powers of two and zeros of both signs; in every fourth picture NaN and
// infinities.
Image picture(int width, int height, int channels, unsigned seed) {
  std::mt19937 random(seed);
  return image_of(one_layer({0, 0, width, height}, PixelType::f32, channels),
                  [&](int, int, int, int) -> float {
                    const unsigned kind = static_cast<unsigned>(random() % 400);
                    if (kind == 0 && seed % 4 == 0) return std::nanf("");
                    if (kind == 1 && seed % 4 == 0) return HUGE_VALF;
                    if (kind < 20) return kind % 2 == 0 ? 0.0f : -0.0f;
                    const float value = static_cast<float>(random() % 65536) * 0x1p-16f - 0.3f;
                    if (kind < 40) return value * 0x1p-140f;  // denormal
                    return std::ldexp(value, static_cast<int>(random() % 12) - 6);
                  });
}

void expect_the_same_of_sizes(const Queue& card, const std::string& words) {
  unsigned seed = 1;
  for (const int channels : {4, 1, 2, 3})
    for (const auto& [width, height] : {std::pair{614, 262}, {130, 70}, {34, 6}, {2, 2}})
      expect_the_same(card, words, picture(width, height, channels, seed++));
}

TEST_F(FastPath, HalvingGivesTheSameBytes) {
  for (const char* filter : {"box", "triangle", "cubic", "lanczos3", "blackman-harris"})
    for (const char* border : {"clamp", "mirror", "border", "wrap"})
      for (const char* how : {"", " --clamp-ringing", " --no-antialias"})
        expect_the_same_of_sizes(queue(), "resize --raw --size 50% --filter " +
                                              std::string(filter) + " --border " + border + how);
}

TEST_F(FastPath, DoublingGivesTheSameBytes) {
  for (const char* border : {"clamp", "mirror", "border", "wrap"})
    expect_the_same_of_sizes(
        queue(), "resize --raw --size 200% --filter linear --border " + std::string(border));
  expect_the_same_of_sizes(queue(), "resize --raw --size 200% --filter lanczos3 --clamp-ringing");
  for (const char* filter : {"triangle", "cubic", "mitchell", "lanczos2", "lanczos3"})
    for (const char* border : {"clamp", "mirror", "border", "wrap"})
      expect_the_same_of_sizes(queue(), "resize --raw --size 200% --filter " + std::string(filter) +
                                            " --border " + border);
}

TEST_F(FastPath, WindowsOfEveryKindGiveTheSameBytes) {
  for (const int radius : {1, 5, 7, 8, 9, 15, 16, 23, 24, 50, 56, 57, 80})
    for (const char* stage : {"box", "erode", "dilate"})
      expect_the_same_of_sizes(queue(),
                               std::string(stage) + " --raw --radius " + std::to_string(radius));
}

TEST_F(FastPath, SmallKernelsGiveTheSameBytes) {
  for (const char* words :
       {"blur --sigma 0.4", "blur --sigma 1", "blur --sigma 2", "blur --sigma 2.5",
        "unsharp --sigma 2", "unsharp --sigma 0.7", "convolve --kernel 3x3:0,-1,0,-1,5,-1,0,-1,0",
        "convolve --kernel 3x3:1,0,1,0,0,0,-1,0,2", "convolve --kernel 3x3:1,2,3,4,5,6,7,8,10",
        "sobel", "laplacian --neighbors 8", "laplacian"})
    expect_the_same_of_sizes(queue(), words + std::string(" --raw"));
}

TEST_F(FastPath, LargeGaussiansGiveTheSameBytes) {
  for (const char* border : {"clamp", "mirror", "border", "wrap"})
    for (const char* words : {"blur --sigma 26", "blur --sigma 64.1,33.3", "blur --sigma 3,90",
                              "blur --sigma 47,0.1", "unsharp --sigma 50", "unsharp --sigma 30,2"})
      expect_the_same_of_sizes(queue(), words + std::string(" --raw --border ") + border);
}

TEST_F(FastPath, FourFloatsFromWhereAMatrixSaysGiveTheSameBytes) {
  expect_the_same_of_sizes(queue(),
                           "rotate --raw --angle -80 --border border --border-color 1,2,-3,4");
  for (const char* border : {"clamp", "mirror", "border", "wrap"})
    for (const char* words :
         {"rotate --angle 17", "rotate --angle -80", "affine --matrix 1.5,0.3,-0.2,2.1,-7.3,4.1",
          "affine --matrix 1,0,0,1,0.5,0.25",
          "perspective --no-antialias --corners 3,-5,600,9,520,280,-20,250"})
      expect_the_same_of_sizes(queue(), words + std::string(" --raw --border ") + border);
}

// One texel holds four pixels of a channel if rows are whole words. Other widths, two channels, and
// operations that mix channels use the other kernels.
TEST_F(FastPath, GreyPassesGiveTheSameBytes) {
  for (const char* words :
       {"exposure --stops 1",
        "gain --value -0.7",
        "add --value 0.25",
        "sub --value 0.3",
        "div --value 1.5",
        "min --value 0.1",
        "max --value 0.2",
        "absdiff --value 0.4",
        "levels --black 0.1 --gamma 1.4",
        "contrast --amount 1.3",
        "invert",
        "clamp --min 0.1",
        "fixnan",
        "encode --curve srgb",
        "decode --curve pq",
        "tonemap --curve aces",
        "curve --points '0,0 0.3,0.2 0.7,0.8 1,1'",
        "colormap --map turbo",
        "saturation --amount 2",
        "exposure --stops 1 + clamp + invert + encode --curve rec709 + add --value 0.5"})
    for (const int channels : {1, 2})
      for (const auto& [width, height] : {std::pair{1032, 3}, {128, 9}, {36, 2}, {4, 1}, {61, 5}})
        expect_the_same(queue(), words + std::string(" --raw"),
                        picture(width, height, channels, static_cast<unsigned>(4 * width)));
}

// Also for NaN, infinities and light outside the gamut. A NaN makes all channels of its pixel NaN.
TEST_F(FastPath, ToneCurvesGiveTheSameBytes) {
  for (const char* curve : {"reinhard", "reinhard-extended", "hable", "aces", "agx", "neutral"})
    expect_the_same_of_sizes(queue(), "tonemap --raw --exposure 3 --curve " + std::string(curve));
}

// Which kernel a pass takes depends on whether its operations read tables, have many numbers, or
// are AgX, and on the channels. `undistort` reads the result from an array.
TEST_F(FastPath, OperationsOfOnePassGiveTheSameBytes) {
  const char* const agx = "tonemap --raw --curve agx";
  const char* const table = "curve --raw --points '0,0 0.3,0.2 0.7,0.8 1,1'";
  const char* const log = "encode --raw --curve logc3 + decode --raw --curve acescct";
  const char* const power = "gamma --raw --value 2.2";
  const std::vector<std::vector<const char*>> passes = {
      {agx}, {table, agx}, {agx, log}, {agx, power, agx}, {log, table}, {table, log, agx}, {log}};
  for (const std::vector<const char*>& ops : passes) {
    std::string words = ops[0];
    for (std::size_t i = 1; i < ops.size(); ++i) words += std::string(" + ") + ops[i];
    for (const int channels : {3, 4})
      for (const int width : {130, 37})
        for (const PixelType type : {PixelType::f32, PixelType::half, PixelType::u8})
          for (const char* reader : {"", " + undistort --raw --k1 -0.1"})
            expect_the_same(queue(), words + reader,
                            random_image({0, 0, width, 9}, type, channels));
  }
}

// More rows than the maximum number of a grid's blocks in y.
TEST_F(FastPath, TheTallestPicturesGiveTheSameBytes) {
  const Image gray = picture(3, 131072, 1, 1), color = picture(2, 131072, 4, 2);
  for (const char* words :
       {"exposure --stops 1", "box --radius 2", "box --radius 90", "blur --sigma 1",
        "blur --sigma 150", "convolve --kernel 3x3:1,2,3,4,5,6,7,8,10", "median --size 3",
        "median --size 11", "erode --radius 3", "erode --radius 4 --shape disk",
        "dilate --radius 60 --shape disk", "bilateral --radius 1", "sobel", "flip", "add --value 1",
        "resize --size 50% --filter lanczos3", "rotate180", "channels --pick R=0.5"}) {
    expect_the_same(queue(), words + std::string(" --raw"), gray);
    expect_the_same(queue(), words + std::string(" --raw"), color);
  }
}

}  // namespace
}  // namespace cuimg::test
