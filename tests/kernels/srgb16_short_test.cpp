// SPDX-License-Identifier: Apache-2.0
// Short powers with corrections equal the exact tables, for every code and on both sides of every
// threshold.
#include "kernels/math/srgb16_short.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "image/srgb_tables.h"

namespace cuimg {
namespace {

TEST(Srgb16Short, DecodesEveryCodeAsTheTableDoes) {
  for (std::uint32_t code = 0; code < 65536; ++code)
    ASSERT_EQ(bits_of(srgb16_to_linear(srgb16_short(), code)),
              bits_of(srgb16_tables().decode[code]))
        << code;
}

TEST(Srgb16Short, EncodesBothSidesOfEveryThreshold) {
  const float* const thresholds = srgb16_tables().thresholds;
  for (std::uint32_t code = 1; code < 65536; ++code) {
    const float at = thresholds[code], below = std::nextafter(at, -1.0f);
    ASSERT_EQ(linear_to_srgb16(srgb16_short(), thresholds, at), code);
    ASSERT_EQ(linear_to_srgb16(srgb16_short(), thresholds, below), code - 1);
    // The reason why one comparison is enough.
    const float near = detail::srgb16_near_code(at, srgb16_short().encode_scale);
    ASSERT_NEAR(near, static_cast<double>(code) - 0.5, 0.02);
  }
}

TEST(Srgb16Short, EncodesAnyFloat) {
  const float* const thresholds = srgb16_tables().thresholds;
  const auto expect_the_same = [&](float light) {
    ASSERT_EQ(linear_to_srgb16(srgb16_short(), thresholds, light),
              linear_to_srgb16(srgb16_tables(), light))
        << light;
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float light :
       {0.0f, -0.0f, 1.0f, 2.0f, -1.0f, infinity, -infinity, std::nanf(""), 1e-40f, 0.0031308f})
    expect_the_same(light);
  std::mt19937 random(1);
  for (int i = 0; i < 2'000'000; ++i)
    expect_the_same(float_from_bits(static_cast<std::uint32_t>(random() % 0x3f900000u)));
}

}  // namespace
}  // namespace cuimg
