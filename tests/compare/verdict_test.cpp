// SPDX-License-Identifier: Apache-2.0
// Limits and the differences that they allow.
#include <cmath>
#include <limits>
#include <random>

#include "pictures.h"

namespace cuimg::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Image floats(float value = 0.25f, int width = 12, int height = 9) {
  return flat(spec_of({0, 0, width, height}, PixelType::f32, 4), value);
}

bool has_reason(const Comparison& comparison, std::string_view code) {
  return std::any_of(comparison.reasons.begin(), comparison.reasons.end(),
                     [&](const Reason& reason) { return reason.code == code; });
}

// The five cases that idiff 2.4 passes.

TEST(Verdict, APictureOfNothingButNanDiffers) {
  Limits loose;
  loose.fail = 1e30f;
  loose.fail_percent = 100.0f;
  for (const Limits& limits : {Limits{}, loose}) {
    EXPECT_EQ(verdict(floats(), floats(not_a_number), limits), Verdict::differs);
    EXPECT_EQ(verdict(floats(not_a_number), floats(), limits), Verdict::differs);
  }
}

TEST(Verdict, OneInfinityDiffers) {
  Limits loose;
  loose.fail = 1e30f;
  EXPECT_EQ(verdict(floats(), with_value(floats(), 3, 3, 1, infinity), loose), Verdict::differs);
  EXPECT_EQ(verdict(with_value(floats(), 3, 3, 1, infinity), floats(), loose), Verdict::differs);
}

TEST(Verdict, OppositeInfinitiesDiffer) {
  Limits loose;
  loose.fail = 1e30f;
  loose.fail_psnr = 0.0f;
  const Comparison found = compare(floats(infinity), floats(-infinity), loose);
  EXPECT_EQ(found.verdict, Verdict::differs);
  EXPECT_TRUE(has_reason(found, "non-finite"));
}

TEST(Verdict, AWarningBelowALimitHidesNoFailure) {
  Limits limits;
  limits.warn = 0.01f;
  limits.fail = 0.1f;
  const Comparison between = compare(floats(), with_value(floats(), 0, 0, 0, 0.30f), limits);
  EXPECT_EQ(between.verdict, Verdict::same);
  EXPECT_EQ(between.warnings.size(), 1u);
  const Comparison beyond = compare(floats(), with_value(floats(), 0, 0, 0, 0.50f), limits);
  EXPECT_EQ(beyond.verdict, Verdict::differs);
  limits.warn = 0.9f;
  EXPECT_EQ(verdict(floats(), with_value(floats(), 0, 0, 0, 0.50f), limits), Verdict::differs);
}

TEST(Verdict, AnotherSizeDiffersUnderAnyLimit) {
  Limits loose;
  loose.fail = 1e30f;
  loose.fail_percent = 100.0f;
  const Comparison found = compare(floats(0, 4, 4), floats(0, 8, 4), loose);
  EXPECT_EQ(found.verdict, Verdict::differs);
  EXPECT_TRUE(has_reason(found, "size"));
  loose.allow_size = true;
  EXPECT_EQ(verdict(floats(0, 4, 4), floats(0, 8, 4), loose), Verdict::same);
}

TEST(Verdict, WithoutLimitsOneBitDiffers) {
  for (const PixelType type :
       {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32, PixelType::u32}) {
    const Image golden = noise(spec_of({5, -2, 19, 7}, type, 3));
    EXPECT_EQ(verdict(golden, copy_of(golden)), Verdict::same);
    for (const auto& [x, y] : {std::pair(5, -2), std::pair(23, 4), std::pair(11, 1)})
      for (int c = 0; c < 3; ++c) {
        const Comparison found = compare(golden, with_bit_turned(golden, x, y, c));
        EXPECT_EQ(found.verdict, Verdict::differs);
        ASSERT_TRUE(found.first && found.worst);
        EXPECT_EQ(found.pixels_differing, 1u);
        for (const ValuePlace& place : {*found.first, *found.worst}) {
          EXPECT_EQ(place.x, x);
          EXPECT_EQ(place.y, y);
          EXPECT_EQ(place.channel, c);
          EXPECT_NE(place.golden, place.result);
        }
      }
  }
}

TEST(Verdict, NanEqualsNanByDefault) {
  const Image image = with_value(floats(), 2, 2, 2, not_a_number);
  EXPECT_EQ(verdict(image, copy_of(image)), Verdict::same);
  Limits strict;
  strict.nan = NanRule::fails;
  const Comparison found = compare(image, copy_of(image), strict);
  EXPECT_EQ(found.verdict, Verdict::differs);
  EXPECT_TRUE(has_reason(found, "nan"));
  strict.ignore.all = {{2, 2, 1, 1}};
  EXPECT_EQ(verdict(image, copy_of(image), strict), Verdict::same);
}

