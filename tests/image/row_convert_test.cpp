// SPDX-License-Identifier: Apache-2.0
// Row conversions compared with the pixel definitions, bit for bit, with every instruction set.
#include "image/row_convert.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "support/used_instruction_set.h"

namespace {

using namespace cuimg;
using test::UsedInstructionSet;

const TransferCurve curves[] = {TransferCurve::linear, TransferCurve::srgb, TransferCurve::rec709,
                                TransferCurve::gamma,  TransferCurve::pq,   TransferCurve::hlg};

template <class Stored>
constexpr PixelType type_of() {
  if constexpr (std::is_same_v<Stored, std::uint8_t>) return PixelType::u8;
  if constexpr (std::is_same_v<Stored, std::uint16_t>) return PixelType::u16;
  if constexpr (std::is_same_v<Stored, Half>) return PixelType::half;
  if constexpr (std::is_same_v<Stored, float>) return PixelType::f32;
  return PixelType::u32;
}

/// One stored pixel as a working pixel. Ids (u32) have no curve and no alpha.
template <class Stored>
void pixel_to_working(const Stored* stored, int channels, const Encoding& encoding,
                      const ColorTables& tables, float* working) {
  const int alpha = encoding.alpha_index;
  for (int c = 0; c < channels; ++c)
    working[c] = c == alpha ? stored_to_float(stored[c])
                            : stored_to_light(stored[c], encoding.transfer, tables);
  if (alpha < 0 || !encoding.straight_alpha) return;
  const float coverage = working[alpha];
  for (int c = 0; c < channels; ++c)
    if (c != alpha) working[c] = premultiply(working[c], coverage);
}

/// One working pixel as a stored pixel.
template <class Stored>
void working_to_pixel(const float* working, int channels, const Encoding& encoding,
                      const ColorTables& tables, Stored* stored) {
  const int alpha = encoding.alpha_index;
  const bool divide = alpha >= 0 && encoding.straight_alpha;
  const float coverage = divide ? working[alpha] : 1.0f;
  for (int c = 0; c < channels; ++c) {
    if (c == alpha)
      float_to_stored(working[c], stored[c]);
    else
      light_to_stored(divide ? unpremultiply(working[c], coverage) : working[c], encoding.transfer,
                      tables, stored[c]);
  }
}

/// Floats of every kind: all exponents, both signs, zeros, infinities, NaNs with many payloads.
std::vector<float> sweep(std::uint32_t stride) {
  std::vector<float> values;
  for (std::uint64_t b = 0; b < 0x100000000u; b += stride)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(b)));
  for (std::uint32_t b :
       {0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x80000000u})
    values.push_back(std::bit_cast<float>(b));
  // More of them in the range of pictures: 2^-14 to 2.
  for (std::uint32_t b = 0x38800000u; b < 0x40000000u; b += stride / 16 + 1)
    values.push_back(std::bit_cast<float>(b));
  while (values.size() % 12 != 0) values.push_back(0.5f);
  return values;
}

template <class Stored>
std::vector<Stored> stored_values() {
  std::vector<Stored> values;
  if constexpr (std::is_same_v<Stored, float>) {
    return sweep(90001);
  } else if constexpr (std::is_same_v<Stored, std::uint32_t>) {
    for (std::uint64_t v = 0; v < 0x100000000u; v += 90001)
      values.push_back(static_cast<Stored>(v));
  } else {
    // Every code, in an order that combines each with different alphas.
    const std::uint32_t codes = sizeof(Stored) == 1 ? 256 : 65536;
    for (std::uint32_t i = 0; i < 3 * codes; ++i) {
      const std::uint32_t code = (i * 40503u + i / codes) % codes;
      if constexpr (std::is_same_v<Stored, Half>)
        values.push_back({static_cast<std::uint16_t>(code)});
      else
        values.push_back(static_cast<Stored>(code));
    }
  }
  while (values.size() % 12 != 0) values.push_back(Stored{});
  return values;
}

struct Shape {
  int channels, alpha;
  bool straight;
};
const Shape shapes[] = {{1, -1, false}, {3, -1, false}, {4, 3, false},
                        {4, 3, true},   {2, 1, true},   {4, 0, true}};

