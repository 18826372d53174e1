// SPDX-License-Identifier: Apache-2.0
// The levels of mipmapped pictures, and the levels and positions that a footprint reads.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/texture/texture_unit.h"
#include "kernels/warp/mip_halving.h"
#include "kernels/warp/mip_read.h"
#include "kernels/warp/normalized_axis.h"
#include "kernels/warp/warp_taps.h"

namespace cuimg::test {
namespace {

TEST(MipLevels, SidesAreFlooredDownToOneTexel) {
  EXPECT_EQ(mip_side(61, 0), 61);
  EXPECT_EQ(mip_side(61, 1), 30);
  EXPECT_EQ(mip_side(61, 5), 1);
  EXPECT_EQ(mip_side(61, 9), 1);
  EXPECT_EQ(last_mip_level(1, 1), 0);
  EXPECT_EQ(last_mip_level(61, 3), 5);
  EXPECT_EQ(last_mip_level(2, 64), 6);
  EXPECT_EQ(last_mip_level(longest_mip_side, 1), 15);
}

TEST(MipLevels, EveryTexelHasItsShareOfTheNextLevel) {
  for (const int side : {1, 2, 3, 4, 5, 7, 30, 61, 1023, 8191, 32767}) {
    std::vector<double> share(static_cast<std::size_t>(side));
    const int next = mip_side(side, 1);
    for (int index = 0; index < next; ++index) {
      const HalvedTaps taps(index, side);
      float sum = 0;
      for (int i = 0; i < taps.count; ++i) {
        EXPECT_GT(taps.weight[i], 0.0f) << side;
        ASSERT_LT(taps.first + i, side);
        sum += taps.weight[i];
        share[static_cast<std::size_t>(taps.first + i)] += double{taps.weight[i]};
      }
      EXPECT_EQ(sum, 1.0f) << side;
    }
    for (const double s : share) EXPECT_NEAR(s * side / next, 1.0, 0x1p-22 * side) << side;
  }
}

TEST(MipLevels, AnEvenPictureIsHalvedToTheMeanOfFourTexels) {
  const auto fetch = [](int x, int y) { return Pixel<1>{{static_cast<float>(16 * y + x)}}; };
  EXPECT_EQ(mip_halved_texel<1>(3, 2, 16, 16, fetch).v[0], (70 + 71 + 86 + 87) / 4.0f);
}

TEST(MipLevels, AnOddPictureKeepsItsMiddleAndItsEdges) {
  const auto fetch = [](int x, int) { return Pixel<1>{{static_cast<float>(x)}}; };
  // Texels 0, 1 and 2/3 of 2, weighed 3, 3 and 1 (of seven thirds): 5 / 7.
  EXPECT_NEAR(mip_halved_texel<1>(0, 0, 7, 1, fetch).v[0], 5.0 / 7, 1e-6);
  EXPECT_NEAR(mip_halved_texel<1>(1, 0, 7, 1, fetch).v[0], 3.0, 1e-6);
  EXPECT_NEAR(mip_halved_texel<1>(2, 0, 7, 1, fetch).v[0], 6 - 5.0 / 7, 1e-6);
}

TEST(MipLevels, OpaqueStaysOpaque) {
  const auto fetch = [](int, int) { return Pixel<1>{{1.0f}}; };
  for (const int side : {3, 5, 61, 999, 32767})
    for (int index = 0; index < side / 2; ++index)
      ASSERT_EQ(mip_halved_texel<1>(index, 0, side, 3, fetch).v[0], 1.0f) << side;
}

TEST(LevelOfDetail, IsTheLogarithmOfTheLongerStepRoundedDown) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> exponent(-3, 14), part(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    const float size = std::exp2(exponent(random));
    const WarpDerivative d = {size * part(random), size * part(random), size * part(random),
                              size * part(random)};
    const double longest = std::sqrt(std::fmax(double{d.xx} * d.xx + double{d.yx} * d.yx,
                                               double{d.xy} * d.xy + double{d.yy} * d.yy));
    const double exact = std::fmax(std::log2(longest), 0.0) * 256;
    EXPECT_NEAR(level_of_detail_256(d) + 0.5, exact, exact > 0 ? 0.5001 : 0.51);
  }
}

TEST(LevelOfDetail, IsExactForPowersOfTwoAndEndsSomewhere) {
  for (int level = 0; level < 20; ++level) {
    const float size = std::ldexp(1.0f, level);
    EXPECT_EQ(level_of_detail_256({size, 0, 0, size}), level * 256);
    EXPECT_EQ(level_of_detail_256({0, -size, size / 2, 0}), level * 256);
  }
  EXPECT_EQ(level_of_detail_256({0.5f, 0, 0, 0.25f}), 0);
  EXPECT_EQ(level_of_detail_256({0, 0, 0, 0}), 0);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_GT(level_of_detail_256({infinity, 0, 0, 1}), 16 * 256);
  EXPECT_GT(level_of_detail_256({1e30f, 0, 0, 1}), 16 * 256);
  EXPECT_GT(level_of_detail_256({1, 0, 0, std::nanf("")}), 16 * 256);
}

std::int64_t random_position(std::mt19937_64& random, int side) {
  const auto range = static_cast<std::uint64_t>(3 * std::int64_t{side}) << 32;
  return static_cast<std::int64_t>(random() % range) - (std::int64_t{side} << 32);
}

// Whether the unit reads between the expected texels for the given normalised coordinates.
template <class Taps>
void expect_every_place(const std::vector<Address>& addresses, int side, int bits,
                        const Taps& taps_of) {
  std::mt19937_64 random(3);
  const NormalizedAxis axis(side, bits);
  for (int i = 0; i < 60000; ++i) {
    // Random positions, then every 1/256 up to the end.
    const std::int64_t position =
        i < 30000 ? random_position(random, side)
                  : (std::int64_t{side} << 32) - (std::int64_t{i - 30000} << 24);
    for (const Address address : addresses) {
      const AxisTaps taps = taps_of(address, axis.coordinate(address, position));
      const AxisTaps expected = unit_taps(address, position, side);
      // Between a texel and itself, beyond an edge, the weight does not matter.
      if (expected.near != expected.far || taps.near != taps.far) {
        ASSERT_EQ(taps.fraction, expected.fraction) << side << " " << position;
      }
      ASSERT_EQ(taps.near, expected.near) << side << " " << position;
      ASSERT_EQ(taps.far, expected.far) << side << " " << position;
    }
  }
}

const std::vector<int> sides = {1,    2,    3,    61,   64,    1000,  1920,  4096, 7680,
                                8191, 8192, 8193, 9999, 12288, 16382, 16383, 16384};

TEST(NormalizedAxis, ReachesEveryPlaceBetweenTwoTexelsOfALevel) {
  for (const int side : sides)
    expect_every_place({Address::clamp, Address::border, Address::wrap, Address::mirror}, side,
                       level_coordinate_bits(side), [&](Address address, float coordinate) {
                         return level_axis_taps(address, side, side, coordinate);
                       });
}

TEST(NormalizedAxis, ReachesEveryPlaceBetweenTwoTexelsOfATexture) {
  for (const int side : sides)
    for (const int other : {1, 16384}) {
      const TextureSide both(side, other);
      expect_every_place({Address::wrap, Address::mirror}, side, coordinate_bits(both.longer),
                         [&](Address address, float coordinate) {
                           Sampler sampler;
                           sampler.normalized = true;
                           sampler.address[0] = address;
                           return linear_taps(sampler, 0, both, coordinate);
                         });
    }
}

TEST(NormalizedAxis, FarOutsideEveryLevelReadsTheEdgeOrTheBorder) {
  const NormalizedAxis axis(100, level_coordinate_bits(100));
  for (const std::int64_t position : {-(std::int64_t{1} << 61), std::int64_t{1} << 61,
                                      std::int64_t{-250} << 32, std::int64_t{350} << 32})
    for (const int side : {100, 50, 25, 12, 6, 3, 1}) {
      const AxisTaps beyond =
          level_axis_taps(Address::border, side, side, axis.coordinate(Address::border, position));
      EXPECT_EQ(beyond.near, outside) << side;
      EXPECT_EQ(beyond.far, outside) << side;
      const AxisTaps edge =
          level_axis_taps(Address::clamp, side, side, axis.coordinate(Address::clamp, position));
      EXPECT_EQ(edge.near, position < 0 ? 0 : side - 1);
    }
}

}  // namespace
}  // namespace cuimg::test
