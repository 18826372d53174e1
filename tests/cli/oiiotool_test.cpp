// SPDX-License-Identifier: Apache-2.0
// Against oiiotool, where it is installed: the same arithmetic on two images.
#include <gtest/gtest.h>

#include <cmath>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class Oiiotool : public testing::Test {
 protected:
  void SetUp() override {
    if (run({"oiiotool", "--version"}).exit != 0) GTEST_SKIP() << "oiiotool is not installed";
    Spec spec = spec_of({0, 0, 41, 29}, PixelType::f32, 4);
    write_image(folder_ / "a.exr", noise(spec, 3), *codec_named("exr"));
    write_image(folder_ / "b.exr", noise(spec, 4), *codec_named("exr"));
  }
  void expect_done(const std::vector<std::string>& words) const {
    const Outcome outcome = run(words, {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit, 0) << words[1] << outcome.err;
  }
  // The largest difference, relative to 1 or the value.
  double distance(const std::string& left, const std::string& right) const {
    const Image a = read_image(folder_ / left), b = read_image(folder_ / right);
    EXPECT_EQ(a.spec().data_window, b.spec().data_window);
    double largest = 0;
    for (int y = 0; y < 29; ++y)
      for (int x = 0; x < 41; ++x)
        for (int c = 0; c < 4; ++c) {
          const double u = value_at(a, x, y, c), v = value_at(b, x, y, c);
          largest = std::max(largest, std::abs(u - v) / std::max(1.0, std::abs(u)));
        }
    return largest;
  }
  const TempDir folder_;
};

TEST_F(Oiiotool, LaysOneImageOverAnotherAlike) {
  expect_done({"oiiotool", "b.exr", "a.exr", "--over", "-d", "float", "-o", "other.exr"});
  expect_done({CUIMG_PROGRAM, "over", "--with", "b.exr", "a.exr", "own.exr"});
  EXPECT_LE(distance("own.exr", "other.exr"), 1e-6);
}

TEST_F(Oiiotool, CalculatesAlikeWithValuesAsStored) {
  for (const std::string name : {"add", "sub", "mul", "div", "min", "max", "absdiff"}) {
    expect_done({"oiiotool", "a.exr", "b.exr", "--" + name, "-d", "float", "-o", "other.exr"});
    expect_done({CUIMG_PROGRAM, name, "--raw", "--with", "b.exr", "a.exr", "own.exr"});
    EXPECT_LE(distance("own.exr", "other.exr"), 1e-6) << name;
    expect_done({"oiiotool", "a.exr", "--" + name + "c", "0.5,0.25,2,1.5", "-d", "float", "-o",
                 "other.exr"});
    expect_done({CUIMG_PROGRAM, name, "--value", "0.5,0.25,2,1.5", "a.exr", "own.exr"});
    EXPECT_LE(distance("own.exr", "other.exr"), 1e-6) << name;
  }
}

}  // namespace
}  // namespace cuimg::test
