// SPDX-License-Identifier: Apache-2.0
// Pictures that shrink: zone plates, whose high frequencies would alias as additional circles.
#include <gtest/gtest.h>

#include <cmath>

#include "support/images.h"

namespace cuimg::test {
namespace {

// The frequency grows with the distance from the middle, up to half a cycle per pixel at the sides.
Image zone_plate(int size) {
  return image_of(spec_of({0, 0, size, size}, PixelType::f32, 1), [&](int, int x, int y, int) {
    const double dx = x + 0.5 - size / 2.0, dy = y + 0.5 - size / 2.0;
    return 0.5 + 0.5 * std::cos(3.14159265358979 * (dx * dx + dy * dy) / size);
  });
}

// The root mean square of the deviation from grey, over the pixels that `inside` selects.
template <class Inside>
double contrast(const Image& image, const Inside& inside) {
  double sum = 0;
  int count = 0;
  const Rect& r = image.spec().data_window;
  for (int y = r.y; y < r.bottom(); ++y)
    for (int x = r.x; x < r.right(); ++x)
      if (inside(x, y)) {
        const double d = value_at(image, x, y) - 0.5;
        sum += d * d;
        ++count;
      }
  EXPECT_GT(count, 100);
  return std::sqrt(sum / count);
}

TEST(Shrinking, AZonePlateShowsNoCirclesThatAreNotThere) {
  const int size = 512;
  const Image plate = zone_plate(size);
  for (const double scale : {0.4, 0.3, 0.2, 0.1}) {
    const std::string factor = format_value(scale);
    const std::string words =
        "affine --border mirror --matrix " + factor + ",0,0," + factor + ",0,0";
    // Where frequencies are at least 1.3 times what the smaller picture can represent.
    const auto beyond = [&](int x, int y) {
      const double sx = (x + 0.5) / scale, sy = (y + 0.5) / scale;
      return sx < size && sy < size &&
             std::max(std::fabs(sx - size / 2), std::fabs(sy - size / 2)) > 1.3 * size / 2 * scale;
    };
    EXPECT_LT(contrast(run_chain(words, plate), beyond), 0.03) << words;
    EXPECT_GT(contrast(run_chain(words + " --no-antialias", plate), beyond), 0.15) << words;
  }
}

TEST(Shrinking, AVerySmallPictureIsItsMean) {
  const Image plate = zone_plate(512);
  for (const char* matrix : {"0.01,0,0,0.01,0,0", "0.008,0.002,-0.002,0.008,9,-5"}) {
    const std::string words = std::string("affine --border mirror --matrix ") + matrix;
    EXPECT_LT(contrast(run_chain(words, plate), [](int, int) { return true; }), 0.02) << words;
  }
}

// Compared with resize's triangle, a filter of the footprint's width.
TEST(Shrinking, AgreesWithResize) {
  const int size = 480;
  const Image image =
      image_of(spec_of({0, 0, size, size}, PixelType::f32, 1), [](int, int x, int y, int) {
        return 0.5 + 0.25 * std::sin(0.06 * x) + 0.25 * std::cos(0.08 * y);
      });
  for (const int part : {2, 3, 5, 8, 16}) {
    const Image resized =
        run_chain("resize --filter triangle --size " + std::to_string(size / part) + "x0", image);
    const Image warped = run_chain("affine --border clamp --matrix " + format_value(1.0 / part) +
                                       ",0,0," + format_value(1.0 / part) + ",0,0",
                                   image);
    double sum = 0;
    const int n = size / part;
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x) {
        const double d = value_at(warped, x, y) - value_at(resized, x, y);
        sum += d * d;
      }
    EXPECT_LT(std::sqrt(sum / (n - 2) / (n - 2)), 0.012) << part;
  }
}

TEST(Shrinking, KeepsThePicturesLight) {
  const Image image =
      image_of(spec_of({0, 0, 64, 64}, PixelType::f32, 1), [](int, int, int, int) { return 1; });
  for (const double scale : {0.02, 0.05, 0.1, 0.3}) {
    const std::string factor = format_value(scale);
    const Image made = run_chain("affine --matrix " + factor + ",0,0," + factor + ",20,20", image);
    double sum = 0;
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) sum += value_at(made, x, y);
    const double expected = 64 * 64 * scale * scale;
    EXPECT_NEAR(sum / expected, 1, 0.02) << scale;
  }
}

