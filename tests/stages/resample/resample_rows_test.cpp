// SPDX-License-Identifier: Apache-2.0
// The vector loops of a resize equal its scalar definition, kernels/stencil/resample.h, in every
// bit for any input.
#include "stages/resample/resample_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <vector>

#include "kernels/stencil/resample.h"
#include "stages/geometry/resize.h"
#include "support/used_instruction_set.h"

// The code for processors without fused multiply-add, on any processor: Highway's lowest target,
// whose name contains its version.
#define CUIMG_DECLARE_TARGET(target)                                                               \
  namespace cuimg::target {                                                                        \
  __attribute__((weak)) void MixRows(const float* const* rows, const float* weights, int taps,     \
                                     std::size_t count, bool clamp_ringing, float* target);        \
  __attribute__((weak)) void MixColumns(const float* source, int channels, const AxisTable& table, \
                                        int from, int to, bool clamp_ringing, float* target);      \
  __attribute__((weak)) void MixRowPair(const float* const* rows, const RowTaps& upper,            \
                                        const RowTaps& lower, std::size_t count,                   \
                                        float* upper_target, float* lower_target);                 \
  }
CUIMG_DECLARE_TARGET(N_SCALAR)
CUIMG_DECLARE_TARGET(N_EMU128)
CUIMG_DECLARE_TARGET(N_SSE2)
CUIMG_DECLARE_TARGET(N_NEON)

namespace cuimg {
namespace {

const decltype(&mix_rows) lowest_rows[] = {N_SCALAR::MixRows, N_EMU128::MixRows, N_SSE2::MixRows,
                                           N_NEON::MixRows};
const decltype(&mix_columns) lowest_columns[] = {N_SCALAR::MixColumns, N_EMU128::MixColumns,
                                                 N_SSE2::MixColumns, N_NEON::MixColumns};

const decltype(&mix_row_pair) lowest_pairs[] = {N_SCALAR::MixRowPair, N_EMU128::MixRowPair,
                                                N_SSE2::MixRowPair, N_NEON::MixRowPair};

// Mostly numbers of all sizes, occasionally random bits: NaN, infinities, denormals.
std::vector<float> random_floats(std::size_t count, std::mt19937& random) {
  std::vector<float> values(count);
  for (float& value : values) {
    std::uint32_t bits = random();
    if (random() % 50 != 0) bits = (bits & 0x83ffffffu) | 0x3c000000u;
    std::memcpy(&value, &bits, sizeof bits);
  }
  return values;
}

template <class Sum>
void define_rows(const std::vector<const float*>& rows, const float* weights, std::size_t count,
                 float* target) {
  for (std::size_t i = 0; i < count; ++i) {
    Sum sum;
    for (std::size_t k = 0; k < rows.size(); ++k) sum.add(weights[k], {rows[k][i]});
    target[i] = sum.result().v[0];
  }
}

// Checks one channel at a time, however the channels are interleaved.
template <class Sum>
void define_columns(const float* source, int channels, const AxisTable& table, int from, int to,
                    float* target) {
  for (int x = from; x < to; ++x)
    for (int c = 0; c < channels; ++c) {
      Sum sum;
      for (int k = 0; k < table.taps_of(x); ++k)
        sum.add(table.weights_of(x)[k], {source[(table.start_of(x) + k) * channels + c]});
      *target++ = sum.result().v[0];
    }
}

void expect_same_bits(const std::vector<float>& a, const std::vector<float>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(std::memcmp(&a[i], &b[i], 4), 0)
        << what << " at " << i << ": " << a[i] << ", " << b[i];
}

TEST(ResampleRows, TheVerticalPassHasTheBitsOfItsDefinition) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t count = random() % 100, taps = 1 + random() % 9;
    std::vector<std::vector<float>> rows;
    std::vector<const float*> pointers;
    for (std::size_t k = 0; k < taps; ++k) rows.push_back(random_floats(count + 1, random));
    for (const auto& row : rows) pointers.push_back(row.data() + 1);  // unaligned
    std::vector<float> weights = random_floats(taps, random);
    if (trial % 3 == 0) weights[0] = 0;
    for (const bool clamped : {false, true}) {
      std::vector<float> expected(count), result;
      clamped ? define_rows<ClampedTapSum<1>>(pointers, weights.data(), count, expected.data())
              : define_rows<TapSum<1>>(pointers, weights.data(), count, expected.data());
      for (const InstructionSet set : test::usable_instruction_sets()) {
        const test::UsedInstructionSet used(set);
        result.assign(count + 8, 77.0f);
        mix_rows(pointers.data(), weights.data(), static_cast<int>(taps), count, clamped,
                 result.data());
        ASSERT_EQ(result[count], 77.0f) << "written past the end";
        result.resize(count);
        expect_same_bits(result, expected, name_of(set).data());
      }
      for (const auto mix : lowest_rows) {
        if (mix == nullptr) continue;
        result.assign(count, 77.0f);
        mix(pointers.data(), weights.data(), static_cast<int>(taps), count, clamped, result.data());
        expect_same_bits(result, expected, "the lowest target");
      }
    }
  }
}

