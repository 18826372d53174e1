// SPDX-License-Identifier: Apache-2.0
// Columns with repeating weights equal mix_columns() in every bit, for every part of a row.
#include "stages/resample/periodic_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "stages/resample/resample_rows.h"
#include "support/used_instruction_set.h"

namespace cuimg {
namespace {

AxisTable table_of(int in, int out, const ResampleFilter& filter, Border border, int low = 0) {
  return make_axis_table({0, 0, in, out, low, in}, 0, out, filter, true, border);
}

const ResampleFilter& lanczos3() {
  static const auto filters = resample_filters();
  return *std::ranges::find(filters, std::string("lanczos3"), &ResampleFilter::name);
}

TEST(PeriodicColumns, ARatioOfSmallNumbersRepeatsButNearTheEdges) {
  struct Case {
    int in, out, inputs, outputs;
  };
  for (const Case& c : {Case{3840, 1920, 2, 1}, Case{960, 240, 4, 1}, Case{600, 1200, 1, 2},
                        Case{1920, 1280, 3, 2}, Case{800, 600, 4, 3}, Case{700, 1100, 0, 0}}) {
    const AxisPeriod period = table_of(c.in, c.out, lanczos3(), Border::clamp).period;
    EXPECT_EQ(period.outputs, c.outputs) << c.in << " to " << c.out;
    if (c.outputs == 0) continue;
    EXPECT_EQ(period.inputs, c.inputs);
    EXPECT_LE(period.low, 12);
    EXPECT_GE(period.high, c.out - 12);
  }
  EXPECT_EQ(table_of(1000, 371, lanczos3(), Border::clamp).period.outputs, 0);
}

TEST(PeriodicColumns, APartOfATableRepeatsWhereTheWholeDoes) {
  const AxisTable table = table_of(1000, 500, lanczos3(), Border::clamp);
  const AxisPeriod part = table.part(100, 200).period;
  EXPECT_EQ(part.low, 100);
  EXPECT_EQ(part.high, 200);
  const AxisPeriod edge = table.part(0, 40).period;
  EXPECT_EQ(edge.low, table.period.low);
  EXPECT_EQ(edge.high, 40);
}

TEST(PeriodicColumns, GiveTheBitsOfTheHorizontalPass) {
  std::mt19937 random(20261128);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto filters = resample_filters();
  int repeating = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int inputs = 1 + below(9), outputs = 1 + below(9), times = 10 + below(60);
    const int in = inputs * times + below(2) * below(3), out = outputs * times;
    const Border border = std::array{Border::clamp, Border::border, Border::mirror}[trial % 3u];
    const int hidden = trial % 5 == 0 ? below(in / 2) : 0;  // for a data window that begins later
    AxisTable table = table_of(in, out, filters[random() % filters.size()], border, hidden);
    int first = 0, end = out;
    if (trial % 4 == 0) {
      first = below(out);
      end = first + 1 + below(out - first);
      table = table.part(first, end);
    }
    const int channels = 1 + below(4);
    const int from = first + below((end - first) / 4 + 1), to = end - below((end - from) / 4 + 1);
    const auto [low, high] = table.reach(from, to);
    // Contains exactly the floats that may be read.
    std::vector<float> row(static_cast<std::size_t>((high - low) * channels) + 3);
    for (float& value : row) {
      std::uint32_t bits = random();
      if (random() % 50 != 0) bits = (bits & 0x83ffffffu) | 0x3c000000u;
      std::memcpy(&value, &bits, sizeof bits);
    }
    const float* const source = row.data() - std::ptrdiff_t{low} * channels;
    const auto count = static_cast<std::size_t>((to - from) * channels);
    std::vector<float> expected(count);
    mix_columns(source, channels, table, from, to, false, expected.data());
    for (const InstructionSet set : test::usable_instruction_sets()) {
      const test::UsedInstructionSet used(set);
      std::vector<float> made(count + 8, 77.0f);
      PeriodicColumns columns(table, channels, from, to);
      for (int repeat = 0; repeat < 2; ++repeat) columns.mix(source, made.data());
      ASSERT_TRUE(std::ranges::all_of(made.begin() + static_cast<std::ptrdiff_t>(count), made.end(),
                                      [](float v) { return v == 77.0f; }))
          << "written past the end";
      ASSERT_TRUE(count == 0 ||
                  std::memcmp(made.data(), expected.data(), count * sizeof(float)) == 0)
          << in << " to " << out << ", " << from << " to " << to << ", " << channels
          << " channels, " << name_of(set);
    }
    repeating += table.period.outputs > 0 && to - from > 100;
  }
  EXPECT_GT(repeating, 100);
}

}  // namespace
}  // namespace cuimg
