// SPDX-License-Identifier: Apache-2.0
// Rows of texture reads equal single reads in every bit, in every format, channel count and
// mode, also for awkward values.
#include "kernels/texture/texture_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "base/error.h"
#include "device/cpu/texture_rows.h"

namespace cuimg {
namespace {

using Random = std::mt19937;

// Texels of every kind: mostly ordinary, some with distant exponents, some special.
float random_texel(Random& random, float) {
  const std::uint32_t bits = random();
  switch (random() % 8) {
    case 0:
      return float_from_bits(bits);
    case 1:
      return bits & 1 ? -0.0f : 0.0f;
    case 2:
      return float_from_bits((bits & 0x807fffffu) | (127 - 95 + bits % 10) << 23);
    case 3:
      return float_from_bits((bits & 0x807fffffu) | (127 - 20 + bits % 40) << 23);
    default:
      return float_from_bits((bits & 0x807fffffu) | (127 - 3 + bits % 6) << 23);
  }
}
Half random_texel(Random& random, Half) {
  const std::uint32_t bits = random();
  switch (random() % 8) {
    case 0:
      return {static_cast<std::uint16_t>(bits)};
    case 1:
      return {static_cast<std::uint16_t>(bits & 0x8000)};
    case 2:
      return {static_cast<std::uint16_t>(bits & 0x87ff)};
    default:
      return {static_cast<std::uint16_t>((bits & 0x83ff) | (13 + bits % 6) << 10)};
  }
}
Srgb8 random_texel(Random& random, Srgb8) { return {static_cast<std::uint8_t>(random())}; }
template <class T>
T random_texel(Random& random, T) {
  return random() % 16 ? static_cast<T>(random()) : std::numeric_limits<T>::min();
}

// Coordinates of every kind, in texels along an axis.
float random_coordinate(Random& random, int size) {
  switch (random() % 16) {
    case 0:
      return float_from_bits(random());
    case 1:
      return static_cast<float>(static_cast<int>(random() % 32) - 8) * 0.5f;
    // Fractions of 0, 1 and 2 of 256, which give weights that round to 0.
    case 2:
      return 0.5f + static_cast<float>(random() % 8) + static_cast<float>(random() % 3) / 256;
    default:
      break;
  }
  return std::uniform_real_distribution<float>(-2.0f, static_cast<float>(size) + 2.0f)(random);
}

constexpr Address addresses[4] = {Address::wrap, Address::clamp, Address::mirror, Address::border};

template <class T, int N>
void expect_rows_equal_single_reads(TexelType type) {
  Random random(7 * N + static_cast<unsigned>(type));
  constexpr int width = 13, height = 9;
  // One channel of padding, so that rows are not contiguous.
  constexpr std::size_t pitch = (width * N + 1) * sizeof(T);
  std::vector<T> texels((width * N + 1) * height);
  for (T& texel : texels) texel = random_texel(random, T{});
  const Texture2D<T, N> texture{texels.data(), pitch, width, height};
  const TextureView2D view{texels.data(), pitch, width, height, type, N};

  for (int round = 0; round < 48; ++round) {
    Sampler sampler;
    sampler.address[0] = addresses[round % 4];
    sampler.address[1] = addresses[round / 4 % 4];
    sampler.normalized = round % 3 != 0;
    sampler.filter = round % 5 == 0 ? Filter::point : Filter::linear;
    for (float& channel : sampler.border) channel = random_texel(random, 0.0f);
    const std::size_t count = random() % 300;
    std::vector<float> x, y;
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(random_coordinate(random, width) / (sampler.normalized ? width : 1));
      y.push_back(random_coordinate(random, height) / (sampler.normalized ? height : 1));
    }
    // One float more than is written, so that an excessive write is detected.
    std::vector<float> portable(count * N + 1, 42), best(count * N + 1, 42);
    sample_row(texture, sampler, x.data(), y.data(), static_cast<std::ptrdiff_t>(count),
               portable.data());
    sample_row(view, sampler, x.data(), y.data(), static_cast<std::ptrdiff_t>(count), best.data());
    for (std::size_t i = 0; i < count; ++i) {
      const Pixel<N> expected = sample(texture, sampler, x[i], y[i]);
      for (std::size_t c = 0; c < N; ++c) {
        ASSERT_EQ(bits_of(portable[i * N + c]), bits_of(expected.v[c]))
            << round << ": " << x[i] << ", " << y[i] << ": " << expected.v[c];
        ASSERT_EQ(bits_of(best[i * N + c]), bits_of(expected.v[c]))
            << round << ": " << x[i] << ", " << y[i] << ": " << expected.v[c];
      }
    }
    ASSERT_EQ(portable.back(), 42);
    ASSERT_EQ(best.back(), 42);
  }
}

template <class T>
void expect_rows_equal_single_reads_in_all_channels(TexelType type) {
  expect_rows_equal_single_reads<T, 1>(type);
  expect_rows_equal_single_reads<T, 2>(type);
  expect_rows_equal_single_reads<T, 3>(type);
  expect_rows_equal_single_reads<T, 4>(type);
}

TEST(TextureRows, EqualSingleReadsInFloat) {
  expect_rows_equal_single_reads_in_all_channels<float>(TexelType::f32);
}
TEST(TextureRows, EqualSingleReadsInHalf) {
  expect_rows_equal_single_reads_in_all_channels<Half>(TexelType::half);
}
TEST(TextureRows, EqualSingleReadsInUnsignedIntegers) {
  expect_rows_equal_single_reads_in_all_channels<std::uint8_t>(TexelType::u8);
  expect_rows_equal_single_reads_in_all_channels<std::uint16_t>(TexelType::u16);
}
TEST(TextureRows, EqualSingleReadsInSignedIntegers) {
  expect_rows_equal_single_reads_in_all_channels<std::int8_t>(TexelType::s8);
  expect_rows_equal_single_reads_in_all_channels<std::int16_t>(TexelType::s16);
}
TEST(TextureRows, EqualSingleReadsInSrgb) {
  expect_rows_equal_single_reads_in_all_channels<Srgb8>(TexelType::srgb8);
}

TEST(TextureRows, ThreeChannelsReadAsTheFirstThreeOfFour) {
  Random random(3);
  std::vector<float> three, four;
  for (int i = 0; i < 12 * 12; ++i) {
    for (int c = 0; c < 3; ++c)
      three.push_back(random_texel(random, 0.0f)), four.push_back(three.back());
    four.push_back(1);
  }
  const TextureView2D narrow{three.data(), 12 * 12, 12, 12, TexelType::f32, 3};
  const TextureView2D wide{four.data(), 12 * 16, 12, 12, TexelType::f32, 4};
  std::vector<float> x, y, a(300), b(400);
  for (int i = 0; i < 100; ++i) {
    x.push_back(random_coordinate(random, 12));
    y.push_back(random_coordinate(random, 12));
  }
  sample_row(narrow, Sampler{}, x.data(), y.data(), 100, a.data());
  sample_row(wide, Sampler{}, x.data(), y.data(), 100, b.data());
  for (std::size_t i = 0; i < 100; ++i)
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(bits_of(a[3 * i + c]), bits_of(b[4 * i + c]));
}

TEST(TextureRows, RefuseAnEmptyTextureAndFiveChannels) {
  const float texel[5] = {};
  float out[5];
  EXPECT_THROW(sample_row(TextureView2D{texel, 4, 0, 1, TexelType::f32, 1}, {}, out, out, 1, out),
               Error);
  EXPECT_THROW(sample_row(TextureView2D{texel, 20, 1, 1, TexelType::f32, 5}, {}, out, out, 1, out),
               Error);
}

}  // namespace
}  // namespace cuimg
