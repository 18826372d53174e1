// SPDX-License-Identifier: Apache-2.0
// Parts of strips cover a picture, for any size of the picture and the card.
#include "stages/window/strip_cuts.h"

#include <gtest/gtest.h>

namespace cuimg {
namespace {

TEST(StripCuts, CoverEveryRowOnceAtWholeUnits) {
  constexpr int unit = 16;
  for (const int at_once : {1, 8, 132, 264})
    for (const int strips : {1, 2, 30, 61, 132, 200, 264, 1000})
      for (const int rows : {1, 15, 17, 480, 2160, 4320, 131072})
        for (const int lost : {19, 31, 49}) {
          const StripCuts cuts = cuts_of(strips, rows, at_once, unit, lost, 64);
          const int parts = cuts.parts(rows);
          ASSERT_EQ(cuts.begin(0), 0);
          for (int part = 0; part < parts; ++part) {
            ASSERT_LT(cuts.begin(part), rows);
            ASSERT_GT(cuts.begin(part + 1), cuts.begin(part));
            ASSERT_EQ(cuts.begin(part) % unit, 0);
          }
          ASSERT_GE(cuts.begin(parts), rows);
        }
}

TEST(StripCuts, OfLargePicturesAreHighThenLow) {
  // Erosion with radius 7 of 7680x4320 pixels on a card with 132 multiprocessors.
  const StripCuts cuts = cuts_of(68, 4320, 264, 16, 31, 64);
  EXPECT_EQ(cuts.high_parts, 7);
  EXPECT_GE(cuts.high, 2 * cuts.low);
  // Otherwise half of the card's blocks would wait for a second round of high parts.
  EXPECT_EQ(cuts_of(200, 4320, 264, 16, 31, 64).high_parts, 0);
}

}  // namespace
}  // namespace cuimg
