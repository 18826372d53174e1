// SPDX-License-Identifier: Apache-2.0
// The software texture unit compared with samples of a real one, and with rules that always hold.
#include "kernels/texture/texture_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include "kernels/texture_replay.h"

namespace cuimg {
namespace {

void expect_equal_to_the_card(const std::filesystem::path& folder, const std::string& extension,
                              std::size_t least) {
  std::size_t samples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != extension) continue;
    const test::Tally tally = test::replay(test::read_capture(entry.path().string()));
    EXPECT_EQ(tally.different, 0u) << tally.first_difference;
    std::cout << entry.path().filename().string() << ": " << tally.samples << " samples compared\n";
    samples += tally.samples;
  }
  EXPECT_GE(samples, least);
}

TEST(TextureUnit, EqualsTheCommittedSamplesOfTheCard) {
  expect_equal_to_the_card(CUIMG_TEST_DATA "/texture_unit", ".bin", 15000);
}

TEST(TextureUnit, EqualsEverySampleOfTheCard) {
  const std::filesystem::path folder = CUIMG_SHARED "/captures";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no captures in " << folder;
  expect_equal_to_the_card(folder, ".xz", 2141982);
}

TEST(TextureUnit, WeightsSumTo256ForEveryPairOfFractions) {
  for (int fy = 0; fy < 256; ++fy) {
    for (int fx = 0; fx < 256; ++fx) {
      int w[4];
      detail::slice_weights(fx, fy, 256, w);
      ASSERT_EQ(w[0] + w[1] + w[2] + w[3], 256) << fx << ", " << fy;
      ASSERT_GE(std::min({w[0], w[1], w[2], w[3]}), 0) << fx << ", " << fy;
      // The closed formula for a single slice.
      ASSERT_EQ(w[3], (fx * fy + 128) >> 8);
      ASSERT_EQ(w[1], fx - w[3]);
      ASSERT_EQ(w[2], fy - w[3]);
    }
  }
}

TEST(TextureUnit, WeightsOfTwoSlicesSumTo256) {
  for (int fz = 0; fz < 256; fz += 5)
    for (int fy = 0; fy < 256; fy += 3)
      for (int fx = 0; fx < 256; ++fx) {
        int w[8], sum = 0;
        detail::slice_weights(fx, fy, 256 - fz, w);
        detail::slice_weights(fx, fy, fz, w + 4);
        for (const int weight : w) {
          ASSERT_GE(weight, 0);
          sum += weight;
        }
        ASSERT_EQ(sum, 256);
      }
}

// Any mix of equal texels is that texel, in every format.
template <class T>
void expect_constant(T code) {
  const Texel<T, 1> texels[4] = {{{code}}, {{code}}, {{code}}, {{code}}};
  const Texture2D<T, 1> texture{texels, 2 * sizeof(T), 2, 2};
  for (float y = 0; y < 2; y += 0.0626f)
    for (float x = 0; x < 2; x += 0.0626f) {
      const float got = sample(texture, Sampler{}, x, y).v[0];
      ASSERT_EQ(bits_of(got), bits_of(decoded(code, 0))) << x << ", " << y;
    }
}

TEST(TextureUnit, AConstantTextureStaysConstant) {
  for (int code = 0; code < 256; code += 15) expect_constant(static_cast<std::uint8_t>(code));
  for (int code = 0; code < 65536; code += 257) expect_constant(static_cast<std::uint16_t>(code));
  for (int code = -32767; code < 32768; code += 253)
    expect_constant(static_cast<std::int16_t>(code));
  for (const float value : {0.0f, -0.0f, 1.0f, -3.1415927f, 1e-38f * 1.2f, 3.4028235e38f, 0.1f})
    expect_constant(value);
  for (const std::uint16_t bits : {0x0000, 0x8000, 0x0001, 0x83ff, 0x3c00, 0x7bff, 0xfbff, 0x7c00})
    expect_constant(Half{bits});
}

TEST(TextureUnit, ATexelWithoutAShareIsNotSeen) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float texels[4] = {2, nan, nan, nan};
  const Texture2D<float, 1> texture{texels, 8, 2, 2};
  EXPECT_EQ(sample(texture, Sampler{}, 0.5f, 0.5f).v[0], 2);
  EXPECT_EQ(bits_of(sample(texture, Sampler{}, 0.6f, 0.5f).v[0]), 0x7fffffffu);
}

TEST(TextureUnit, UnnormalisedWrapAndMirrorMeanClamp) {
  const float texels[3] = {1, 2, 3};
  const Texture1D<float, 1> texture{texels, 3};
  Sampler sampler;
  for (const Address address : {Address::wrap, Address::mirror}) {
    sampler.address[0] = address;
    EXPECT_EQ(sample(texture, sampler, -1.0f).v[0], 1);
    EXPECT_EQ(sample(texture, sampler, 9.0f).v[0], 3);
  }
}

TEST(TextureUnit, AHalfBorderColourIsCut) {
  EXPECT_EQ(float_to_half_truncated(-0.7f).bits, 0xb999);
  EXPECT_EQ(float_to_half_truncated(1e9f).bits, 0x7bff);
}

