// SPDX-License-Identifier: Apache-2.0
// Stages that only move pixels: the position of each, unchanged bits, and windows.
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/images.h"
#include "support/oiiotool.h"

namespace cuimg::test {
namespace {

// Each pixel contains its original position: 100 x + y.
Image numbered(const Rect& window) {
  return image_of(spec_of(window, PixelType::f32, 1),
                  [](int, int x, int y, int) { return 100 * x + y; });
}

// Random bits, including NaN with payloads.
Image any_bits(Spec spec) {
  Image image(spec);
  std::mt19937 random(5);
  for (int l = 0; l < spec.layer_count(); ++l)
    for (int y = spec.data_window.y; y < spec.data_window.bottom(); ++y)
      for (std::size_t i = 0; i < image.row_bytes(l); ++i)
        image.row(l, y)[i] = static_cast<std::byte>(random() % 4 == 0 ? 0xff : random());
  return image;
}

Spec layered_spec() {
  Spec spec = spec_of({-3, 5, 37, 70}, PixelType::half, 4);
  spec.display_window = {2, 1, 41, 60};
  spec.layers.push_back({"", {"Z"}, PixelType::f32});
  spec.layers.push_back({"mask", {"id"}, PixelType::u32});
  spec.layers.push_back({"n", {"X", "Y", "Z"}, PixelType::f32});
  return spec;
}

TEST(Turn, EachCornerGoesWhereTheNameSays) {
  // a b c
  // d e f
  const Image image = numbered({0, 0, 3, 2});
  struct {
    const char* words;
    int width, height;
    std::vector<float> rows;
  } cases[] = {
      {"flip", 3, 2, {1, 101, 201, 0, 100, 200}},
      {"flop", 3, 2, {200, 100, 0, 201, 101, 1}},
      {"rotate180", 3, 2, {201, 101, 1, 200, 100, 0}},
      {"rotate90", 2, 3, {1, 0, 101, 100, 201, 200}},
      {"rotate270", 2, 3, {200, 201, 100, 101, 0, 1}},
      {"transpose", 2, 3, {0, 1, 100, 101, 200, 201}},
  };
  for (const auto& c : cases) {
    const Image turned = run_chain(c.words, image);
    EXPECT_EQ(turned.spec().data_window, (Rect{0, 0, c.width, c.height})) << c.words;
    EXPECT_EQ(turned.spec().display_window, turned.spec().data_window) << c.words;
    for (int y = 0; y < c.height; ++y)
      for (int x = 0; x < c.width; ++x)
        EXPECT_EQ(value_at(turned, x, y), c.rows[static_cast<std::size_t>(y * c.width + x)])
            << c.words << " at " << x << ", " << y;
  }
}

TEST(Turn, EveryBitComesBack) {
  const Image image = any_bits(layered_spec());
  for (const char* words :
       {"flip + flip", "flop + flop", "rotate180 + rotate180", "transpose + transpose",
        "rotate90 + rotate270", "rotate90 + rotate90 + rotate90 + rotate90",
        "rotate90 + rotate90 + rotate180", "flip + flop + rotate180",
        "transpose + flop + rotate270", "transpose + flip + rotate90"}) {
    const Image back = run_chain(words, image);
    EXPECT_TRUE(same_pixels(back, image)) << words;
    EXPECT_EQ(back.spec(), image.spec()) << words;
  }
}

TEST(Turn, TheDataWindowMovesWithinTheDisplayWindow) {
  Spec spec = spec_of({12, 25, 5, 3}, PixelType::u8, 3);
  spec.display_window = {10, 20, 40, 30};
  const Image image = noise(spec);
  EXPECT_EQ(run_chain("flip", image).spec().data_window, (Rect{12, 42, 5, 3}));
  EXPECT_EQ(run_chain("flop", image).spec().data_window, (Rect{43, 25, 5, 3}));
  const Spec quarter = run_chain("rotate90", image).spec();
  EXPECT_EQ(quarter.display_window, (Rect{10, 20, 30, 40}));
  EXPECT_EQ(quarter.data_window, (Rect{32, 22, 3, 5}));
}

TEST(Turn, AQuarterTurnsThePixelAspectToo) {
  Spec spec = spec_of({0, 0, 4, 4}, PixelType::u8, 3);
  spec.pixel_aspect = 2;
  for (const char* words : {"rotate90", "rotate270", "transpose"})
    EXPECT_EQ(run_chain(words, noise(spec)).spec().pixel_aspect, 0.5f) << words;
  for (const char* words : {"flip", "flop", "rotate180"})
    EXPECT_EQ(run_chain(words, noise(spec)).spec().pixel_aspect, 2.0f) << words;
}

TEST(Turn, EqualsOiiotool) {
  if (!has_oiiotool()) GTEST_SKIP() << "oiiotool is not installed";
  Spec spec = spec_of({7, 3, 37, 21}, PixelType::half, 4);
  spec.display_window = {0, 0, 61, 40};
  const Image image = noise(spec);
  for (const char* name : {"flip", "flop", "rotate90", "rotate180", "rotate270", "transpose"}) {
    const Image ours = run_chain(name, image), theirs = oiiotool(image, {std::string("--") + name});
    EXPECT_TRUE(same_pixels(ours, theirs)) << name;
    EXPECT_EQ(ours.spec().display_window, theirs.spec().display_window) << name;
  }
}

TEST(Crop, KeepsThePixelsWhereTheyAre) {
  const Image image = numbered({0, 0, 20, 10});
  const Image part = run_chain("crop --region 6x4+15+8", image);
  EXPECT_EQ(part.spec().data_window, (Rect{15, 8, 6, 4}));
  EXPECT_EQ(part.spec().display_window, (Rect{0, 0, 20, 10}));
  EXPECT_EQ(value_at(part, 15, 8), 1508);
  EXPECT_EQ(value_at(part, 19, 9), 1909);
  EXPECT_EQ(value_at(part, 20, 9), 0);
  EXPECT_EQ(value_at(part, 17, 10), 0);
}

TEST(Crop, AFormatWithoutWindowsGetsTheDisplayWindow) {
  const Image image = noise(spec_of({0, 0, 20, 10}, PixelType::u8, 3));
  const Image part = run_chain("crop --region 6x4+3+2", image, {.format = "png"});
  EXPECT_EQ(part.spec().data_window, (Rect{0, 0, 20, 10}));
}

TEST(Cut, MovesTheRegionToTheOrigin) {
  const Image part = run_chain("cut --region 6x4+15-2", numbered({0, 0, 20, 10}));
  EXPECT_EQ(part.spec().data_window, (Rect{0, 0, 6, 4}));
  EXPECT_EQ(part.spec().display_window, (Rect{0, 0, 6, 4}));
  EXPECT_EQ(value_at(part, 0, 1), 0);
  EXPECT_EQ(value_at(part, 0, 2), 1500);
  EXPECT_EQ(value_at(part, 4, 3), 1901);
  EXPECT_EQ(value_at(part, 5, 3), 0);
}

TEST(CropAndCut, EqualOiiotool) {
  if (!has_oiiotool()) GTEST_SKIP() << "oiiotool is not installed";
  Spec spec = spec_of({7, 3, 37, 21}, PixelType::half, 4);
  spec.display_window = {0, 0, 61, 40};
  const Image image = noise(spec);
  for (const char* region : {"10x5+12+9", "80x60-4-5"})
    for (const char* name : {"crop", "cut"}) {
      const Image ours = run_chain(std::string(name) + " --region " + region, image);
      const Image theirs = oiiotool(image, {std::string("--") + name, region});
      EXPECT_TRUE(same_pixels(ours, theirs)) << name << " " << region;
      EXPECT_EQ(ours.spec().display_window, theirs.spec().display_window) << name << " " << region;
    }
}

TEST(Cut, ASizeLiesWhereGravitySays) {
  const Image image = numbered({0, 0, 21, 10});
  const auto first = [&](const std::string& options) {
    const Image part = run_chain("cut --size 6x4" + options, image);
    EXPECT_EQ(part.spec().display_window, (Rect{0, 0, 6, 4}));
    return value_at(part, 0, 0);
  };
  EXPECT_EQ(first(""), 703);
  EXPECT_EQ(first(" --gravity northwest"), 0);
  EXPECT_EQ(first(" --gravity east"), 1503);
  EXPECT_EQ(first(" --gravity southeast"), 1506);
  // For a picture with overscan, the region is within the display window.
  Image around = numbered({0, 0, 21, 10});
  around.editable_spec().display_window = {4, 2, 10, 6};
  EXPECT_EQ(value_at(run_chain("cut --size 50%", around), 0, 0), 603);
  EXPECT_TRUE(has(problem("cut --size 22x4", image), "larger than the picture: use 21x10 or less"));
  EXPECT_TRUE(has(problem("cut --size 2x2 --region 5x5+0+0", image), "--region excludes --size"));
  EXPECT_TRUE(has(problem("cut --region 5x5+0+0 --gravity east", image),
                  "where a --size or an --aspect lies"));
}

TEST(Cut, AnAspectKeepsAsMuchAsThereIsOfIt) {
  const auto part = [](int width, int height, const std::string& options, float pixel = 1) {
    Image image = numbered({0, 0, width, height});
    image.editable_spec().pixel_aspect = pixel;
    return run_chain("cut --aspect " + options, image);
  };
  const auto size = [&](int width, int height, const std::string& options, float pixel = 1) {
    return part(width, height, options, pixel).spec().display_window;
  };
  EXPECT_EQ(size(21, 10, "3:2"), (Rect{0, 0, 15, 10}));
  EXPECT_EQ(size(10, 21, "3:2"), (Rect{0, 0, 10, 7}));      // 6.67
  EXPECT_EQ(size(21, 10, "1.85:1"), (Rect{0, 0, 19, 10}));  // 18.5
  EXPECT_EQ(size(21, 10, "0.5"), (Rect{0, 0, 5, 10}));
  EXPECT_EQ(size(20, 10, "2"), (Rect{0, 0, 20, 10}));
  EXPECT_EQ(size(20, 10, "1000:1"), (Rect{0, 0, 20, 1}));
  EXPECT_EQ(size(20, 10, "1:1000"), (Rect{0, 0, 1, 10}));
  EXPECT_EQ(size(20, 10, "1:1", 2), (Rect{0, 0, 5, 10}));  // relative to the visible proportions
  EXPECT_EQ(value_at(part(21, 10, "1:1"), 0, 0), 500);
  EXPECT_EQ(value_at(part(21, 10, "1:1 --gravity east"), 0, 0), 1100);
  const Image image = numbered({0, 0, 20, 10});
  EXPECT_TRUE(has(problem("cut --aspect 1:1 --size 5x5", image), "excludes --region and --size"));
}

TEST(Pad, AnAspectAddsAsLittleAsItCan) {
  const Image image = numbered({0, 0, 21, 10});
  EXPECT_EQ(run_chain("pad --aspect 1:1", image).spec().display_window, (Rect{0, 0, 21, 21}));
  EXPECT_EQ(run_chain("pad --aspect 4:1", image).spec().display_window, (Rect{0, 0, 40, 10}));
  EXPECT_EQ(run_chain("pad --aspect 2.1", image).spec().display_window, (Rect{0, 0, 21, 10}));
  const Image below = run_chain("pad --aspect 1:1 --gravity south --color 1", image);
  EXPECT_EQ(value_at(below, 20, 10), 1);
  EXPECT_EQ(value_at(below, 20, 11), 2000);
  EXPECT_TRUE(has(problem("pad --aspect 1:1 --left 2", image), "--aspect excludes --left"));
  EXPECT_TRUE(has(problem("pad --aspect 1:1 --size 30x30", image), "--size excludes --aspect"));
  EXPECT_TRUE(
      has(problem("pad --aspect 1:100000", image),
          "with --aspect 1:100000 the picture is too large: width and height may be at most "
          "131072"));
  for (const char* wrong : {"0:1", "1:0", "-1", "3:2:1", "a:b", "16/9", ":", "1:", "inf"})
    EXPECT_TRUE(has(problem(std::string("pad --aspect ") + wrong, image),
                    "is no aspect: use W:H, such as 3:2"))
        << wrong;
}

TEST(CropAndCut, RefuseWhatLiesOutside) {
  const Image image = numbered({0, 0, 20, 10});
  EXPECT_TRUE(has(problem("crop --region 5x5+20+0", image), "lies outside the picture"));
  EXPECT_TRUE(has(problem("cut --region 5x5+0-5", image), "lies outside the picture"));
  EXPECT_TRUE(has(problem("crop", image), "--region is missing"));
  EXPECT_TRUE(has(problem("cut", image), "--region is missing"));
}

TEST(Pad, ContinuesAsTheBorderSays) {
  const Image image = numbered({0, 0, 3, 2});
  struct {
    const char* border;
    std::vector<float> columns;  // left 4, the picture, right 4
  } cases[] = {{"clamp", {0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2}},
               {"wrap", {2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}},
               {"mirror", {2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0}}};
  for (const auto& c : cases) {
    const Image padded =
        run_chain(std::string("pad --left 4 --right 4 --top 1 --border ") + c.border, image);
    ASSERT_EQ(padded.spec().data_window, (Rect{0, 0, 11, 3}));
    EXPECT_EQ(padded.spec().display_window, (Rect{0, 0, 11, 3}));
    const float above = std::string(c.border) == "wrap" ? 1 : 0;
    for (int x = 0; x < 11; ++x) {
      const float column = 100 * c.columns[static_cast<std::size_t>(x)];
      EXPECT_EQ(value_at(padded, x, 0), column + above) << c.border << " " << x;
      EXPECT_EQ(value_at(padded, x, 2), column + 1) << c.border << " " << x;
    }
  }
}

TEST(Pad, TheColourIsLightAndIsStoredAsTheFileStoresIt) {
  Spec spec = spec_of({0, 0, 2, 2}, PixelType::u8, 4);
  spec.layers.push_back({"", {"id"}, PixelType::u32});
  const Image padded = run_chain("pad --left 1 --color 0.25,0.5,0,0.5", noise(spec));
  const std::uint8_t expected[] = {188, 255, 0, 128};  // sRGB of 0.5, 1, 0; alpha is not encoded
  for (int c = 0; c < 4; ++c) EXPECT_EQ(value_at<std::uint8_t>(padded, 0, 1, c), expected[c]) << c;
  EXPECT_EQ(value_at<std::uint32_t>(padded, 0, 1, 0, 1), 0u);
  const Image raw = run_chain("pad --left 1 --raw --color 0.25,0.5,0,0.5", noise(spec));
  const std::uint8_t as_given[] = {64, 128, 0, 128};
  for (int c = 0; c < 4; ++c) EXPECT_EQ(value_at<std::uint8_t>(raw, 0, 1, c), as_given[c]) << c;
}

TEST(Pad, AGreyPictureTakesTheLuminanceOfAColour) {
  const std::string green = "pad --left 1 --color 0,1,0,1";
  Spec spec = spec_of({0, 0, 2, 2}, PixelType::f32, 1);
  // The luminance of Rec.709.
  EXPECT_FLOAT_EQ(value_at(run_chain(green, flat(spec, 0)), 0, 0), 0.71516868f);
  spec.color.primaries = primaries::rec2020;
  EXPECT_FLOAT_EQ(value_at(run_chain(green, flat(spec, 0)), 0, 0), 0.67799807f);
  EXPECT_EQ(value_at(run_chain("pad --left 1 --color 0.3", flat(spec, 0)), 0, 0), 0.3f);
  // Alpha is unchanged; also for pictures that stages turn.
  const Image with_alpha = run_chain("pad --left 1 --color 0,0.5,0,0.25",
                                     flat(spec_of({0, 0, 2, 2}, PixelType::f32, 2), 1));
  EXPECT_FLOAT_EQ(value_at(with_alpha, 0, 0, 0), 0.71516868f / 2);
  EXPECT_EQ(value_at(with_alpha, 0, 0, 1), 0.25f);
  for (const std::string filter : {"point", "linear"}) {
    const Image turned = run_chain(
        "rotate --angle 45 --border border --border-color 0,1,0 "
        "--filter " +
            filter,
        flat(spec_of({0, 0, 9, 9}, PixelType::f32, 1), 0));
    const Rect window = turned.spec().data_window;
    EXPECT_FLOAT_EQ(value_at(turned, window.x, window.y), 0.71516868f) << filter;
  }
  // Among coordinates Y is not grey.
  spec.layers = {{"n", {"X", "Y", "Z"}, PixelType::f32}};
  const Image places = run_chain("pad --left 1 --color 1,0.5,0,1", flat(spec, 0));
  EXPECT_EQ(value_at(places, 0, 0, 0), 1);
  EXPECT_EQ(value_at(places, 0, 0, 1), 0.5f);
}

TEST(Pad, TheColourIsOutsideThePictureOnly) {
  Spec spec = spec_of({1, 1, 2, 2}, PixelType::f32, 1);
  spec.display_window = {0, 0, 4, 4};
  const Image padded = run_chain("pad --left 1 --color 5", flat(spec, 3));
  EXPECT_EQ(padded.spec().data_window, (Rect{0, 0, 5, 4}));
  EXPECT_EQ(value_at(padded, 0, 0), 5);  // added
  EXPECT_EQ(value_at(padded, 1, 0), 0);  // inside of the frame, without pixels
  EXPECT_EQ(value_at(padded, 2, 1), 3);
}

TEST(Pad, TheColourIsNextToOverscanToo) {
  Spec spec = spec_of({-1, 1, 6, 2}, PixelType::f32, 1);
  spec.display_window = {0, 0, 4, 4};
  const Image padded = run_chain("pad --left 2 --right 2 --color 1", flat(spec, 0.5f));
  EXPECT_EQ(padded.spec().data_window, (Rect{0, 0, 8, 4}));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x) {
      const bool has_pixels = x >= 1 && x < 7 && y >= 1 && y < 3, is_added = x < 2 || x >= 6;
      EXPECT_EQ(value_at(padded, x, y), has_pixels ? 0.5f : is_added ? 1 : 0) << x << "," << y;
    }
}

TEST(Pad, ToASizeWithGravity) {
  const Image image = numbered({0, 0, 3, 2});
  const auto corner = [&](const std::string& gravity) {
    const Image padded = run_chain("pad --size 8x6 --color -1 --gravity " + gravity, image);
    EXPECT_EQ(padded.spec().display_window, (Rect{0, 0, 8, 6}));
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 8; ++x)
        if (value_at(padded, x, y) == 0) return std::pair{x, y};
    return std::pair{-1, -1};
  };
  EXPECT_EQ(corner("center"), (std::pair{2, 2}));
  EXPECT_EQ(corner("northwest"), (std::pair{0, 0}));
  EXPECT_EQ(corner("east"), (std::pair{5, 2}));
  EXPECT_EQ(corner("south"), (std::pair{2, 4}));
  EXPECT_TRUE(has(problem("pad --size 2x6", image), "smaller than the picture"));
  EXPECT_TRUE(has(problem("pad --size 8x6 --left 1", image), "--size excludes"));
  EXPECT_TRUE(has(problem("pad --left 131072", image), "is too large"));
}

