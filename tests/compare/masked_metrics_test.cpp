// SPDX-License-Identifier: Apache-2.0
// Metrics of pictures with ignored pixels: close to the metrics of the other pixels alone, however
// much is ignored around them.
#include "compare/metrics/metric.h"
#include "pictures.h"

namespace cuimg::test {
namespace {

constexpr int width = 380, height = 350;

CompareOptions every_metric() {
  CompareOptions options;
  for (const Metric* metric : metrics()) options.metrics.emplace_back(metric->name);
  options.keeps_flip_maps = true;
  return options;
}

// Limits that ignore all of the picture except the upper left corner.
Limits all_but_corner(int side_x, int side_y) {
  Limits limits;
  limits.ignore.all = {{side_x, 0, width - side_x, height}, {0, side_y, side_x, height - side_y}};
  return limits;
}

void expect_near_share(const Comparison& masked, const Comparison& cut_out, const char* name,
                       double best, double share) {
  const double of_cut_out = cut_out.metric(name).value() - best;
  EXPECT_NEAR(masked.metric(name).value() - best, of_cut_out, share * std::abs(of_cut_out)) << name;
}

TEST(MaskedMetrics, AreAboutThoseOfThePixelsThatCount) {
  const Comparison masked =
      compare(pattern(width, height, 1, false), pattern(width, height, 1, true),
              all_but_corner(170, 165), every_metric());
  const Comparison cut_out =
      compare(pattern(170, 165, 1, false), pattern(170, 165, 1, true), {}, every_metric());
  for (const char* name : {"rmse", "psnr", "delta_e_2000.mean", "oklab_hyab.mean"})
    expect_near_share(masked, cut_out, name, 0, 1e-9);
  // FLIP's filters and SSIM's windows read the golden's pixels beyond the edge.
  for (const char* name :
       {"flip.mean", "flip.weighted_median", "flip.first_quartile", "flip.third_quartile"})
    expect_near_share(masked, cut_out, name, 0, 0.05);
  expect_near_share(masked, cut_out, "ssim", 1, 0.1);
  expect_near_share(masked, cut_out, "ssim_of_channel.G", 1, 0.1);
  expect_near_share(masked, cut_out, "ms_ssim", 1, 0.5);
  EXPECT_EQ(masked.pixels, 170u * 165u);
}

TEST(MaskedMetrics, OfLightAreAboutThoseOfThePixelsThatCount) {
  CompareOptions options;
  options.metrics = {"hdr_flip"};
  options.metric.exposures = Exposures{-4, 0, 2};
  const Comparison masked =
      compare(pattern_of_light(width, height, 1, false), pattern_of_light(width, height, 1, true),
              all_but_corner(60, 50), options);
  const Comparison cut_out =
      compare(pattern_of_light(60, 50, 1, false), pattern_of_light(60, 50, 1, true), {}, options);
  expect_near_share(masked, cut_out, "hdr_flip.mean", 0, 0.05);
}

TEST(MaskedMetrics, IgnoredPixelsHaveNoFlip) {
  const Spec spec = spec_of({0, 0, width, height}, PixelType::u8, 3);
  const Comparison found =
      compare(flat(spec, 0.25f), flat(spec, 0.5f), all_but_corner(40, 30), every_metric());
  const std::vector<float>& map = found.layers.front().flip_map;
  double sum = 0, least = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto error = static_cast<double>(map[static_cast<std::size_t>(y * width + x)]);
      if (x < 40 && y < 30)
        sum += error, least = std::min(least, error);
      else
        ASSERT_EQ(error, 0) << x << "," << y;
    }
  EXPECT_GT(least, 0);
  EXPECT_NEAR(found.metric("flip.mean").value(), sum / (40 * 30), 1e-6);
  EXPECT_EQ(found.metric("flip.minimum").value(), least);
}

TEST(MaskedMetrics, ALossOfStructureStaysInItsRange) {
  Limits limits;
  limits.ignore.all = {{0, 0, width, 200},
                       {0, 201, width, height - 201},
                       {0, 200, 200, 1},
                       {201, 200, width - 201, 1}};
  const Comparison found = compare(pattern(width, height, 2, false),
                                   with_value(pattern(width, height, 2, false), 200, 200, 1, 1.0f),
                                   limits, every_metric());
  EXPECT_EQ(found.pixels, 1u);
  EXPECT_GE(found.metric("ssim").value(), -1);
  EXPECT_LT(found.metric("ssim").value(), 0.5);
  EXPECT_GE(found.metric("ms_ssim").value(), 0);
}

}  // namespace
}  // namespace cuimg::test
