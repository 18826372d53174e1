// SPDX-License-Identifier: Apache-2.0
// Comparison with ImageMagick, where it is installed, on stored values.
#include <gtest/gtest.h>

#include <cmath>

#include "io/codec.h"
#include "support/images.h"
#include "support/process.h"

namespace cuimg::test {
namespace {

class ImageMagick : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome version = run({"convert", "-version"});
    if (version.exit != 0 || version.out.find("ImageMagick") == std::string::npos)
      GTEST_SKIP() << "ImageMagick is not installed";
    write_image(folder_ / "in.png", noise(spec_of({0, 0, 80, 60}, PixelType::u16, 3)),
                *codec_named("png"));
  }

  // The largest difference at least `margin` pixels inside, relative to the whole range.
  double distance_of(const std::vector<std::string>& theirs, const std::vector<std::string>& ours,
                     int margin) const {
    std::vector<std::string> words = {"convert", "in.png"};
    words.insert(words.end(), theirs.begin(), theirs.end());
    words.emplace_back("PNG48:other.png");
    Outcome outcome = run(words, {.folder = folder_.path()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    words = {CUIMG_PROGRAM};
    words.insert(words.end(), ours.begin(), ours.end());
    words.insert(words.end(), {"--raw", "--type", "u16", "in.png", "own.png"});
    outcome = run(words, {.folder = folder_.path()});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    const Image a = read_image(folder_ / "own.png"), b = read_image(folder_ / "other.png");
    const Rect r = a.spec().data_window;
    EXPECT_EQ(r, b.spec().data_window);
    if (r != b.spec().data_window) return INFINITY;
    double largest = 0;
    for (int y = margin; y < r.height - margin; ++y)
      for (int x = margin; x < r.width - margin; ++x)
        for (int c = 0; c < 3; ++c)
          largest = std::max(largest, std::abs(static_cast<double>(value_of(a, x, y, c)) -
                                               static_cast<double>(value_of(b, x, y, c))));
    return largest / 65535;
  }

  const TempDir folder_;

 private:
  static std::uint16_t value_of(const Image& image, int x, int y, int channel) {
    return value_at<std::uint16_t>(image, x, y, channel);
  }
};

// ImageMagick averages the gaussian over three places for each weight. The wider the filter, the
// less this matters.
TEST_F(ImageMagick, BlursAlike) {
  EXPECT_LE(distance_of({"-blur", "0x2"}, {"blur", "--sigma", "2"}, 16), 8e-3);
  EXPECT_LE(distance_of({"-blur", "0x5"}, {"blur", "--sigma", "5"}, 24), 2e-3);
}

TEST_F(ImageMagick, SharpensAlike) {
  EXPECT_LE(
      distance_of({"-unsharp", "0x4+0.5+0"}, {"unsharp", "--sigma", "4", "--amount", "0.5"}, 20),
      3e-3);
}

TEST_F(ImageMagick, FindsTheSameMedianAndExtremes) {
  EXPECT_EQ(distance_of({"-statistic", "Median", "5x5"}, {"median", "--size", "5"}, 4), 0);
  EXPECT_EQ(distance_of({"-statistic", "Minimum", "7x7"}, {"erode", "--radius", "3"}, 4), 0);
  EXPECT_EQ(distance_of({"-statistic", "Maximum", "7x7"}, {"dilate", "--radius", "3"}, 4), 0);
  EXPECT_EQ(distance_of({"-morphology", "Dilate", "Disk:5"},
                        {"dilate", "--radius", "5", "--shape", "disk"}, 8),
            0);
}

}  // namespace
}  // namespace cuimg::test