TEST(TextureUnit, ABorderColourBetweenTwoCodesTakesTheLower) {
  std::uint8_t code;
  encode_border(0.5f, code);  // 127.5
  EXPECT_EQ(code, 127);
  encode_border(0.502f, code);
  EXPECT_EQ(code, 128);
  encode_border(-1.0f, code);
  EXPECT_EQ(code, 0);
  encode_border(7.0f, code);
  EXPECT_EQ(code, 255);
}

// The most negative code of a signed format is below -1, which is never returned.
TEST(TextureUnit, SignedTexelsReadNoLowerThanMinusOne) {
  const std::int16_t words[2] = {-32768, 32767};
  const Texture1D<std::int16_t, 1> word_texture{words, 2};
  EXPECT_EQ(sample(word_texture, Sampler{}, 0.5f).v[0], -1.0f);
  EXPECT_EQ(sample(word_texture, Sampler{}, 1.0f).v[0], 0.0f);
  const std::int8_t bytes[2] = {-128, -128};
  EXPECT_EQ(sample(Texture1D<std::int8_t, 1>{bytes, 2}, Sampler{}, 1.0f).v[0], -1.0f);
}

TEST(TextureUnit, EveryAxisHitsTheCentreOfItsFace) {
  const float directions[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  for (int face = 0; face < 6; ++face) {
    const CubePoint point =
        cube_point(directions[face][0], directions[face][1], directions[face][2]);
    EXPECT_EQ(point.face, face);
    EXPECT_EQ(point.s, 0.5f);
    EXPECT_EQ(point.t, 0.5f);
  }
}

// Captured on an H200: if two components are equally large, z comes first, then y.
TEST(TextureUnit, DirectionsBetweenFacesHitTheLaterAxis) {
  EXPECT_EQ(cube_point(1, 1, 1).face, 4);
  EXPECT_EQ(cube_point(1, 0.5f, -1).face, 5);
  EXPECT_EQ(cube_point(-1, 1, 0.5f).face, 2);
  EXPECT_EQ(cube_point(1, -1, 0.5f).face, 3);
}

// A texel beyond an edge is the one from which a step back over that edge leads here.
TEST(TextureUnit, FacesMeetAtTheirEdges) {
  for (const int size : {1, 2, 5})
    for (int face = 0; face < 6; ++face)
      for (int i = 0; i < size; ++i) {
        const int last = size - 1;
        const CubeTexel beyond[4] = {
            {face, -1, i}, {face, size, i}, {face, i, -1}, {face, i, size}};
        for (const CubeTexel& place : beyond) {
          const CubeTexel there = cube_texel(place.face, place.x, place.y, size);
          EXPECT_NE(there.face, face);
          EXPECT_NE(there.face, face ^ 1);
          int ways_back = 0;
          for (const CubeTexel& step :
               {CubeTexel{0, -1, 0}, CubeTexel{0, 1, 0}, CubeTexel{0, 0, -1}, CubeTexel{0, 0, 1}}) {
            const int x = there.x + step.x, y = there.y + step.y;
            if (x >= 0 && x < size && y >= 0 && y < size) continue;
            const CubeTexel back = cube_texel(there.face, x, y, size);
            ways_back += back.face == face && back.x == std::clamp(place.x, 0, last) &&
                         back.y == std::clamp(place.y, 0, last);
          }
          EXPECT_EQ(ways_back, 1) << size << ", " << face << ": " << place.x << ", " << place.y;
        }
      }
}

// Captured on an H200: the border colour is truncated to a few bits before it is rounded to a code.
TEST(TextureUnit, BorderColoursAreCutBeforeTheyAreRounded) {
  std::uint8_t u8;
  encode_border(0.3f, u8);  // 76.500003 of 255, or 0.2998 after truncation
  EXPECT_EQ(u8, 76);
  std::uint16_t u16;
  encode_border(0.3f, u16);
  EXPECT_EQ(u16, 19660);
  encode_border(0.9784927f, u16);  // 64125.5176 of 65535
  EXPECT_EQ(u16, 64125);
}

// Captured on an H200: a denormal coordinate reads at 0, but -1e-30 reads before the first texel.
TEST(TextureUnit, DenormalCoordinatesCountAsZero) {
  const float texels[4] = {1, 2, 3, 4};
  const Texture1D<float, 1> texture{texels, 4};
  Sampler sampler;
  sampler.filter = Filter::point;
  for (const Address address : {Address::wrap, Address::mirror, Address::clamp, Address::border})
    for (const bool normalized : {false, true})
      for (const float coordinate : {-1e-45f, -1e-40f, -0x1.fffffcp-127f, 1e-40f}) {
        sampler.address[0] = address;
        sampler.normalized = normalized;
        EXPECT_EQ(sample(texture, sampler, coordinate).v[0], 1.0f) << coordinate;
      }
  sampler.address[0] = Address::wrap;
  EXPECT_EQ(sample(texture, sampler, -0x1p-126f).v[0], 4.0f);
}

}  // namespace
}  // namespace cuimg
