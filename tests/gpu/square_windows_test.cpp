// SPDX-License-Identifier: Apache-2.0
// Square windows of four floats: both axes are processed in one pass over strips of a picture.
// Every radius with a special kernel, and the radii next to it, give the CPU's bytes.
#include "pipeline/execute/execute.h"
#include "rough_picture.h"
#include "same_on_card.h"

namespace cuimg {
namespace {

using namespace test;

using SquareWindows = Card;

std::string square(const std::string& stage, int radius) {
  return stage + " --radius " + std::to_string(radius);
}

TEST_F(SquareWindows, GiveTheSameBytesOfEveryRadius) {
  const Image few = rough_picture({-3, 5, 300, 150}, 0, 100000),
              many = rough_picture({-3, 5, 300, 150}, 7, 300);
  for (int radius = 1; radius <= 18; ++radius)
    for (const Image* source : {&few, &many})
      for (const char* stage : {"box", "erode", "dilate"})
        ASSERT_NO_FATAL_FAILURE(expect_the_same(queue(), square(stage, radius), *source, {},
                                                source == &few ? "few" : "many"));
}

// Sizes below that of a window or of a block's part, equal to it, and one pixel more.
TEST_F(SquareWindows, GiveTheSameBytesOfEverySize) {
  for (const auto& [width, height] :
       {std::pair{1, 1}, {2, 33}, {17, 4}, {118, 16}, {119, 17}, {128, 64}, {129, 1}, {257, 131}})
    for (const int frame : {0, 9}) {
      const Image source = rough_picture({7, -9, width, height}, frame, 500);
      for (const char* words : {"box --radius 5", "erode --radius 3", "dilate --radius 7",
                                "box --radius 8", "box --radius 15", "erode --radius 16"})
        ASSERT_NO_FATAL_FAILURE(expect_the_same(
            queue(), words, source, {}, std::to_string(width) + 'x' + std::to_string(height)));
    }
}

TEST_F(SquareWindows, GiveTheSameBytesBeyondEveryEdge) {
  const Image source = rough_picture({0, 0, 140, 37}, 0, 2000);
  for (const char* border : {"clamp", "wrap", "mirror", "border"})
    for (const int radius : {2, 7, 9, 16})
      ASSERT_NO_FATAL_FAILURE(expect_the_same(
          queue(), square("box", radius) + " --border " + border, source, {}, "borders"));
}

TEST_F(SquareWindows, GiveTheSameBytesInTilesAndBands) {
  const Image source = rough_picture({11, -2, 203, 301}, 4, 5000);
  for (const char* words : {"box --radius 5", "box --radius 13", "open --radius 4",
                            "close --radius 15", "erode --radius 6 + box --radius 2"})
    expect_the_same_in_parts(queue(), words, source, {}, 1500000);
}

// A rotation reads its source from an array.
TEST_F(SquareWindows, GiveTheSameBytesInArrays) {
  for (const auto& [width, height] : {std::pair{131, 40}, {40, 67}})
    for (const int top : {0, 1}) {
      const Image source = rough_picture({5, top, width, height}, 0, 5000);
      for (const char* words :
           {"box --radius 5", "erode --radius 2", "box --radius 12", "dilate --radius 15"})
        expect_the_same(queue(), std::string(words) + " + rotate --angle 17", source, {}, "arrays");
    }
}

}  // namespace
}  // namespace cuimg