TEST(Verdict, NonFiniteValuesAreAllowedByNameOnly) {
  const Image broken = with_value(floats(), 2, 2, 2, not_a_number);
  Limits limits;
  limits.allow_non_finite = true;
  const Comparison found = compare(floats(), broken, limits);
  EXPECT_EQ(found.verdict, Verdict::same);
  EXPECT_EQ(found.forgiven.non_finite, 1u);
  EXPECT_EQ(verdict(floats(), with_value(broken, 0, 0, 0, 0.5f), limits), Verdict::differs);
}

TEST(Verdict, ALimitHoldsUpToItself) {
  const Image a = flat(spec_of({0, 0, 8, 8}, PixelType::u8, 3), 0.2f);
  const Image b = with_value(a, 1, 1, 1, 0.2f + 10 / 255.0f);
  Limits limits;
  limits.fail = 10 / 255.0f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.fail = 9.99f / 255.0f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
  limits.fail.reset();
  limits.max_ulp = 10;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.max_ulp = 9;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
}

TEST(Verdict, AllLimitsMustHold) {
  const Image a = floats(0.001f), b = with_value(a, 0, 0, 0, 0.002f);
  Limits limits;
  limits.fail = 0.01f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.fail_relative = 0.1f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
  limits.fail_relative = 0.5f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
}

TEST(Verdict, CountsAndPercentsSayHowManyMayFail) {
  const Image a = floats(0.25f, 10, 10);
  Image b = copy_of(a);
  for (int i = 0; i < 5; ++i) b = with_value(b, i, 2 * i, i % 4, 0.75f);
  Limits limits;
  limits.fail_count = 5;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.fail_count = 4;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
  limits.fail_count.reset();
  limits.fail_percent = 5.0f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.fail_percent = 4.9f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
  limits.fail_percent = 100.0f;
  limits.hard_fail = 0.6f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.hard_fail = 0.4f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
}

TEST(Verdict, HardLimitsAloneReplaceTheDefault) {
  Limits limits;
  limits.hard_fail = 0.1f;
  EXPECT_EQ(verdict(floats(), with_value(floats(), 0, 0, 0, 0.3f), limits), Verdict::same);
  EXPECT_EQ(verdict(floats(), with_value(floats(), 0, 0, 0, 0.4f), limits), Verdict::differs);
}

TEST(Verdict, DensityFindsACrowdOfFailures) {
  const Image a = flat(spec_of({0, 0, 100, 80}, PixelType::u8, 3), 0.5f);
  Image spread = copy_of(a), crowd = copy_of(a);
  for (int i = 0; i < 16; ++i) {
    spread = with_value(spread, i % 4 * 25, i / 4 * 20, 0, 1);
    crowd = with_value(crowd, 70 + i % 4, 40 + i / 4, 0, 1);
  }
  Limits limits;
  limits.density_window = 10;
  limits.fail_density = 5.0f;
  EXPECT_EQ(verdict(a, spread, limits), Verdict::same);
  EXPECT_EQ(verdict(a, crowd, limits), Verdict::differs);
  limits.fail_density = 16.0f;
  EXPECT_EQ(verdict(a, crowd, limits), Verdict::same);
}

TEST(Verdict, WarningsDoNotChangeIt) {
  Limits limits;
  limits.fail = 0.5f;
  limits.warn = 0.1f;
  limits.hard_warn = 0.1f;
  const Comparison found = compare(floats(), with_value(floats(), 0, 0, 0, 0.5f), limits);
  EXPECT_EQ(found.verdict, Verdict::same);
  EXPECT_EQ(found.warnings.size(), 2u);
  limits.warn_count = 1;
  limits.hard_warn.reset();
  EXPECT_TRUE(compare(floats(), with_value(floats(), 0, 0, 0, 0.5f), limits).warnings.empty());
}

TEST(Verdict, LimitsOfPicturesTakeThePlaceOfEquality) {
  const Image a = pattern(64, 48, 0, false), b = pattern(64, 48, 0, true);
  Limits limits;
  limits.fail_psnr = 39.9f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.fail_psnr = 39.95f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
  limits = {};
  limits.fail_ssim = 0.999f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.fail_ssim = 0.9995f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
  limits = {};
  limits.fail_flip = 0.026f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.flip_statistic.percent = 50;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
  limits.fail_flip = 0.0275f;
  EXPECT_EQ(verdict(a, b, limits), Verdict::same);
  limits.flip_statistic.percent = 99;
  EXPECT_EQ(verdict(a, b, limits), Verdict::differs);
}

