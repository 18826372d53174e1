// SPDX-License-Identifier: Apache-2.0
// Comparison with oiiotool, where it is installed: the same numbers, apart from float rounding, if
// both define an operation in the same way. Edges, which oiiotool treats differently in some
// filters, are left out there.
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
    write_image(folder_ / "picture.exr", noise(spec_of({0, 0, 64, 48}, PixelType::f32, 3), 5),
                *codec_named("exr"));
  }
  // Runs both on picture.exr with values as they are stored. @returns the largest difference, at
  // least `margin` pixels inside.
  double distance_of(const std::vector<std::string>& theirs, const std::vector<std::string>& ours,
                     int margin = 0) const {
    std::vector<std::string> words = {"oiiotool", "picture.exr"};
    words.insert(words.end(), theirs.begin(), theirs.end());
    words.insert(words.end(), {"-d", "float", "-o", "other.exr"});
    expect_done(words);
    words = {CUIMG_PROGRAM};
    words.insert(words.end(), ours.begin(), ours.end());
    words.insert(words.end(), {"--raw", "picture.exr", "own.exr"});
    expect_done(words);
    return distance("own.exr", "other.exr", margin);
  }
  void expect_done(const std::vector<std::string>& words) const {
    const Outcome outcome = run(words, {.folder = folder_.path()});
    ASSERT_EQ(outcome.exit, 0) << words[1] << outcome.err;
  }
  // The largest difference, absolute or relative to the value, whichever is smaller.
  double distance(const std::string& left, const std::string& right, int margin = 0) const {
    const Image a = read_image(folder_ / left), b = read_image(folder_ / right);
    const Rect r = a.spec().data_window;
    EXPECT_EQ(r, b.spec().data_window);
    if (r != b.spec().data_window) return INFINITY;
    double largest = 0;
    for (int y = r.y + margin; y < r.bottom() - margin; ++y)
      for (int x = r.x + margin; x < r.right() - margin; ++x)
        for (int c = 0; c < a.spec().layers[0].channel_count(); ++c) {
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

// oiiotool's cubic differs from Keys'. When enlarging, its blackman-harris has another width, and
// its box breaks ties differently.
TEST_F(Oiiotool, ResizesAlike) {
  for (const std::string name :
       {"box", "triangle", "catmull-rom", "mitchell", "bspline", "lanczos3", "blackman-harris"})
    for (const std::string size : {"37%", "50%", "170%"}) {
      if (size == "170%" && (name == "box" || name == "blackman-harris")) continue;
      EXPECT_LE(distance_of({"--resize:filter=" + name, size},
                            {"resize", "--filter", name, "--size", size}),
                3e-5)
          << name << ' ' << size;
    }
  EXPECT_LE(distance_of({"--resize:filter=keys", "170%"},
                        {"resize", "--filter", "cubic", "--size", "170%"}),
            3e-5);
}

TEST_F(Oiiotool, MovesPixelsAlike) {
  for (const std::string name : {"rotate90", "rotate180", "rotate270", "flip", "flop", "transpose"})
    EXPECT_EQ(distance_of({"--" + name}, {name}), 0) << name;
}

// The positions of linear reads are rounded to 1/256, as by the texture unit.
TEST_F(Oiiotool, RotatesAlike) {
  EXPECT_LE(distance_of({"--rotate:filter=keys", "17"},
                        {"rotate", "--angle", "17", "--filter", "cubic"}, 15),
            5e-5);
  EXPECT_LE(distance_of({"--rotate:filter=triangle", "17"}, {"rotate", "--angle", "17"}, 15), 8e-3);
}

TEST_F(Oiiotool, FiltersAlike) {
  for (const int size : {3, 5, 7, 11}) {
    const std::string square = std::to_string(size) + "x" + std::to_string(size);
    const std::string radius = std::to_string(size / 2);
    const int margin = size / 2;  // oiiotool's median takes fewer values at the edges
    EXPECT_EQ(distance_of({"--median", square}, {"median", "--size", std::to_string(size)}, margin),
              0)
        << size;
    EXPECT_EQ(distance_of({"--dilate", square}, {"dilate", "--radius", radius}), 0) << size;
    EXPECT_EQ(distance_of({"--erode", square}, {"erode", "--radius", radius}), 0) << size;
    EXPECT_LE(distance_of({"--blur:kernel=box", square}, {"box", "--radius", radius}), 2e-6)
        << size;
  }
  EXPECT_LE(distance_of({"--laplacian"}, {"laplacian"}), 2e-6);
}

}  // namespace
}  // namespace cuimg::test