TEST(ResampleRows, TwoRowsTogetherHaveTheBitsOfEach) {
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return static_cast<int>(random() % n); };
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t count = random() % 200;
    const int shift = below(5), taps = 1 + shift + below(9), next_taps = taps - shift + below(4);
    std::vector<std::vector<float>> rows;
    std::vector<const float*> pointers;
    for (int k = 0; k < shift + next_taps; ++k) rows.push_back(random_floats(count + 1, random));
    for (const auto& row : rows) pointers.push_back(row.data() + 1);  // unaligned
    const auto weights = random_floats(static_cast<std::size_t>(taps), random);
    const auto next = random_floats(static_cast<std::size_t>(next_taps), random);
    std::vector<float> expected(2 * count);
    mix_rows(pointers.data(), weights.data(), taps, count, false, expected.data());
    mix_rows(pointers.data() + shift, next.data(), next_taps, count, false,
             expected.data() + count);
    const auto expect_same = [&](decltype(&mix_row_pair) mix, const char* what) {
      std::vector<float> made(2 * count + 8, 77.0f), lower(count + 8, 77.0f);
      mix(pointers.data(), {weights.data(), 0, taps}, {next.data(), shift, next_taps}, count,
          made.data(), lower.data());
      ASSERT_EQ(made[count], 77.0f) << "written past the end";
      ASSERT_EQ(lower[count], 77.0f) << "written past the end";
      std::copy_n(lower.begin(), count, made.begin() + static_cast<std::ptrdiff_t>(count));
      made.resize(2 * count);
      expect_same_bits(made, expected, what);
    };
    for (const InstructionSet set : test::usable_instruction_sets()) {
      const test::UsedInstructionSet used(set);
      expect_same(mix_row_pair, name_of(set).data());
    }
    for (const auto mix : lowest_pairs)
      if (mix != nullptr) expect_same(mix, "the lowest target");
  }
}

TEST(ResampleRows, TheHorizontalPassHasTheBitsOfItsDefinition) {
  std::mt19937 random(2);
  const auto filters = resample_filters();
  for (int trial = 0; trial < 400; ++trial) {
    const int in = 1 + static_cast<int>(random() % 60), out = 1 + static_cast<int>(random() % 60);
    const int channels = 1 + trial % 4;
    const AxisTable table =
        make_axis_table({0, 0, in, out, 0, in}, 0, out, filters[random() % filters.size()], true,
                        trial % 2 == 0 ? Border::clamp : Border::border);
    const std::vector<float> row =
        random_floats(static_cast<std::size_t>(in * channels) + 3, random);
    const int from = static_cast<int>(random() % static_cast<unsigned>(out));
    const int to = from + static_cast<int>(random() % static_cast<unsigned>(out - from + 1));
    const auto count = static_cast<std::size_t>((to - from) * channels);
    for (const bool clamped : {false, true}) {
      std::vector<float> expected(count), result;
      clamped
          ? define_columns<ClampedTapSum<1>>(row.data(), channels, table, from, to, expected.data())
          : define_columns<TapSum<1>>(row.data(), channels, table, from, to, expected.data());
      for (const InstructionSet set : test::usable_instruction_sets()) {
        const test::UsedInstructionSet used(set);
        result.assign(count + 8, 77.0f);
        mix_columns(row.data(), channels, table, from, to, clamped, result.data());
        ASSERT_EQ(result[count], 77.0f) << "written past the end";
        result.resize(count);
        expect_same_bits(result, expected, name_of(set).data());
      }
      for (const auto mix : lowest_columns) {
        if (mix == nullptr) continue;
        result.assign(count, 77.0f);
        mix(row.data(), channels, table, from, to, clamped, result.data());
        expect_same_bits(result, expected, "the lowest target");
      }
    }
  }
}

TEST(ResampleRows, TheLowestTargetIsAmongThoseTested) {
  EXPECT_TRUE(std::any_of(std::begin(lowest_rows), std::end(lowest_rows),
                          [](auto mix) { return mix != nullptr; }));
}

TEST(ResampleRows, NoNanButTheOneThatBothDevicesMake) {
  const float nan = __builtin_nanf("0x1234");
  const float row[] = {nan, nan, nan, nan};
  const float* rows[] = {row};
  const float weight = 1.0f;
  float result[4];
  mix_rows(rows, &weight, 1, 4, false, result);
  std::uint32_t bits;
  std::memcpy(&bits, &result[3], sizeof bits);
  EXPECT_EQ(bits, 0x7fc00000u);
}

}  // namespace
}  // namespace cuimg
