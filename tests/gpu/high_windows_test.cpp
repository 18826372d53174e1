// SPDX-License-Identifier: Apache-2.0
// Windows of many rows, whose values are in rings in shared memory: of one warp, of several warps,
// or in none if there is not enough memory.
#include "rough_picture.h"
#include "same_on_card.h"

namespace cuimg {
namespace {

using namespace test;

using HighWindows = Card;

std::string words_of(const char* stage, int radius) {
  return std::string(stage) + " --radius " + std::to_string(radius);
}

// Radii near those where the number of blocks of 16 rows changes, and where another method begins.
TEST_F(HighWindows, GiveTheSameBytesOfEveryKindOfRadius) {
  const Image few = rough_picture({-3, 5, 71, 700}, 0, 100000),
              many = rough_picture({-3, 5, 71, 700}, 7, 300);
  for (const int radius :
       {17, 23, 24, 25, 55, 63, 64, 65, 71, 72, 100, 151, 199, 247, 248, 255, 256})
    for (const Image* source : {&few, &many})
      for (const char* stage : {"box", "dilate"})
        ASSERT_NO_FATAL_FAILURE(expect_the_same(queue(), words_of(stage, radius), *source, {},
                                                source == &few ? "few" : "many"));
}

// Heights below that of a window, or below the rows that a block's warps make at a time, and one
// row more.
TEST_F(HighWindows, GiveTheSameBytesOfEverySize) {
  for (const auto& [width, height] :
       {std::pair{1, 1}, {3, 16}, {8, 127}, {9, 128}, {7, 129}, {33, 260}, {2, 1030}})
    for (const int frame : {0, 9}) {
      const Image source = rough_picture({7, -9, width, height}, frame, 500);
      for (const char* words : {"box --radius 90", "erode --radius 130", "box --radius 250"})
        ASSERT_NO_FATAL_FAILURE(expect_the_same(
            queue(), words, source, {}, std::to_string(width) + 'x' + std::to_string(height)));
    }
}

TEST_F(HighWindows, GiveTheSameBytesBeyondEveryEdge) {
  const Image source = rough_picture({0, 0, 45, 333}, 0, 2000);
  for (const char* border : {"clamp", "wrap", "mirror", "border"})
    for (const int radius : {40, 99, 180, 251})
      ASSERT_NO_FATAL_FAILURE(expect_the_same(
          queue(), words_of("box", radius) + " --border " + border, source, {}, "borders"));
}

TEST_F(HighWindows, GiveTheSameBytesInTilesAndBands) {
  const Image source = rough_picture({11, -2, 103, 901}, 4, 5000);
  for (const char* words : {"box --radius 75", "box --radius 201", "open --radius 120"})
    expect_the_same_in_parts(queue(), words, source, {}, 1500000);
}

}  // namespace
}  // namespace cuimg