template <class Stored>
void expect_rows_equal_pixels() {
  const std::vector<Stored> stored = stored_values<Stored>();
  const std::vector<float> floats = sweep(300007);
  for (TransferCurve curve : curves)
    for (const Shape& shape : shapes) {
      if (std::is_same_v<Stored, std::uint32_t> && shape.alpha >= 0) continue;
      const RowFormat format{
          type_of<Stored>(), shape.channels, {{curve, 2.2f}, shape.alpha, shape.straight}};
      const ColorTables tables = color_tables(format.type, format.encoding.transfer);
      const auto channels = static_cast<std::size_t>(shape.channels);

      std::vector<float> working(stored.size()), expected(stored.size());
      for (std::size_t i = 0; i < stored.size(); i += channels)
        pixel_to_working(&stored[i], shape.channels, format.encoding, tables, &expected[i]);
      std::vector<Stored> back(floats.size()), expected_back(floats.size());
      for (std::size_t i = 0; i < floats.size(); i += channels)
        working_to_pixel(&floats[i], shape.channels, format.encoding, tables, &expected_back[i]);

      for (const InstructionSet set : test::usable_instruction_sets()) {
        const UsedInstructionSet used(set);
        rows_to_working(format, stored.data(), working.data(), stored.size() / channels);
        ASSERT_EQ(std::memcmp(working.data(), expected.data(), working.size() * 4), 0)
            << name_of(format.type) << " curve " << int(curve) << " channels " << channels;
        working_to_rows(format, floats.data(), back.data(), floats.size() / channels);
        ASSERT_EQ(std::memcmp(back.data(), expected_back.data(), back.size() * sizeof(Stored)), 0)
            << name_of(format.type) << " curve " << int(curve) << " channels " << channels;
      }
    }
}

TEST(RowConvert, RowsOf8BitsEqualThePixelDefinition) { expect_rows_equal_pixels<std::uint8_t>(); }
TEST(RowConvert, RowsOf16BitsEqualThePixelDefinition) { expect_rows_equal_pixels<std::uint16_t>(); }
TEST(RowConvert, RowsOfHalvesEqualThePixelDefinition) { expect_rows_equal_pixels<Half>(); }
TEST(RowConvert, RowsOfFloatsEqualThePixelDefinition) { expect_rows_equal_pixels<float>(); }
TEST(RowConvert, RowsOfIdsEqualThePixelDefinition) { expect_rows_equal_pixels<std::uint32_t>(); }

TEST(RowConvert, HalvesConvertAsInTheKernelsForManyFloats) {
  const std::vector<float> floats = sweep(211);
  std::vector<Half> halves(floats.size());
  working_to_rows({PixelType::half, 1, {}}, floats.data(), halves.data(), floats.size());
  for (std::size_t i = 0; i < floats.size(); ++i)
    ASSERT_EQ(halves[i].bits, float_to_half(floats[i]).bits) << floats[i];
}

TEST(RowConvert, FloatRowsMayConvertInPlace) {
  const RowFormat format{PixelType::f32, 4, {{TransferCurve::srgb}, 3, true}};
  const std::vector<float> floats = sweep(300007);
  std::vector<float> expected(floats.size()), row = floats;
  rows_to_working(format, floats.data(), expected.data(), floats.size() / 4);
  rows_to_working(format, row.data(), row.data(), row.size() / 4);
  EXPECT_EQ(std::memcmp(row.data(), expected.data(), row.size() * 4), 0);
  working_to_rows(format, floats.data(), expected.data(), floats.size() / 4);
  row = floats;
  working_to_rows(format, row.data(), row.data(), row.size() / 4);
  EXPECT_EQ(std::memcmp(row.data(), expected.data(), row.size() * 4), 0);
}

TEST(RowConvert, AnEmptyRowTouchesNothing) {
  float untouched = 7;
  rows_to_working({PixelType::u8, 3, {}}, nullptr, &untouched, 0);
  EXPECT_EQ(untouched, 7);
}

}  // namespace
