// SPDX-License-Identifier: Apache-2.0
// compare() refuses options that the program refuses, and pictures without pixels.
#include <climits>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "compare/aligned_pair.h"
#include "pictures.h"

namespace cuimg::test {
namespace {

const Image& golden() {
  static const Image image = pattern_of_light(16, 12, 0, false);
  return image;
}
const Image& result() {
  static const Image image = pattern_of_light(16, 12, 0, true);
  return image;
}

template <class Work>
std::string problem_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string problem_with(const Limits& limits, const CompareOptions& options = {}) {
  return problem_of([&] { compare(golden(), result(), limits, options); });
}

std::string problem_with(const MetricOptions& metric) {
  CompareOptions options;
  options.metric = metric;
  return problem_with(Limits{}, options);
}

TEST(CompareRefuses, ExposuresThatTheOptionRefuses) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const Exposures& exposures : {Exposures{0, 0, 0},
                                     {0, 0, -3},
                                     {0, 4, 1},
                                     {4, 0, 3},
                                     {none, 1e30f, 3},
                                     {0, none, 3},
                                     {0, 4, 1001},
                                     {-101, 0, 3}}) {
    MetricOptions metric;
    metric.exposures = exposures;
    EXPECT_NE(problem_with(metric).find("compare: --exposures "), std::string::npos)
        << format_value(exposures);
  }
  MetricOptions metric;
  metric.exposures = Exposures{-2, 4, 7};
  EXPECT_EQ(problem_with(metric), "");
  metric.exposures = Exposures{1, 1, 1};
  EXPECT_EQ(problem_with(metric), "");
}

TEST(CompareRefuses, ABackgroundThatIsNoColour) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    MetricOptions metric;
    metric.background = {0.5f, value, 0.5f};
    EXPECT_NE(problem_with(metric).find("compare: --background "), std::string::npos) << value;
  }
  MetricOptions metric;
  metric.background = {0, 1, 0.25f};
  EXPECT_EQ(problem_with(metric), "");
}

TEST(CompareRefuses, RegionsThatTheOptionRefuses) {
  const auto problem = [](const Rect& region) {
    Limits limits;
    limits.ignore.all = {{0, 0, 1, 1}, region};
    return problem_with(limits);
  };
  for (const Rect& region : {Rect{1, 1, INT_MAX, INT_MAX},
                             {0, 0, -4, 8},
                             {0, 0, 4, 0},
                             {INT_MIN, 0, 4, 4},
                             {1 << 30, 0, 1 << 30, 1}})
    EXPECT_EQ(problem(region), "compare: --ignore " + format_value(IgnoredRegions{{region}}) +
                                   " is not a region: use X,Y,W,H, such as 10,20,64,32");
  EXPECT_EQ(problem({-5, -5, 1 << 30, 8}), "");
}

TEST(CompareRefuses, APercentileThatTheOptionRefuses) {
  for (const double percent : {-1.5, 101.0, std::nan("")}) {
    MetricOptions metric;
    metric.flip_percent = percent;
    EXPECT_NE(problem_with(metric), "") << percent;
  }
}

TEST(CompareRefuses, MetricsWithoutThatName) {
  CompareOptions options;
  options.metrics = {"psnr", "psrn"};
  EXPECT_EQ(problem_with(Limits{}, options), "compare: no metric is called psrn");
}

TEST(CompareAccepts, AllMetrics) {
  CompareOptions options;
  options.metrics = {"all"};
  const Comparison found = compare(golden(), result(), {}, options);
  for (const char* name : {"psnr", "relmse", "ssim", "flip.mean", "hdr_flip.mean"})
    EXPECT_TRUE(found.metric(name)) << name;
}

TEST(CompareRefuses, PicturesWithoutMemory) {
  const Image without = Image::without_memory(golden().spec());
  const std::string wanted = "compare: the image has no memory: call Image::allocate() first";
  EXPECT_EQ(problem_of([&] { compare(without, result()); }), wanted);
  EXPECT_EQ(problem_of([&] { compare(golden(), without); }), wanted);
  std::vector<Image> parts(1);
  parts.front() = Image::without_memory(golden().spec());
  EXPECT_EQ(problem_of([&] { compare(parts, parts); }), wanted);
}

TEST(CompareRefuses, AMaskWithoutPixels) {
  const Image without = Image::without_memory(golden().spec()), empty;
  Spec no_layers = golden().spec();
  no_layers.layers.clear();
  const Image layerless(no_layers);
  for (const Image* mask : {&without, &empty, &layerless}) {
    CompareOptions options;
    options.mask = mask;
    EXPECT_THROW(compare(golden(), result(), {}, options), NotComparable);
  }
  CompareOptions options;
  options.mask = &without;
  EXPECT_EQ(problem_with(Limits{}, options),
            "--mask: the image has no memory: call Image::allocate() first");
  options.mask = &layerless;
  EXPECT_EQ(problem_with(Limits{}, options), "--mask: the mask has no layer");
}

}  // namespace
}  // namespace cuimg::test
