// SPDX-License-Identifier: Apache-2.0
// Metrics against the figures of other implementations: scikit-image 0.26 (PSNR, SSIM) and
// flip-evaluator 1.7 (FLIP), run on the same formulas by metrics_against_packages.py.
#include <cmath>
#include <limits>

#include "compare/metrics/metric.h"
#include "kernels/compare/lab_difference.h"
#include "pictures.h"

namespace cuimg::test {
namespace {

struct Expected {
  int width, height, kind;
  double psnr, ssim, ssim_of_blue, flip_mean;
  double quartiles[3], flip_maximum, hdr_mean, hdr_median;
};

constexpr Expected expected[] = {{64,
                                  48,
                                  0,
                                  39.933907938,
                                  0.999215413,
                                  0.999394347,
                                  0.025304835,
                                  {0.021929262, 0.027368203, 0.033732295},
                                  0.070855945,
                                  0.028295931,
                                  0.029835485},
                                 {97,
                                  33,
                                  1,
                                  20.233401428,
                                  0.875812981,
                                  0.918709483,
                                  0.138519285,
                                  {0.108600475, 0.294605851, 0.421296805},
                                  0.831314147,
                                  0.148174845,
                                  0.304744571},
                                 {61,
                                  70,
                                  2,
                                  16.144833589,
                                  0.655237032,
                                  0.675558341,
                                  0.206131549,
                                  {0.226242691, 0.367464364, 0.444902539},
                                  0.560926855,
                                  0.218584865,
                                  0.377755553},
                                 {40,
                                  40,
                                  0,
                                  39.942635997,
                                  0.999215582,
                                  0.999397673,
                                  0.025300117,
                                  {0.021281810, 0.026573870, 0.035251569},
                                  0.088305727,
                                  0.028046532,
                                  0.029873962},
                                 {161,
                                  165,
                                  1,
                                  18.083618763,
                                  0.811507693,
                                  0.891665043,
                                  0.205475824,
                                  {0.167838439, 0.318509966, 0.499724984},
                                  0.971238613,
                                  0.218486804,
                                  0.323055357}};

CompareOptions every_metric() {
  CompareOptions options;
  for (const Metric* metric : metrics()) options.metrics.emplace_back(metric->name);
  return options;
}

TEST(Metrics, GiveThePsnrAndSsimOfScikitImage) {
  for (const Expected& e : expected) {
    const Comparison found = compare(pattern(e.width, e.height, e.kind, false),
                                     pattern(e.width, e.height, e.kind, true), {}, every_metric());
    EXPECT_NEAR(*found.metric("psnr"), e.psnr, 1e-6);
    EXPECT_NEAR(*found.metric("ssim"), e.ssim, 1e-6);
    EXPECT_NEAR(*found.metric("ssim_of_channel.B"), e.ssim_of_blue, 1e-6);
  }
}

// Where patterns repeat, edges are equal except for rounding. FLIP takes the root of it, so its
// authors' sums, which are not symmetric, have noise of 3e-6.
double flip_tolerance(const Expected& e) { return e.kind == 2 ? 4e-6 : 1e-6; }

TEST(Metrics, GiveTheFlipOfItsAuthors) {
  for (const Expected& e : expected) {
    const Comparison found = compare(pattern(e.width, e.height, e.kind, false),
                                     pattern(e.width, e.height, e.kind, true), {}, every_metric());
    EXPECT_NEAR(*found.metric("flip.mean"), e.flip_mean, flip_tolerance(e));
    EXPECT_NEAR(*found.metric("flip.first_quartile"), e.quartiles[0], 5e-5);
    EXPECT_NEAR(*found.metric("flip.weighted_median"), e.quartiles[1], 5e-5);
    EXPECT_NEAR(*found.metric("flip.third_quartile"), e.quartiles[2], 5e-5);
    EXPECT_NEAR(*found.metric("flip.maximum"), e.flip_maximum, 5e-5);
  }
}

TEST(Metrics, GiveTheHdrFlipOfItsAuthors) {
  for (const Expected& e : expected) {
    const Comparison found =
        compare(pattern_of_light(e.width, e.height, e.kind, false),
                pattern_of_light(e.width, e.height, e.kind, true), {}, every_metric());
    EXPECT_NEAR(*found.metric("hdr_flip.mean"), e.hdr_mean, flip_tolerance(e));
    EXPECT_NEAR(*found.metric("hdr_flip.weighted_median"), e.hdr_median, 5e-5);
  }
}

TEST(Metrics, FlipOfAnHdrPictureEndsWhereItsMedianIsBlack) {
  // FLIP's own tool hangs or gives 0 for these pictures (its issues 42 and 8).
  const Spec spec = spec_of({0, 0, 24, 20}, PixelType::f32, 3);
  const Image black = flat(spec, 0);
  const Image lit = image_of(spec, [](int, int x, int y, int) { return x == 3 && y == 4 ? 5 : 0; });
  EXPECT_GT(metric(lit, black, "hdr_flip.mean"), 0.0);
  EXPECT_EQ(metric(lit, copy_of(lit), "hdr_flip.mean"), 0.0);
  EXPECT_GT(metric(black, lit, "hdr_flip.mean"), 0.0);
  EXPECT_GT(metric(black, lit, "hdr_flip.maximum"), 0.0);
}

TEST(Metrics, FlipOfAConstantHdrPictureIsNotZeroWhereTheyDiffer) {
  const Spec spec = spec_of({0, 0, 24, 20}, PixelType::f32, 3);
  const double flip = metric(flat(spec, 2), flat(spec, 3), "hdr_flip.mean");
  EXPECT_GT(flip, 0.01);
  EXPECT_LE(flip, 1.0);
}

TEST(Metrics, DeltaEGivesTheThirtyFourPublishedPairs) {
  // G. Sharma, W. Wu and E. Dalal, "The CIEDE2000 Color-Difference Formula" (2005), table 1.
  constexpr float pairs[34][7] = {
      {50.0000f, 2.6772f, -79.7751f, 50.0000f, 0.0000f, -82.7485f, 2.0425f},
      {50.0000f, 3.1571f, -77.2803f, 50.0000f, 0.0000f, -82.7485f, 2.8615f},
      {50.0000f, 2.8361f, -74.0200f, 50.0000f, 0.0000f, -82.7485f, 3.4412f},
      {50.0000f, -1.3802f, -84.2814f, 50.0000f, 0.0000f, -82.7485f, 1.0000f},
      {50.0000f, -1.1848f, -84.8006f, 50.0000f, 0.0000f, -82.7485f, 1.0000f},
      {50.0000f, -0.9009f, -85.5211f, 50.0000f, 0.0000f, -82.7485f, 1.0000f},
      {50.0000f, 0.0000f, 0.0000f, 50.0000f, -1.0000f, 2.0000f, 2.3669f},
      {50.0000f, -1.0000f, 2.0000f, 50.0000f, 0.0000f, 0.0000f, 2.3669f},
      {50.0000f, 2.4900f, -0.0010f, 50.0000f, -2.4900f, 0.0009f, 7.1792f},
      {50.0000f, 2.4900f, -0.0010f, 50.0000f, -2.4900f, 0.0010f, 7.1792f},
      {50.0000f, 2.4900f, -0.0010f, 50.0000f, -2.4900f, 0.0011f, 7.2195f},
      {50.0000f, 2.4900f, -0.0010f, 50.0000f, -2.4900f, 0.0012f, 7.2195f},
      {50.0000f, -0.0010f, 2.4900f, 50.0000f, 0.0009f, -2.4900f, 4.8045f},
      {50.0000f, -0.0010f, 2.4900f, 50.0000f, 0.0010f, -2.4900f, 4.8045f},
      {50.0000f, -0.0010f, 2.4900f, 50.0000f, 0.0011f, -2.4900f, 4.7461f},
      {50.0000f, 2.5000f, 0.0000f, 50.0000f, 0.0000f, -2.5000f, 4.3065f},
      {50.0000f, 2.5000f, 0.0000f, 73.0000f, 25.0000f, -18.0000f, 27.1492f},
      {50.0000f, 2.5000f, 0.0000f, 61.0000f, -5.0000f, 29.0000f, 22.8977f},
      {50.0000f, 2.5000f, 0.0000f, 56.0000f, -27.0000f, -3.0000f, 31.9030f},
      {50.0000f, 2.5000f, 0.0000f, 58.0000f, 24.0000f, 15.0000f, 19.4535f},
      {50.0000f, 2.5000f, 0.0000f, 50.0000f, 3.1736f, 0.5854f, 1.0000f},
      {50.0000f, 2.5000f, 0.0000f, 50.0000f, 3.2972f, 0.0000f, 1.0000f},
      {50.0000f, 2.5000f, 0.0000f, 50.0000f, 1.8634f, 0.5757f, 1.0000f},
      {50.0000f, 2.5000f, 0.0000f, 50.0000f, 3.2592f, 0.3350f, 1.0000f},
      {60.2574f, -34.0099f, 36.2677f, 60.4626f, -34.1751f, 39.4387f, 1.2644f},
      {63.0109f, -31.0961f, -5.8663f, 62.8187f, -29.7946f, -4.0864f, 1.2630f},
      {61.2901f, 3.7196f, -5.3901f, 61.4292f, 2.2480f, -4.9620f, 1.8731f},
      {35.0831f, -44.1164f, 3.7933f, 35.0232f, -40.0716f, 1.5901f, 1.8645f},
      {22.7233f, 20.0904f, -46.6940f, 23.0331f, 14.9730f, -42.5619f, 2.0373f},
      {36.4612f, 47.8580f, 18.3852f, 36.2715f, 50.5065f, 21.2231f, 1.4146f},
      {90.8027f, -2.0831f, 1.4410f, 91.1528f, -1.6435f, 0.0447f, 1.4441f},
      {90.9257f, -0.5406f, -0.9208f, 88.6381f, -0.8985f, -0.7239f, 1.5381f},
      {6.7747f, -0.2908f, -2.4247f, 5.8714f, -0.0985f, -2.2286f, 0.6377f},
      {2.0776f, 0.0795f, -1.1350f, 0.9033f, -0.0636f, -0.5514f, 0.9082f},
  };
  for (const auto& p : pairs) {
    const Lab a = {p[0], p[1], p[2]}, b = {p[3], p[4], p[5]};
    EXPECT_NEAR(delta_e_2000(a, b), p[6], 1e-4) << p[0] << " " << p[1] << " " << p[2];
    EXPECT_NEAR(delta_e_2000(b, a), p[6], 1e-4) << p[0] << " " << p[1] << " " << p[2];
  }
}

TEST(Metrics, OklabHasWhiteAndBlackOneApart) {
  const Spec spec = spec_of({0, 0, 5, 3}, PixelType::f32, 3);
  EXPECT_NEAR(metric(flat(spec, 0), flat(spec, 1), "oklab_hyab.mean"), 1.0, 1e-6);
  EXPECT_NEAR(metric(flat(spec, 0), flat(spec, 1), "delta_e_2000.mean"), 100.0, 1e-4);
}

// MS-SSIM in its simplest form: without tiles, symmetry or skipping.
double structure(const std::vector<double>& a, const std::vector<double>& b, int width, int height,
                 bool with_luminance) {
  double weights[11], total = 0, sum = 0;
  for (int k = 0; k < 11; ++k) total += weights[k] = std::exp(-(k - 5) * (k - 5) / 4.5);
  for (int y = 0; y + 11 <= height; ++y)
    for (int x = 0; x + 11 <= width; ++x) {
      double ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
      for (int j = 0; j < 11; ++j)
        for (int i = 0; i < 11; ++i) {
          const double w = weights[i] * weights[j] / (total * total);
          const auto at = static_cast<std::size_t>((y + j) * width + x + i);
          ma += w * a[at], mb += w * b[at];
          aa += w * a[at] * a[at], bb += w * b[at] * b[at], ab += w * a[at] * b[at];
        }
      double value = (2 * (ab - ma * mb) + 0.0009) / (aa - ma * ma + bb - mb * mb + 0.0009);
      if (with_luminance) value *= (2 * ma * mb + 0.0001) / (ma * ma + mb * mb + 0.0001);
      sum += value;
    }
  return sum / ((width - 10) * (height - 10));
}

std::vector<double> half_size(const std::vector<double>& a, int& width, int& height) {
  const int w = (width + 1) / 2, h = (height + 1) / 2;
  std::vector<double> half;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      double sum = 0;
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i)
          sum += a[static_cast<std::size_t>(std::min(2 * y + j, height - 1) * width +
                                            std::min(2 * x + i, width - 1))];
      half.push_back(sum / 4);
    }
  width = w, height = h;
  return half;
}

