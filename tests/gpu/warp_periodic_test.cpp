// SPDX-License-Identifier: Apache-2.0
// Warps of a picture that repeats or is mirrored, using the texture unit's own address modes.
#include "same_on_card.h"

namespace cuimg::test {
namespace {

using Periodic = Card;

TEST_F(Periodic, GivesTheSameBytes) {
  for (const char* border : {"wrap", "mirror"})
    for (const char* words :
         {"rotate --angle 33 --expand", "affine --matrix 1.3,0.2,-0.1,1.1,-400,99",
          "perspective --no-antialias --corners 9,-5,60,19,80,50,-20,44",
          "distort --k1 0.2 --no-antialias"})
      for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32})
        for (const int channels : {4, 1, 2}) {
          const Image source = random_image({2, -3, 61, 47}, type, channels);
          expect_the_same(queue(), words + std::string(" --raw --border ") + border, source);
        }
}

// From 16384 texels on, coordinates have too few bits for 256 places within a texel.
TEST_F(Periodic, LongPicturesGiveTheSameBytes) {
  for (const char* border : {"wrap", "mirror"})
    for (const auto& [width, height] :
         {std::pair{8191, 3}, {3, 8193}, {16383, 2}, {5, 16384}, {16385, 2}})
      expect_the_same(
          queue(),
          std::string("affine --raw --matrix 1,0.01,0.003,1.05,-7.3,4.1 --border ") + border,
          random_image({0, 0, width, height}, PixelType::f32, 1));
}

}  // namespace
}  // namespace cuimg::test
