// SPDX-License-Identifier: Apache-2.0
// Colour space matrices compared with published ones.
#include "image/primaries.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "image/named_primaries.h"

namespace {

using namespace cuimg;

void expect_near(const Matrix3& found, const Matrix3& expected, double tolerance) {
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      EXPECT_NEAR(found.m[row][column], expected.m[row][column], tolerance) << row << column;
}

TEST(Primaries, Rec709ToXyzIsThePublishedMatrix) {
  // IEC 61966-2-1, annex F of amendment 1.
  expect_near(rgb_to_xyz(primaries::rec709),
              {{{0.4123908, 0.3575843, 0.1804808},
                {0.2126390, 0.7151687, 0.0721923},
                {0.0193308, 0.1191948, 0.9505322}}},
              2e-7);
}

TEST(Primaries, Rec709ToRec2020IsThePublishedMatrix) {
  // ITU-R BT.2087-0.
  expect_near(rgb_to_rgb(primaries::rec709, primaries::rec2020),
              {{{0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0114}, {0.0164, 0.0880, 0.8956}}},
              6e-5);
}

TEST(Primaries, AcesAp0ToAp1IsThePublishedMatrix) {
  // ACES S-2014-004.
  expect_near(rgb_to_rgb(primaries::aces_ap0, primaries::aces_ap1),
              {{{1.4514393161, -0.2365107469, -0.2149285693},
                {-0.0765537734, 1.1762296998, -0.0996759264},
                {0.0083161484, -0.0060324498, 0.9977163014}}},
              1e-6);
}

TEST(Primaries, WhiteStaysWhiteBetweenAllSets) {
  for (const NamedPrimaries& one : named_primaries())
    for (const NamedPrimaries& other : named_primaries()) {
      const std::string_view from = one.name, to = other.name;
      const Matrix3 matrix = rgb_to_rgb(*primaries_named(from), *primaries_named(to));
      for (const auto& row : matrix.m)
        EXPECT_NEAR(row[0] + row[1] + row[2], 1.0, 1e-12) << from << " to " << to;
      const Matrix3 back = rgb_to_rgb(*primaries_named(to), *primaries_named(from));
      expect_near(matrix * back, {}, 1e-12);
    }
  EXPECT_FALSE(primaries_named("rec601"));
}

TEST(Primaries, EqualSetsGiveTheIdentityExactly) {
  EXPECT_EQ(rgb_to_rgb(primaries::aces_ap0, primaries::aces_ap0), Matrix3{});
}

TEST(Primaries, DegenerateSetsAreRefused) {
  Chromaticities line = primaries::rec709;
  line.gx = line.rx, line.gy = line.ry;
  EXPECT_THROW(rgb_to_xyz(line), Error);
  Chromaticities dark = primaries::rec709;
  dark.wy = 0;
  EXPECT_THROW(rgb_to_xyz(dark), Error);
}

}  // namespace