TEST(Metrics, MsSsimIsWhatItsFormulaGives) {
  const int width = 161, height = 166;
  const auto plane = [&](bool is_result) {
    std::vector<double> values;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        values.push_back((0.2126 * pattern_code(1, is_result, x, y, 0) +
                          0.7152 * pattern_code(1, is_result, x, y, 1) +
                          0.0722 * pattern_code(1, is_result, x, y, 2)) /
                         255);
    return values;
  };
  std::vector<double> a = plane(false), b = plane(true);
  const double weights[] = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  double product = 1;
  int w = width, h = height;
  for (int scale = 0; scale < 5; ++scale) {
    product *= std::pow(structure(a, b, w, h, scale == 4), weights[scale]);
    int w2 = w, h2 = h;
    a = half_size(a, w2, h2);
    b = half_size(b, w, h);
  }
  EXPECT_NEAR(metric(pattern(width, height, 1, false), pattern(width, height, 1, true), "ms_ssim"),
              product, 1e-6);
}

TEST(Metrics, AreUndefinedWhereAWindowDoesNotFit) {
  const Comparison small =
      compare(pattern(160, 161, 0, false), pattern(160, 161, 0, true), {}, every_metric());
  EXPECT_FALSE(small.metric("ms_ssim"));
  EXPECT_TRUE(small.metric("ssim"));
  const Comparison tiny =
      compare(pattern(10, 11, 0, false), pattern(10, 11, 0, true), {}, every_metric());
  EXPECT_FALSE(tiny.metric("ssim"));
  EXPECT_TRUE(tiny.metric("flip.mean"));
}

