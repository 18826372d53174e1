// SPDX-License-Identifier: Apache-2.0
// Filters and their tables: values from the literature, weights that add up to exactly 1, positions
// as exact rationals.
#include "stages/resample/resample_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stages/geometry/resize.h"

namespace cuimg {
namespace {

const ResampleFilter& filter_named(std::string_view name) {
  for (const ResampleFilter& filter : resample_filters())
    if (filter.name == name) return filter;
  throw std::runtime_error("no filter " + std::string(name));
}

__extension__ typedef __int128 Wide;  // GNU C++, which both compilers support

AxisGeometry whole(int in, int out) { return {0, 0, in, out, 0, in}; }

TEST(ResampleFilters, HaveTheValuesOfTheirPapers) {
  const double pi = 3.14159265358979323846;
  const struct {
    const char* name;
    double x, value;
  } known[] = {{"box", 0.25, 1},
               {"triangle", 0.25, 0.75},
               {"cubic", 0, 1},
               {"cubic", 0.5, 0.5625},
               {"cubic", 1.5, -0.0625},
               {"catmull-rom", 1.5, -0.0625},
               {"mitchell", 0, 8.0 / 9},
               {"mitchell", 1, 1.0 / 18},
               {"bspline", 0, 2.0 / 3},
               {"bspline", 1, 1.0 / 6},
               {"gaussian", 1, 0.1353352832366127},
               {"lanczos2", 0.5, 2 / pi * 4 / pi * std::sqrt(0.5)},
               {"lanczos3", 1.5, -4 / (3 * pi * pi)},
               {"lanczos4", 2, 0},
               {"kaiser", 0, 1},
               {"kaiser", 0.5, 0.6066318260686039},
               {"kaiser", 1.5, -0.13441839847953838},
               {"kaiser", 2.5, 0.029859324273436},
               {"blackman-harris", 0, 1},
               {"blackman-harris", 1.4999999999, 6e-5}};
  for (const auto& [name, x, value] : known) {
    EXPECT_NEAR(filter_named(name).value(x), value, 1e-9) << name << " at " << x;
    EXPECT_NEAR(filter_named(name).value(-x), value, 1e-9) << name << " at " << -x;
  }
}

TEST(ResampleFilters, KnowWhetherTheyGoBelowZero) {
  for (const ResampleFilter& filter : resample_filters()) {
    if (filter.value == nullptr) continue;  // area
    double least = 0;
    for (double x = 0; x < filter.support; x += 0.001) least = std::min(least, filter.value(x));
    EXPECT_EQ(filter.negative_lobes, least < -1e-6) << filter.name;
  }
}

TEST(ResampleTables, WeightsAreWholeAndSumToExactlyOne) {
  std::mt19937 random(7);
  for (const ResampleFilter& filter : resample_filters())
    for (const Border border : {Border::clamp, Border::mirror, Border::wrap})
      for (int trial = 0; trial < 40; ++trial) {
        const int in = 1 + static_cast<int>(random() % (trial % 2 == 0 ? 9 : 200));
        const int out = 1 + static_cast<int>(random() % (trial % 3 == 0 ? 9 : 200));
        const AxisTable table =
            make_axis_table(whole(in, out), 0, out, filter, random() % 4 != 0, border);
        for (int x = 0; x < out; ++x) {
          double sum = 0;
          for (int k = 0; k < table.taps_of(x); ++k) {
            const double code = static_cast<double>(table.weights_of(x)[k]) * 0x1p23;
            ASSERT_EQ(code, std::nearbyint(code));
            sum += code;
          }
          ASSERT_EQ(sum, 0x1p23) << filter.name << " " << in << " to " << out << " at " << x;
          ASSERT_EQ(table.wraps && border != Border::wrap, false);
          if (!table.wraps) {
            ASSERT_GE(table.start_of(x), 0);
            ASSERT_LE(table.start_of(x) + table.taps_of(x), in);
          }
        }
      }
}

TEST(ResampleTables, AreTheIdentityAtFullSizeForFiltersThatInterpolate) {
  for (const ResampleFilter& filter : resample_filters()) {
    const bool interpolates = filter.name != "mitchell" && filter.name != "bspline" &&
                              filter.name != "gaussian" && filter.name != "blackman-harris";
    const AxisTable table = make_axis_table(whole(17, 17), 0, 17, filter, true, Border::mirror);
    EXPECT_EQ(table.is_identity(), interpolates) << filter.name;
  }
}

TEST(ResampleTables, AreSymmetric) {
  for (const ResampleFilter& filter : resample_filters()) {
    // Half open: a texel on both edges counts for one side only.
    if (filter.name == "box") continue;
    const AxisTable table = make_axis_table(whole(13, 8), 0, 8, filter, true, Border::clamp);
    for (int x = 0; x < 8; ++x) {
      const int taps = table.taps_of(x);
      ASSERT_EQ(taps, table.taps_of(7 - x)) << filter.name;
      for (int k = 0; k < taps; ++k)
        // One of two equal largest weights gets the remainder.
        ASSERT_NEAR(table.weights_of(x)[k], table.weights_of(7 - x)[taps - 1 - k], 0x1p-20)
            << filter.name << " at " << x;
    }
  }
}

// Computed in another way: on a line of in * out steps, a texel is `out` steps wide and a pixel
// `in` steps.
TEST(ResampleTables, OfAreaAreWhatAPixelCovers) {
  for (int in = 1; in <= 24; ++in)
    for (int out = 1; out <= 24; ++out) {
      const AxisTable table =
          make_axis_table(whole(in, out), 0, out, filter_named("area"), true, Border::clamp);
      for (int x = 0; x < out; ++x) {
        std::vector<int> steps(static_cast<std::size_t>(in), 0);
        for (int step = x * in; step < (x + 1) * in; ++step)
          ++steps[static_cast<std::size_t>(step / out)];
        for (int i = 0; i < in; ++i) {
          const int k = i - table.start_of(x);
          const float weight = k >= 0 && k < table.taps_of(x) ? table.weights_of(x)[k] : 0.0f;
          const double wanted = static_cast<double>(steps[static_cast<std::size_t>(i)]) / in;
          // Each weight is rounded to 2^-23, and one of them gets the remainder.
          ASSERT_NEAR(weight, wanted, in * 0x1p-23)
              << in << " to " << out << ": " << x << ", " << i;
          ASSERT_EQ(weight == 0, wanted == 0);
        }
      }
    }
}

TEST(ResampleTables, OfAreaReadATexelsWidthWithoutAntialiasing) {
  const AxisTable table =
      make_axis_table(whole(6, 2), 0, 2, filter_named("area"), false, Border::clamp);
  EXPECT_EQ(table.taps_of(0), 1);
  EXPECT_EQ(table.start_of(0), 1);
  EXPECT_EQ(table.start_of(1), 4);
}

TEST(ResampleTables, DropWhatLiesOutsideWhereTheBorderIsBlack) {
  const AxisTable table =
      make_axis_table(whole(8, 16), 0, 16, filter_named("triangle"), true, Border::border);
  // The centre of the first pixel is a quarter texel outside of the first texel's centre.
  EXPECT_EQ(table.taps_of(0), 1);
  EXPECT_EQ(table.weights_of(0)[0], 0.75f);
  EXPECT_EQ(table.weights_of(1)[0] + table.weights_of(1)[1], 1.0f);
}

TEST(ResampleTables, MirrorRepeatsTheEdgeTexel) {
  const AxisTable table =
      make_axis_table(whole(4, 4), 0, 4, filter_named("bspline"), true, Border::mirror);
  ASSERT_EQ(table.start_of(0), 0);
  EXPECT_NEAR(table.weights_of(0)[0], 2.0 / 3 + 1.0 / 6, 1e-6);
  EXPECT_NEAR(table.weights_of(0)[1], 1.0 / 6, 1e-6);
}

TEST(ResampleTables, PositionsOfTheTextureUnitAreExact) {
  // (x + 1/2) * in / out - 1/2 in 1/256 texels, rounded half up, computed with 128-bit fractions.
  std::mt19937 random(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const int in = 1 + static_cast<int>(random() % 131072);
    const int out = 1 + static_cast<int>(random() % 131072);
    const int x = static_cast<int>(random() % static_cast<unsigned>(out));
    const AxisGeometry geometry = whole(in, out);
    const Wide q = geometry.fixed_point(x);
    const Wide twice_out = 2 * static_cast<Wide>(out);
    // position * 256 + 1/2 in units of 1/(2 out)
    const Wide wanted = (2 * static_cast<Wide>(x) + 1) * in * 256 - 128 * twice_out + out;
    ASSERT_LE(q * twice_out, wanted) << in << " to " << out << " at " << x;
    ASSERT_GT((q + 1) * twice_out, wanted) << in << " to " << out << " at " << x;
    const Wide texel = geometry.nearest(x, Border::clamp);
    ASSERT_LE(texel * twice_out, (2 * static_cast<Wide>(x) + 1) * in);
    ASSERT_GT((texel + 1) * twice_out, (2 * static_cast<Wide>(x) + 1) * in);
  }
}

TEST(ResampleTables, NearestPicksWholeTexelsOfWholeRatios) {
  for (int x = 0; x < 480; ++x) {
    ASSERT_EQ(whole(120, 480).nearest(x, Border::clamp), x / 4);
    ASSERT_EQ(whole(1440, 480).nearest(x, Border::clamp), 3 * x + 1);
    ASSERT_EQ(whole(500, 480).nearest(x, Border::clamp), (2 * x + 1) * 500 / 960);
  }
}

}  // namespace
}  // namespace cuimg
