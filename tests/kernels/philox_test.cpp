// SPDX-License-Identifier: Apache-2.0
// The random words compared with the known answers of the paper's own library: Random123 1.14,
// tests/kat_vectors, the lines of philox4x32 with ten rounds.
#include "kernels/math/philox.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/generate/noise_generator.h"

namespace cuimg {
namespace {

struct Known {
  RandomWords counter;
  std::uint32_t key[2];
  RandomWords answer;
};

TEST(Philox, GivesTheKnownAnswers) {
  constexpr Known known[] = {
      {{{0, 0, 0, 0}}, {0, 0}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
      {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
       {0xffffffff, 0xffffffff},
       {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
      {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
       {0xa4093822, 0x299f31d0},
       {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}}};
  for (const Known& k : known) {
    const RandomWords words = philox4x32(k.counter, k.key[0], k.key[1]);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(words.v[i], k.answer.v[i]);
  }
}

TEST(Philox, UniformValuesStayBelowOne) {
  EXPECT_EQ(uniform_of(0), 0.0f);
  EXPECT_EQ(uniform_of(0xffffffff), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniform_of(0x80000000), 0.5f);
}

TEST(Philox, NormalDeviatesAreFiniteAtTheEndsOfTheirWords) {
  EXPECT_NEAR(normal_pair(0xffffffff, 0).first, 0x1.6a09e7p-12f, 1e-10f);  // u is 1 - 2^-24
  const NormalPair farthest = normal_pair(0, 0);
  EXPECT_NEAR(farthest.first, 6.7637, 1e-4);  // sqrt(2 * 33 * ln 2)
  EXPECT_EQ(farthest.second, 0.0f);
}

TEST(Philox, LogarithmsOfNormalDeviatesAreAsExactAsFloats) {
  for (std::uint32_t bits = bits_of(0x1p-33f); bits < bits_of(1.0f); bits += 4099) {
    const double u = float_from_bits(bits), exact = -2 * std::log(u);
    ASSERT_NEAR(detail::minus_twice_log(float_from_bits(bits)), exact, 0x1.4p-23 * exact) << u;
  }
  const float last = 1.0f - 0x1p-24f;
  EXPECT_FLOAT_EQ(detail::minus_twice_log(last), -2 * std::log(last));
}

}  // namespace
}  // namespace cuimg