TEST(Metrics, HaveTheirBestValuesWhereNothingDiffers) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::half, PixelType::f32}) {
    const Image image = noise(spec_of({-3, 2, 170, 163}, type, 4));
    const Comparison same = compare(image, copy_of(image), {}, every_metric());
    EXPECT_EQ(same.verdict, Verdict::same);
    for (const MetricValue& value : same.metrics) {
      const bool ssim = value.name.find("ssim") != std::string::npos;
      const double best = value.name == "psnr" ? std::numeric_limits<double>::infinity() : ssim;
      EXPECT_EQ(value.value.value_or(-1), best) << value.name;
    }
  }
}

TEST(Metrics, AreSymmetricButForTheExposuresOfHdrFlipAndRelmse) {
  const Image a = pattern(170, 164, 1, false), b = pattern(170, 164, 1, true);
  const Comparison there = compare(a, b, {}, every_metric());
  const Comparison back = compare(b, a, {}, every_metric());
  ASSERT_EQ(there.metrics.size(), back.metrics.size());
  for (std::size_t i = 0; i < there.metrics.size(); ++i) {
    if (there.metrics[i].name == "relmse") continue;
    // The mean hue depends slightly on the order of the pictures, because of rounding.
    const double allowed = there.metrics[i].name.starts_with("delta_e") ? 1e-5 : 0.0;
    EXPECT_NEAR(there.metrics[i].value.value_or(-1), back.metrics[i].value.value_or(-1), allowed)
        << there.metrics[i].name;
  }
}

