// SPDX-License-Identifier: Apache-2.0
// Warps: directions and conventions, exactness where it is promised, edges, and comparisons with
// other tools.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "device/cpu/texture_rows.h"
#include "opencv_lens.h"
#include "support/images.h"
#include "support/oiiotool.h"

namespace cuimg::test {
namespace {

Image any_bits(const Spec& spec) {
  Image image(spec);
  std::mt19937 random(5);
  for (int l = 0; l < spec.layer_count(); ++l)
    for (int y = spec.data_window.y; y < spec.data_window.bottom(); ++y)
      for (std::size_t i = 0; i < image.row_bytes(l); ++i)
        image.row(l, y)[i] = static_cast<std::byte>(random());
  return image;
}

// Each pixel's centre: x in channel 0, y in channel 1.
Image coordinates(int width, int height) {
  Spec spec = spec_of({0, 0, width, height}, PixelType::f32, 2);
  spec.layers[0].channels = {"X", "Y"};
  return image_of(spec, [](int, int x, int y, int c) {
    return (c == 0 ? static_cast<double>(x) : static_cast<double>(y)) + 0.5;
  });
}

Image smooth(int width, int height) {
  return image_of(spec_of({0, 0, width, height}, PixelType::f32, 4), [&](int, int x, int y, int c) {
    if (c == 3) return 1.0;
    return 0.5 + 0.25 * std::sin(0.05 * x + c) + 0.2 * std::cos(0.07 * y - 0.03 * x);
  });
}

// In decibels relative to a peak of 1, over the pixels that `inside` selects.
template <class Inside>
double psnr(const Image& a, const Image& b, const Inside& inside) {
  double sum = 0;
  int count = 0;
  const Rect& r = a.spec().data_window;
  for (int y = r.y; y < r.bottom(); ++y)
    for (int x = r.x; x < r.right(); ++x)
      if (inside(x, y))
        for (int c = 0; c < 3; ++c) {
          const double d = double{value_at(a, x, y, c)} - value_at(b, x, y, c);
          sum += d * d;
          ++count;
        }
  return -10 * std::log10(sum / count + 1e-30);
}

TEST(Rotate, RightAnglesMovePixelsAsTheyAre) {
  Spec spec = spec_of({3, -2, 37, 20}, PixelType::half, 4);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image image = any_bits(spec);
  const std::pair<const char*, const char*> same[] = {
      {"rotate --angle 90 --expand", "rotate90"},   {"rotate --angle -270 --expand", "rotate90"},
      {"rotate --angle 180", "rotate180"},          {"rotate --angle -540", "rotate180"},
      {"rotate --angle 270 --expand", "rotate270"}, {"rotate --angle -90 --expand", "rotate270"},
      {"rotate --angle 360", "flip + flip"},        {"rotate", "flip + flip"}};
  for (const auto& [words, expected] : same) {
    EXPECT_TRUE(same_pixels(run_chain(words, image), run_chain(expected, image))) << words;
    EXPECT_EQ(run_chain(words, image).spec().display_window,
              run_chain(expected, image).spec().display_window)
        << words;
  }
  // 37 and 20 have different parity, so pixels would be between pixels. 37 and 21 have not.
  const Image odd = any_bits(spec_of({0, 0, 37, 21}, PixelType::u8, 3));
  const Image turned = run_chain("rotate --angle 90", odd);
  EXPECT_TRUE(same_pixels(turned, run_chain("rotate90 + pad --left 8 --right 8 + "
                                            "cut --region 37x21+0+8",
                                            odd)));
}

TEST(Rotate, IsClockwiseAboutTheMiddle) {
  // A spot to the right of the middle moves down.
  Image image = flat(spec_of({0, 0, 41, 41}, PixelType::f32, 1), 0);
  reinterpret_cast<float*>(image.row(0, 20))[36] = 1;
  const Image turned = run_chain("rotate --angle 30", image);
  const double x = 20 + 16 * std::cos(30 * 3.14159265358979 / 180);
  const double y = 20 + 16 * std::sin(30 * 3.14159265358979 / 180);
  double sum = 0, sum_x = 0, sum_y = 0;
  for (int j = 0; j < 41; ++j)
    for (int i = 0; i < 41; ++i) {
      const double v = value_at(turned, i, j);
      sum += v, sum_x += v * i, sum_y += v * j;
    }
  EXPECT_NEAR(sum_x / sum, x, 0.15);
  EXPECT_NEAR(sum_y / sum, y, 0.15);
}

TEST(Rotate, EqualsOiiotoolOnASmoothPicture) {
  if (!has_oiiotool()) GTEST_SKIP() << "oiiotool is not installed";
  const int size = 160;
  const Image image = smooth(size, size);
  const Image ours = run_chain("rotate --angle 17 --filter cubic", image);
  const auto inner = [&](int x, int y) { return std::hypot(x - size / 2, y - size / 2) < 70; };
  EXPECT_GT(psnr(ours, oiiotool(image, {"--rotate", "17"}), inner), 55);
  EXPECT_LT(psnr(ours, oiiotool(image, {"--rotate", "-17"}), inner), 30);
  EXPECT_GT(psnr(run_chain("rotate --angle 17", image), ours, inner), 55);
}

TEST(Rotate, ExpandHoldsAllAndKeepsTheSum) {
  const Image image = flat(spec_of({5, 7, 80, 50}, PixelType::f32, 4), 1);
  const Image turned = run_chain("rotate --angle 33 --expand", image);
  EXPECT_EQ(turned.spec().display_window, (Rect{5, 7, 95, 86}));
  double sum = 0;
  for (int y = 7; y < 93; ++y)
    for (int x = 5; x < 100; ++x) sum += value_at(turned, x, y, 3);
  EXPECT_NEAR(sum, 80 * 50, 20);
  for (int x = 5; x < 100; ++x) EXPECT_LE(value_at(turned, x, 7, 3), 1);
}

TEST(Rotate, ASolidPictureStaysSolid) {
  for (const PixelType type : {PixelType::u8, PixelType::half, PixelType::f32})
    for (const char* border : {"clamp", "wrap", "mirror"})
      for (const char* words : {"rotate --angle 17", "rotate --angle 123.4 --filter point"}) {
        const Spec spec = spec_of({0, 0, 33, 21}, type, 4);
        const Image image = image_of(spec, [](int, int, int, int c) { return c == 3 ? 1 : 0.2f; });
        const Image turned =
            run_chain(std::string(words) + " --border " + border, image, {.format = "exr"});
        const Image as_it_was = run_chain("flip", image, {.format = "exr"});
        EXPECT_TRUE(same_pixels(turned, as_it_was)) << words << border << name_of(type);
      }
}

TEST(Warp, OpaqueStaysOpaqueUnderCubicReads) {
  const Image image =
      image_of(spec_of({0, 0, 33, 21}, PixelType::f32, 4), [](int, int, int, int) { return 1; });
  for (const char* words : {"rotate --angle 33", "affine --matrix 1.7,0.3,-0.2,1.9,3,-4",
                            "distort --k1 -0.1", "perspective --corners 0,0,33,0,40,30,-5,28"})
    for (const char* border : {"clamp", "wrap", "mirror"}) {
      const Image made =
          run_chain(std::string(words) + " --filter cubic --border " + border, image);
      const Rect& r = made.spec().data_window;
      for (int y = r.y; y < r.bottom(); ++y)
        for (int x = r.x; x < r.right(); ++x)
          for (int c = 0; c < 4; ++c) ASSERT_EQ(value_at(made, x, y, c), 1) << words << border;
    }
}

// Positions exactly between two texels, which matrices such as 1 / 2.5 only approximate.
TEST(Affine, PointReadsAgreeWithResizeBetweenTexels) {
  const Image image = coordinates(8, 6);
  const Image sized = run_chain("resize --size 20x15 --filter point", image);
  const Image moved = run_chain(
      "affine --matrix 2.5,0,0,2.5,0,0 --filter point + cut --region "
      "20x15+0+0",
      run_chain("pad --right 12 --bottom 9", image));
  for (int y = 0; y < 15; ++y)
    for (int x = 0; x < 20; ++x)
      for (int c = 0; c < 2; ++c)
        ASSERT_EQ(value_at(moved, x, y, c), value_at(sized, x, y, c)) << x << ", " << y;
}

TEST(Rotate, EdgesFallOffPremultiplied) {
  const Image image = image_of(spec_of({0, 0, 33, 21}, PixelType::u8, 4),
                               [](int, int, int, int c) { return c == 3 ? 1 : 0.2f; });
  const Image turned = run_chain("rotate --angle 30 --expand", image);
  const float solid = value_at(run_chain("gain", image), 5, 5, 0);
  int partial = 0;
  const Rect& r = turned.spec().data_window;
  for (int y = r.y; y < r.bottom(); ++y)
    for (int x = r.x; x < r.right(); ++x) {
      const float alpha = value_at(turned, x, y, 3);
      partial += alpha > 0 && alpha < 1;
      EXPECT_NEAR(value_at(turned, x, y, 0), alpha * solid, 1e-6);
    }
  EXPECT_GT(partial, 50);
}

// The texture unit's results at exact positions: each position is a sum of dyadic numbers here.
TEST(Affine, ReadsTheTextureUnitAtExactPositions) {
  for (const int channels : {1, 2, 3, 4}) {
    const Image image = noise(spec_of({0, 0, 19, 13}, PixelType::half, channels));
    const Image moved =
        run_chain("affine --raw --border clamp --matrix 1.25,0.5,-0.25,1,3.5,-2", image);
    const TextureView2D view{image.row(0, 0), image.row_bytes(0), 19, 13, TexelType::half,
                             channels};
    // Its inverse, by hand: the determinant is 1.25 + 0.125 = 1.375 = 11 / 8.
    for (int y = 0; y < 13; ++y)
      for (int x = 0; x < 19; ++x) {
        const double u = x + 0.5 - 3.5, v = y + 0.5 + 2;
        const double sx = (u + 0.25 * v) * 8 / 11, sy = (-0.5 * u + 1.25 * v) * 8 / 11;
        const auto rounded = [](double s) {
          return static_cast<float>(std::floor((s - 0.5) * 256 + 0.5) + 128) / 256;
        };
        const float at[2] = {rounded(sx), rounded(sy)};
        float expected[4];
        sample_row(view, Sampler{}, &at[0], &at[1], 1, expected);
        for (int c = 0; c < channels; ++c)
          ASSERT_EQ(value_at(moved, x, y, c), expected[c]) << x << ", " << y;
      }
  }
}

TEST(Affine, TheMatrixIsInSvgsOrder) {
  // b = 1 adds x to y: the right side of the picture moves down.
  Image image = flat(spec_of({0, 0, 9, 20}, PixelType::f32, 1), 0);
  for (int x = 0; x < 9; ++x) reinterpret_cast<float*>(image.row(0, 0))[x] = 1;
  const Image sheared = run_chain("affine --matrix 1,1,0,1,-0.5,0 --filter point", image);
  for (int x = 0; x < 8; ++x) EXPECT_EQ(value_at(sheared, x, x + 1), 1) << x;
  const Image scaled = run_chain("affine --matrix 2,0,0,4,1,3 --filter point", coordinates(40, 40));
  EXPECT_EQ(value_at(scaled, 1 + 2 * 7, 3 + 4 * 5, 0), 7.5f);
  EXPECT_EQ(value_at(scaled, 1 + 2 * 7 + 1, 3 + 4 * 5 + 3, 1), 5.5f);
}

TEST(Affine, PositionsAreExactFarOut) {
  // Near 60,000 the precision of a float position is 1/256.
  const int width = 60000;
  Spec spec = spec_of({0, 0, width, 2}, PixelType::f32, 1);
  const Image image = image_of(spec, [](int, int x, int, int) { return x % 2; });
  const Image moved = run_chain("affine --matrix 1,0,0,1,-0.25,0 --border wrap", image);
  for (int x = 0; x < width; x += 2) {
    ASSERT_EQ(value_at(moved, x, 1), 0.25f) << x;
    ASSERT_EQ(value_at(moved, x + 1, 1), 0.75f) << x;
  }
}

TEST(Affine, PicturesTooLongForFloatCoordinatesAreReadAsExactly) {
  const int width = 70001;
  Spec spec = spec_of({0, 0, width, 2}, PixelType::f32, 1);
  const Image image = image_of(spec, [](int, int x, int, int) { return x % 2; });
  const Image moved = run_chain("affine --matrix 1,0,0,1,-0.25,0 --border clamp", image);
  for (int x = 0; x + 1 < width; ++x)
    ASSERT_EQ(value_at(moved, x, 0), x % 2 == 0 ? 0.25f : 0.75f) << x;
}

TEST(Affine, BordersGoOnAsTheySay) {
  const Image image = image_of(spec_of({0, 0, 4, 3}, PixelType::f32, 1),
                               [](int, int x, int, int) { return 1 << x; });  // 1 2 4 8
  const auto first = [&](const std::string& border) {
    const Image moved = run_chain("affine --matrix 1,0,0,1,0.5,0 --border " + border, image);
    return value_at(moved, 0, 1);
  };
  EXPECT_EQ(first("clamp"), 1);
  EXPECT_EQ(first("mirror"), 1);
  EXPECT_EQ(first("wrap"), 4.5f);
  EXPECT_EQ(first("border"), 0.5f);
  EXPECT_EQ(first("border --border-color 5"), 3);
  // Two widths of the picture to the right.
  const Image wrapped = run_chain("affine --matrix 1,0,0,1,8.5,0 --border wrap", image);
  EXPECT_EQ(value_at(wrapped, 2, 1), 3);
  const Image mirrored = run_chain("affine --matrix 1,0,0,1,4.5,0 --border mirror", image);
  EXPECT_EQ(value_at(mirrored, 0, 0), 8);
  EXPECT_EQ(value_at(mirrored, 1, 0), 6);
}

TEST(Affine, RefusesWhatHasNoInverse) {
  const Image image = smooth(8, 8);
  EXPECT_TRUE(has(problem("affine --matrix 1,2,2,4,0,0", image), "flattens the picture to a line"));
  EXPECT_TRUE(has(problem("affine --matrix 1,2,2", image), "has 3 numbers"));
  EXPECT_TRUE(has(problem("affine --matrix 1,0,0,1,1e12,0", image), "moves the picture too far"));
}

TEST(Warp, IdsAreCopied) {
  Spec spec = spec_of({0, 0, 30, 30}, PixelType::u32, 1);
  spec.layers[0].channels = {"id"};
  const Image image = any_bits(spec);
  const Image moved = run_chain("rotate --angle 17 --filter cubic", image);
  EXPECT_EQ(moved.spec().layers[0].type, PixelType::u32);
  EXPECT_EQ(value_at<std::uint32_t>(moved, 15, 15), value_at<std::uint32_t>(image, 15, 15));
  EXPECT_EQ(value_at<std::uint32_t>(moved, 0, 0), 0u);
}

TEST(Perspective, TheCornersGoWhereTheyAreSent) {
  const int size = 64;
  const Image image = coordinates(size, size);
  const Image seen = run_chain("perspective --no-antialias --corners 10,5,60,12,55,62,4,50", image);
  // Computed with the inverse of OpenCV 5.0.0's getPerspectiveTransform for these corners.
  const struct {
    int x, y;
    double from_x, from_y;
  } points[] = {{38, 23, 40.03209193, 19.46072534},
                {10, 6, 0.96762206, 2.05079165},
                {53, 60, 62.16406435, 62.60575506}};
  for (const auto& p : points) {
    EXPECT_NEAR(value_at(seen, p.x, p.y, 0), p.from_x, 1.0 / 512 + 1e-4);
    EXPECT_NEAR(value_at(seen, p.x, p.y, 1), p.from_y, 1.0 / 512 + 1e-4);
  }
  EXPECT_EQ(value_at(seen, 2, 2, 0), 0);
}

TEST(Perspective, CornersThatStayMoveNothing) {
  const Image image = any_bits(spec_of({2, 3, 32, 16}, PixelType::f32, 3));
  EXPECT_TRUE(same_pixels(run_chain("perspective --corners 2,3,34,3,34,19,2,19", image), image));
  EXPECT_TRUE(same_pixels(run_chain("perspective --matrix 2,0,0,0,2,0,0,0,2", image), image));
}

TEST(Perspective, BehindTheHorizonIsTheBordersColour) {
  // For a target's y, W is 1 - y/32, so the horizon is at 32.
  const Image image = flat(spec_of({0, 0, 64, 64}, PixelType::f32, 1), 1);
  const Image seen = run_chain(
      "perspective --matrix 1,0,0,0,1,0,0,0.03125,1 --border wrap --border-color 7", image);
  for (int x = 0; x < 64; ++x) {
    EXPECT_NEAR(value_at(seen, x, 31), 1, 1e-6);
    EXPECT_EQ(value_at(seen, x, 32), 7);
    EXPECT_EQ(value_at(seen, x, 63), 7);
  }
}

TEST(Perspective, TheHorizonMayCrossThePicturesMiddle) {
  // A target's y is read at y / (1 + y/32), where W is 1 - y/32.
  const Image image = flat(spec_of({0, 0, 64, 64}, PixelType::f32, 1), 1);
  const Image seen = run_chain(
      "perspective --matrix 1,0,0,0,1,0,0,-0.03125,1 --border-color 7 --border border", image);
  for (int x = 20; x < 40; ++x) {
    EXPECT_NEAR(value_at(seen, x, 3), 1, 1e-6);
    EXPECT_NEAR(value_at(seen, x, 63), 1, 1e-6);
  }
}

TEST(Perspective, RefusesCornersThatGiveNoPicture) {
  const Image image = smooth(8, 8);
  EXPECT_TRUE(has(problem("perspective", image), "neither --corners nor --matrix"));
  EXPECT_TRUE(has(problem("perspective --corners 0,0,8,8,8,0,0,8", image), "not a convex"));
  EXPECT_TRUE(has(problem("perspective --corners 0,0,1,1,2,2,3,3", image), "not a convex"));
  EXPECT_TRUE(has(problem("perspective --corners 0,0,8,0", image), "has 4 numbers"));
  EXPECT_TRUE(has(problem("perspective --matrix 1,0,0,1,0,0,1,1,1", image), "edge on"));
}

TEST(Undistort, ReadsWhereOpenCvDoes) {
  const Image straight = run_chain("undistort " + opencv_lens, coordinates(64, 48));
  for (const OpenCvPoint& p : opencv_points) {
    EXPECT_NEAR(value_at(straight, p.x, p.y, 0), p.from_x + 0.5, 1.0 / 512 + 1e-4);
    EXPECT_NEAR(value_at(straight, p.x, p.y, 1), p.from_y + 0.5, 1.0 / 512 + 1e-4);
  }
}

TEST(Distort, IsUndistortsInverse) {
  const std::string lens = "--filter cubic --k1 -0.2 --k2 0.03 --p1 0.004 --p2 0.002";
  const Image image = smooth(120, 90);
  const Image back = run_chain("distort " + lens + " + undistort " + lens, image);
  EXPECT_GT(psnr(back, image, [](int x, int y) { return x > 2 && x < 117 && y > 2 && y < 87; }),
            50);
  const Image bent = run_chain("undistort " + lens, image);
  EXPECT_LT(psnr(bent, image, [](int, int) { return true; }), 35);
}

TEST(Distort, WhereTheModelFoldsThereIsTheBorder) {
  // r (1 - 0.5 r^2) only grows up to r = 0.816, and the corners are at 1.
  const Image image = flat(spec_of({0, 0, 64, 64}, PixelType::f32, 1), 1);
  const Image bent = run_chain("undistort --k1 -0.5 --border-color 3 --border clamp", image);
  EXPECT_EQ(value_at(bent, 0, 0), 3);
  EXPECT_EQ(value_at(bent, 32, 0), 1);
  EXPECT_TRUE(same_pixels(run_chain("distort", image), image));
  EXPECT_TRUE(has(problem("undistort --k1 1 --focal 1,2,3", image), "has 3 numbers"));
  EXPECT_TRUE(has(problem("undistort --k1 1 --center 1", image), "--center has 1 number: use X,Y"));
}

}  // namespace
}  // namespace cuimg::test