TEST(Pad, RefusesOptionsWithoutAnEffect) {
  const Image image = numbered({0, 0, 8, 4});
  EXPECT_EQ(
      problem("pad --left 2 --gravity north", image),
      "pad: --gravity places the picture in a --size or an --aspect: give one or leave it out");
  EXPECT_EQ(problem("pad --left 2 --border wrap --color 1,0,0", image),
            "pad: --color is only used by --border border: give that too, or leave out --color");
  EXPECT_EQ(problem("pad --size 20x0 --gravity north", image), "none");
  EXPECT_EQ(run_chain("pad --size 20x0", image).spec().display_window, (Rect{0, 0, 20, 10}));
}

TEST(Pad, WhatWasPaddedIsCutOffAgain) {
  Spec spec = layered_spec();
  spec.display_window = spec.data_window = {0, 0, 37, 70};
  const Image image = any_bits(spec);
  for (const char* border : {"clamp", "wrap", "mirror", "border"}) {
    const Image back =
        run_chain(std::string("pad --left 5 --top 45 --right 1 --bottom 9 --border ") + border +
                      " + cut --region 37x70+5+45",
                  image);
    EXPECT_TRUE(same_pixels(back, image)) << border;
  }
}

TEST(Offset, WrapsAroundTheEdges) {
  const Image moved = run_chain("offset --x 2 --y -7", numbered({0, 0, 5, 3}));
  EXPECT_EQ(value_at(moved, 2, 2), 0);  // -7 rows of 3 are 2
  EXPECT_EQ(value_at(moved, 1, 0), 401);
  const Image image = any_bits(spec_of({0, 0, 37, 70}, PixelType::f32, 3));
  EXPECT_TRUE(same_pixels(run_chain("offset --x 20 --y 60 + offset --x 17 --y 10", image), image));
}

TEST(Offset, EqualsOiiotool) {
  if (!has_oiiotool()) GTEST_SKIP() << "oiiotool is not installed";
  const Image image = noise(spec_of({0, 0, 37, 21}, PixelType::half, 4));
  EXPECT_TRUE(same_pixels(run_chain("offset --x 5 --y -30", image),
                          oiiotool(image, {"--cshift", "+5-30"})));
}

TEST(Offset, WorksOnTheDisplayWindow) {
  Spec spec = spec_of({-2, 1, 4, 1}, PixelType::f32, 1);
  spec.display_window = {0, 0, 4, 3};
  const Image moved = run_chain("offset --x -1", flat(spec, 7));
  EXPECT_EQ(moved.spec().data_window, spec.display_window);
  EXPECT_EQ(value_at(moved, 0, 1), 7);
  EXPECT_EQ(value_at(moved, 3, 1), 7);
  EXPECT_EQ(value_at(moved, 1, 1), 0);
  EXPECT_EQ(value_at(moved, 0, 0), 0);
}

}  // namespace
}  // namespace cuimg::test