TEST(Metrics, DoNotDependOnTheNumberOfThreads) {
  const Image a = pattern_of_light(301, 203, 1, false), b = pattern_of_light(301, 203, 1, true);
  const Comparison one = compare(a, b, {}, every_metric(), Queue::cpu(1));
  const Comparison several = compare(a, b, {}, every_metric(), Queue::cpu(5));
  for (std::size_t i = 0; i < one.metrics.size(); ++i)
    EXPECT_EQ(one.metrics[i].value, several.metrics[i].value) << one.metrics[i].name;
}

TEST(Metrics, CountRepresentableValuesBetweenTheTwo) {
  const Spec spec = spec_of({0, 0, 2, 1}, PixelType::f32, 1);
  const Image one = flat(spec, 1.0f);
  EXPECT_EQ(metric(one, with_value(one, 0, 0, 0, std::nextafter(1.0f, 2.0f)), "max_ulp"), 1);
  const Image zero = flat(spec, 0.0f);
  EXPECT_EQ(metric(zero, with_value(zero, 0, 0, 0, -0.0f), "max_ulp"), 0);
  EXPECT_EQ(metric(flat(spec, -0x1p-149f), flat(spec, 0x1p-149f), "max_ulp"), 2);
  const Image half = flat(spec_of({0, 0, 2, 1}, PixelType::half, 1), 1.0f);
  EXPECT_EQ(metric(half, with_value(half, 1, 0, 0, 1.0f + 0x1p-10f), "max_ulp"), 1);
  const Image code = flat(spec_of({0, 0, 2, 1}, PixelType::u16, 1), 0.5f);
  EXPECT_EQ(metric(code, with_bit_turned(code, 0, 0, 0), "max_ulp"), 1);
}