TEST(Verdict, ALayerThatNoLimitIsForMustBeEqual) {
  Spec spec = spec_of({0, 0, 16, 16}, PixelType::f32, 3);
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  const Image a = flat(spec, 0.5f);
  Limits limits;
  limits.fail_flip = 0.5f;
  EXPECT_EQ(verdict(a, with_value(a, 0, 0, 0, 0.51f), limits), Verdict::same);
  EXPECT_EQ(verdict(a, with_value(a, 0, 0, 0, 0.51f, 1), limits), Verdict::differs);
}

TEST(Verdict, SsimOfTooSmallAPictureHoldsOnlyForEqualOnes) {
  Limits limits;
  limits.fail_ssim = 0.0f;
  EXPECT_EQ(verdict(floats(), floats(), limits), Verdict::same);
  EXPECT_EQ(verdict(floats(), with_value(floats(), 0, 0, 0, 0), limits), Verdict::differs);
}

TEST(Verdict, IdsMustBeEqualUnderAnyLimit) {
  Limits loose;
  loose.fail = 1e30f;
  loose.fail_percent = 100.0f;
  loose.fail_count = 1000;
  const Image ids = noise(spec_of({0, 0, 9, 5}, PixelType::u32, 1));
  EXPECT_EQ(verdict(ids, with_bit_turned(ids, 3, 3, 0), loose), Verdict::differs);
  Spec spec = spec_of({0, 0, 9, 5}, PixelType::f32, 4);
  spec.layers.front() = {"crypto00", {"R", "G", "B", "A"}, PixelType::f32, true};
  const Image matte = noise(spec);
  EXPECT_EQ(verdict(matte, with_bit_turned(matte, 3, 3, 2), loose), Verdict::differs);
}

TEST(Verdict, IgnoredRegionsDoNotCount) {
  const Image golden = noise(spec_of({-4, -4, 20, 20}, PixelType::half, 4));
  Image result = with_value(golden, 0, 0, 0, not_a_number);
  result = with_value(result, 9, 5, 3, 7.0f);
  Limits limits;
  limits.ignore.all = {{0, 0, 1, 1}};
  EXPECT_EQ(verdict(golden, result, limits), Verdict::differs);
  limits.ignore.all.push_back({8, 4, 3, 3});
  const Comparison found = compare(golden, result, limits);
  EXPECT_EQ(found.verdict, Verdict::same);
  EXPECT_EQ(found.forgiven.ignored, 10u);
  EXPECT_EQ(found.pixels, 390u);
}

TEST(Verdict, AMaskSaysWhichPixelsCount) {
  const Image golden = noise(spec_of({0, 0, 6, 5}, PixelType::u8, 3));
  const Image result = with_value(golden, 4, 1, 1, 0.0f);
  Image mask = flat(spec_of({0, 0, 6, 5}, PixelType::u8, 1), 1);
  CompareOptions options;
  options.mask = &mask;
  EXPECT_EQ(compare(golden, result, {}, options).verdict, Verdict::differs);
  mask = with_value(mask, 4, 1, 0, 0);
  EXPECT_EQ(compare(golden, result, {}, options).verdict, Verdict::same);
  const Image small = flat(spec_of({0, 0, 5, 5}, PixelType::u8, 1), 0);
  options.mask = &small;
  EXPECT_THROW(compare(golden, result, {}, options), Error);
}

TEST(Verdict, AShiftOfOnePixelIsForgivenByNameAndAStrayPixelIsNot) {
  const auto stripes = [](int shift) {
    return image_of(spec_of({0, 0, 30, 20}, PixelType::u8, 3), [=](int, int x, int, int c) {
      return (x + shift) / 8 % 2 == 0 ? 0.1f + 0.1f * static_cast<float>(c) : 0.9f;
    });
  };
  Limits limits;
  limits.allow_shift = true;
  const Comparison shifted = compare(stripes(0), stripes(1), limits);
  EXPECT_EQ(shifted.verdict, Verdict::same);
  EXPECT_EQ(shifted.forgiven.shifted, 60u);
  EXPECT_EQ(verdict(stripes(0), stripes(3), limits), Verdict::differs);
  EXPECT_EQ(verdict(stripes(0), with_value(stripes(0), 4, 4, 0, 1.0f), limits), Verdict::differs);
}