// Sides that are odd, either directly or after some halvings.
constexpr int uneven_sides[] = {333, 334, 129, 50, 7};

// The mirrored picture's sums are computed in another order.
TEST(Shrinking, AMirroredPictureGivesTheMirroredResult) {
  for (const int size : uneven_sides) {
    const Image image =
        image_of(spec_of({0, 0, size, size}, PixelType::f32, 1),
                 [&](int, int x, int y, int) { return 4 * x < size ? 1 + 0.01 * (y % 5) : 0; });
    for (const std::string border : {"wrap", "mirror", "clamp", "border"})
      for (const double factor : {0.3, 0.1, 0.02}) {
        const std::string scale = format_value(factor);
        const std::string middle = format_value((1 - factor) / 2 * size);
        const std::string words = "affine --matrix " + scale + ",0,0," + scale + "," + middle +
                                  "," + middle + " --border " + border;
        const Image made = run_chain(words, image);
        const Image mirrored = run_chain("flop + " + words + " + flop", image);
        for (int y = 0; y < size; ++y)
          for (int x = 0; x < size; ++x)
            ASSERT_NEAR(value_at(made, x, y), value_at(mirrored, x, y), 3e-6)
                << words << " of " << size << " at " << x << ", " << y;
      }
  }
}

TEST(Shrinking, RepeatsOfAnUnevenPictureHaveItsMean) {
  for (const int size : {333, 21, 6})
    for (const std::string border : {"wrap", "mirror"}) {
      const Image ramp = image_of(spec_of({0, 0, size, size}, PixelType::f32, 1),
                                  [&](int, int x, int, int) { return (x + 0.5) / size; });
      const std::string middle = format_value(0.5f * static_cast<float>(size));
      for (const std::string& words :
           {"affine --matrix 0.001,0,0,0.001," + middle + "," + middle,
            "perspective --matrix 0.001,0," + middle + ",0,0.001," + middle + ",0,0,1"}) {
        const Image made = run_chain(words + " --border " + border, ramp);
        for (int x = 0; x < size; ++x)
          EXPECT_NEAR(value_at(made, x, size / 2), 0.5, 0.003) << words << " " << border;
      }
    }
}

TEST(Shrinking, FarOutsideIsTheBordersColourToTheBit) {
  const Image image = zone_plate(64);
  for (const char* words :
       {"affine --matrix 0.3,0,0,0.3,20,20", "perspective --corners 20,20,30,22,34,40,16,38"}) {
    const Image made = run_chain(std::string(words) + " --border border --border-color 0.1", image);
    EXPECT_EQ(value_at(made, 0, 0), 0.1f) << words;
    EXPECT_EQ(value_at(made, 63, 63), 0.1f) << words;
    EXPECT_NE(value_at(made, 25, 30), 0.1f) << words;
  }
}

TEST(Shrinking, APlaneTowardsItsHorizonTurnsGrey) {
  const int size = 512;
  const Image plate = zone_plate(size);
  // The far end is 1/12 as wide as the near one; the horizon is at 62.
  const std::string words = "perspective --border mirror --corners 236,100,276,100,496,512,16,512";
  const auto far = [](int x, int y) { return y > 66 && y < 112 && std::abs(x - 256) > 40; };
  EXPECT_LT(contrast(run_chain(words, plate), far), 0.03);
  EXPECT_GT(contrast(run_chain(words + " --no-antialias", plate), far), 0.2);
}

TEST(Shrinking, OpaqueStaysOpaqueAndAConstantAConstant) {
  const Image image = image_of(spec_of({0, 0, 90, 70}, PixelType::f32, 4),
                               [](int, int, int, int c) { return c == 3 ? 1 : 0.3f; });
  for (const char* words : {"affine --matrix 0.3,0.1,0,0.01,3,3 --border clamp",
                            "affine --matrix 0.01,0,0,0.01,3,3 --border wrap",
                            "perspective --corners 40,20,50,20,90,70,0,70 --border mirror"}) {
    const Image made = run_chain(words, image);
    for (int y = 25; y < 70; ++y)
      for (int x = 0; x < 90; ++x) {
        ASSERT_EQ(value_at(made, x, y, 3), 1) << words << " " << x << ", " << y;
        ASSERT_NEAR(value_at(made, x, y, 0), 0.3f, 1e-6) << words << " " << x << ", " << y;
      }
  }
}

}  // namespace
}  // namespace cuimg::test