TEST(Metrics, OfValuesAreExactForIntegers) {
  const Spec spec = spec_of({0, 0, 3, 2}, PixelType::u8, 2);
  const Image a = flat(spec, 0.2f), b = with_value(a, 2, 1, 1, 1.0f);
  EXPECT_EQ(metric(a, b, "max_absolute"), static_cast<double>(204.0f / 255.0f));
  EXPECT_EQ(metric(a, b, "max_ulp"), 204);
  EXPECT_EQ(metric(a, b, "max_relative"), static_cast<double>(204.0f / 255.0f));
  EXPECT_DOUBLE_EQ(metric(a, b, "rmse"), std::sqrt(204.0 * 204 / (255.0 * 255) / 12));
}

TEST(Metrics, RelmseIsRelativeToTheGolden) {
  const Spec floats = spec_of({0, 0, 700, 3}, PixelType::f32, 3);
  const Image dark = flat(floats, 0.25f), light = flat(floats, 0.5f);
  EXPECT_NEAR(metric(dark, light, "relmse"), 0.0625 / (0.0625 + 0.01), 1e-12);
  EXPECT_NEAR(metric(light, dark, "relmse"), 0.0625 / (0.25 + 0.01), 1e-12);
  const Spec codes = spec_of({0, 0, 2, 1}, PixelType::u8, 1);
  const Image a = flat(codes, 0.2f), b = with_value(a, 1, 0, 0, 1.0f);
  EXPECT_NEAR(metric(a, b, "relmse"), 0.64 / 0.05 / 2, 1e-6);
}

TEST(Metrics, OfValuesAreMeansOfThoseThatAreFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const PixelType type : {PixelType::half, PixelType::f32}) {
    const Spec spec = spec_of({0, 0, 600, 4}, type, 3);
    const auto picture = [&](float value, float other) {
      return image_of(spec, [&](int, int x, int y, int) {
        return y == 0 ? nan : y == 1 ? infinity : x < 500 ? value : other;
      });
    };
    const Image a = picture(0, 0.5f), b = picture(1, 0.5f);
    const double expected = std::sqrt(500.0 / 600);
    EXPECT_DOUBLE_EQ(metric(a, b, "rmse"), expected);
    EXPECT_NEAR(metric(a, b, "psnr"), -20 * std::log10(expected), 1e-9);
    EXPECT_NEAR(metric(a, b, "relmse"), 500.0 / 600 / 0.01, 1e-9);
    // A value that matches no other is not part of the mean; nor is an ignored one.
    const Image c = with_value(b, 0, 2, 0, nan);
    EXPECT_DOUBLE_EQ(metric(a, c, "rmse"), std::sqrt(2999.0 / 3599));
    Limits limits;
    limits.ignore.all = {{0, 0, 600, 1}};
    CompareOptions options;
    options.metrics = {"rmse"};
    EXPECT_DOUBLE_EQ(compare(a, b, limits, options).metric("rmse").value_or(-1), expected);
  }
  const Image none = flat(spec_of({0, 0, 3, 2}, PixelType::f32, 1), nan);
  EXPECT_EQ(metric(none, none, "rmse"), 0);
  EXPECT_EQ(verdict(none, none), Verdict::same);
}

TEST(Metrics, APercentileOfFlipIsFromTheLeastToTheLargest) {
  const Image a = pattern(64, 48, 0, false), b = pattern(64, 48, 0, true);
  const auto percentile = [&](double percent) {
    MetricOptions options;
    options.flip_percent = percent;
    return metric(a, b, "flip.percentile", options);
  };
  EXPECT_EQ(percentile(0), metric(a, b, "flip.minimum"));
  EXPECT_EQ(percentile(50), metric(a, b, "flip.weighted_median"));
  EXPECT_EQ(percentile(100), metric(a, b, "flip.maximum"));
  EXPECT_LT(percentile(0), percentile(1));
}

}  // namespace
}  // namespace cuimg::test