TEST(Verdict, WhatIsForgivenDoesNotDependOnOtherLimits) {
  const auto stripes = [](int shift) {
    return image_of(spec_of({0, 0, 30, 20}, PixelType::u8, 3),
                    [=](int, int x, int, int) { return (x + shift) / 8 % 2 == 0 ? 0.1f : 0.9f; });
  };
  const auto edge = [](float smoothed) {
    return image_of(spec_of({0, 0, 24, 24}, PixelType::u8, 3), [=](int, int x, int y, int) {
      return x + y < 24 ? 0.0f : (x + y == 24 ? smoothed : 1.0f);
    });
  };
  std::vector<Limits> all(7);
  all[1].fail_psnr = 60.0f;
  all[2].fail_ssim = 0.9999f;
  all[3].fail_flip = 0.0001f;
  all[4].hard_fail = 0.01f;
  all[5].fail_percent = 5.0f;
  // Too loose for a single pixel to exceed it; PSNR still includes the pixels.
  all[6].fail = 0.95f;
  all[6].fail_psnr = 60.0f;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    Limits limits = all[i];
    if (i > 0 && i != 5) {
      EXPECT_EQ(verdict(stripes(0), stripes(1), limits), Verdict::differs);
    }
    limits.allow_shift = true;
    const Comparison shifted = compare(stripes(0), stripes(1), limits);
    EXPECT_EQ(shifted.verdict, Verdict::same);
    EXPECT_EQ(shifted.forgiven.shifted, 60u);
    limits.allow_shift = false;
    limits.antialiasing = true;
    const Comparison smoothed = compare(edge(0.2f), edge(0.8f), limits);
    EXPECT_EQ(smoothed.verdict, Verdict::same);
    EXPECT_GT(smoothed.forgiven.antialiased, 20u);
  }
  // With none of them is a stray pixel treated as a shift.
  Limits hard = all[4];
  hard.allow_shift = true;
  EXPECT_EQ(verdict(stripes(0), with_value(stripes(0), 4, 4, 0, 1.0f), hard), Verdict::differs);
}

TEST(Verdict, SmoothedEdgesAreForgivenByNameAndCounted) {
  const auto edge = [](float smoothed) {
    return image_of(spec_of({0, 0, 24, 24}, PixelType::u8, 3), [=](int, int x, int y, int) {
      return x + y < 24 ? 0.0f : (x + y == 24 ? smoothed : 1.0f);
    });
  };
  EXPECT_EQ(verdict(edge(0.4f), edge(0.6f)), Verdict::differs);
  Limits limits;
  limits.antialiasing = true;
  const Comparison found = compare(edge(0.4f), edge(0.6f), limits);
  EXPECT_EQ(found.verdict, Verdict::same);
  EXPECT_GT(found.forgiven.antialiased, 20u);
  EXPECT_EQ(verdict(edge(0.4f), with_value(edge(0.4f), 2, 2, 0, 1.0f), limits), Verdict::differs);
}

TEST(Verdict, IsNeverBetterForALargerError) {
  std::mt19937 random(7);
  const auto share = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
  for (int round = 0; round < 200; ++round) {
    const PixelType type = round % 2 == 0 ? PixelType::f32 : PixelType::half;
    const Image golden =
        noise(spec_of({0, 0, 13, 12}, type, 1 + round % 4), static_cast<unsigned>(round));
    const int x = static_cast<int>(random() % 13), y = static_cast<int>(random() % 12);
    const float error = share();
    const Image near = with_value(golden, x, y, 0, -error);
    const Image far = with_value(golden, x, y, 0, -error - share());
    const Image worst = with_value(golden, x, y, 0, round % 3 == 0 ? not_a_number : -infinity);
    Limits limits;
    if (round % 5 == 0) limits.fail = share();
    if (round % 5 == 1) limits.fail_relative = 2 * share();
    if (round % 5 == 2) limits.fail_psnr = 40 * share();
    if (round % 5 == 3) limits.fail_ssim = share();
    if (round % 5 == 4) limits.max_ulp = static_cast<int>(random() >> 2);
    EXPECT_GE(verdict(golden, far, limits), verdict(golden, near, limits));
    EXPECT_EQ(verdict(golden, worst, limits), Verdict::differs);
  }
}

TEST(Verdict, LimitsThatContradictEachOtherAreRefused) {
  const Image picture = flat(spec_of({0, 0, 4, 4}, PixelType::f32, 1), 1);
  Limits limits;
  limits.nan = NanRule::fails;
  limits.allow_non_finite = true;
  EXPECT_THROW(compare(picture, picture, limits), Error);
}

TEST(Verdict, EveryDistanceThatIsReportedIsALimit) {
  const Spec spec = spec_of({0, 0, 1, 1}, PixelType::f32, 1);
  const Image low = flat(spec, -3e38f), high = flat(spec, 3e38f);
  Limits limits;
  limits.max_ulp = static_cast<std::uint64_t>(metric(low, high, "max_ulp"));
  EXPECT_GT(*limits.max_ulp, 1u << 31);
  EXPECT_EQ(verdict(low, high, limits), Verdict::same);
  --*limits.max_ulp;
  EXPECT_EQ(verdict(low, high, limits), Verdict::differs);
}

}  // namespace
}  // namespace cuimg::test
